package dev.mainstay.diagram;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;

/** One element of a file, asked in the words of BPMN. */
record Tag(Element element) {
  static final String BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL";
  static final String BPMNDI = "http://www.omg.org/spec/BPMN/20100524/DI";
  static final String DC = "http://www.omg.org/spec/DD/20100524/DC";
  static final String DI = "http://www.omg.org/spec/DD/20100524/DI";
  static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";
  static final String MAINSTAY = "https://mainstay.dev/schema/bpmn/1.0";

  /** Whose attributes for a loop are read as well, as they mean the same. */
  private static final List<String> ENGINES =
      List.of(
          "http://camunda.org/schema/1.0/bpmn",
          "http://flowable.org/bpmn",
          "http://activiti.org/bpmn");

  private static final Set<String> PLAIN =
      Set.of(BPMN, BPMNDI, DC, DI, XSI, MAINSTAY, "http://www.w3.org/2000/xmlns/");

  String name() {
    return element.getLocalName();
  }

  boolean is(String name) {
    return BPMN.equals(element.getNamespaceURI()) && name.equals(name());
  }

  /** Empty when it has none. */
  String id() {
    return element.getAttribute("id").strip();
  }

  @Nullable String attribute(String name) {
    return element.hasAttribute(name) ? element.getAttribute(name) : null;
  }

  boolean isSet(String name, String value) {
    return value.equals(element.getAttribute(name).strip());
  }

  /** XML Schema writes truth as a word or as a digit. */
  boolean flag(String name, boolean usual) {
    String value = element.getAttribute(name).strip();
    return value.isEmpty() ? usual : value.equals("true") || value.equals("1");
  }

  /** An id that another element is named by, without the prefix of its namespace; or null. */
  @Nullable String reference(String name) {
    String value = element.getAttribute(name).strip();
    return value.isEmpty() ? null : local(value);
  }

  static String local(String qualified) {
    return qualified.substring(qualified.indexOf(':') + 1).strip();
  }

  /** An attribute of ours. */
  @Nullable String own(String name) {
    return element.hasAttributeNS(MAINSTAY, name) ? element.getAttributeNS(MAINSTAY, name) : null;
  }

  /** All attributes of ours, in the order of their names. */
  Map<String, String> own() {
    Map<String, String> found = new LinkedHashMap<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr each = (Attr) attributes.item(i);
      if (MAINSTAY.equals(each.getNamespaceURI())) found.put(each.getLocalName(), each.getValue());
    }
    return found;
  }

  /** An attribute that is ours or, failing that, one of the same meaning of another engine. */
  @Nullable String ownOr(String name, String theirs) {
    String own = own(name);
    for (String engine : ENGINES) {
      if (own == null && element.hasAttributeNS(engine, theirs)) {
        own = element.getAttributeNS(engine, theirs);
      }
    }
    return own;
  }

  /** The prefixes, or else the namespaces, of other tools that say something about this element. */
  List<String> foreign() {
    List<String> found = new ArrayList<>();
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) foreign(attributes.item(i), found);
    for (Tag each : extensions()) foreign(each.element(), found);
    return found;
  }

  private static void foreign(Node node, List<String> found) {
    String namespace = node.getNamespaceURI();
    if (namespace == null || PLAIN.contains(namespace)) return;
    found.add(node.getPrefix() == null ? namespace : node.getPrefix());
  }

  /** The elements of BPMN in it. */
  List<Tag> children() {
    return elements().stream()
        .filter(each -> BPMN.equals(each.element().getNamespaceURI()))
        .toList();
  }

  List<Tag> elements() {
    List<Tag> found = new ArrayList<>();
    for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element child) found.add(new Tag(child));
    }
    return found;
  }

  List<Tag> children(String name) {
    return elements().stream().filter(each -> each.is(name)).toList();
  }

  Optional<Tag> child(String name) {
    return elements().stream().filter(each -> each.is(name)).findFirst();
  }

  /** What stands in its extension elements, whoever it is of. */
  List<Tag> extensions() {
    return child("extensionElements").map(Tag::elements).orElse(List.of());
  }

  /** The extension elements of ours with this name. */
  List<Tag> ownExtensions(String name) {
    return extensions().stream()
        .filter(each -> MAINSTAY.equals(each.element().getNamespaceURI()))
        .filter(each -> each.name().equals(name))
        .toList();
  }

  String text() {
    return element.getTextContent();
  }

  /** The expression in it: what {@code ${}} and a leading {@code =} stand around is CEL. */
  static String expression(String text) {
    String bare = text.strip();
    boolean wrapped = bare.startsWith("${") || bare.startsWith("#{");
    if (wrapped && bare.endsWith("}")) return bare.substring(2, bare.length() - 1).strip();
    return bare.startsWith("=") && !bare.startsWith("==") ? bare.substring(1).strip() : bare;
  }

  /** The same of a child; null when it has none or says nothing. */
  @Nullable String expressionOf(String name) {
    String text = child(name).map(each -> expression(each.text())).orElse("");
    return text.isEmpty() ? null : text;
  }
}
