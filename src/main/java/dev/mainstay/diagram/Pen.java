package dev.mainstay.diagram;

import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes one element, its parts in the order in which they are asked for. */
record Pen(Element element) {
  private static final String OWN = "mainstay:";

  /** The outermost element of a new document. */
  static Pen root(Document document) {
    Element root = document.createElementNS(Tag.BPMN, "bpmn:definitions");
    Pen pen = new Pen(root);
    pen.namespace("bpmn", Tag.BPMN);
    pen.namespace("bpmndi", Tag.BPMNDI);
    pen.namespace("dc", Tag.DC);
    pen.namespace("di", Tag.DI);
    pen.namespace("xsi", Tag.XSI);
    pen.namespace("mainstay", Tag.MAINSTAY);
    document.appendChild(root);
    return pen;
  }

  private void namespace(String prefix, String uri) {
    element.setAttributeNS("http://www.w3.org/2000/xmlns/", "xmlns:" + prefix, uri);
  }

  Pen add(String name) {
    return add(Tag.BPMN, "bpmn:" + name);
  }

  Pen addOwn(String name) {
    return add(Tag.MAINSTAY, OWN + name);
  }

  Pen add(String namespace, String qualified) {
    Element child = element.getOwnerDocument().createElementNS(namespace, qualified);
    element.appendChild(child);
    return new Pen(child);
  }

  /** An element of ours among the extensions of this one. */
  Pen extension(String name) {
    Pen extensions =
        new Tag(element)
            .child("extensionElements")
            .map(each -> new Pen(each.element()))
            .orElseGet(() -> add("extensionElements"));
    return extensions.addOwn(name);
  }

  /** An expression, which BPMN marks as one that is meant to be worked out. */
  Pen addExpression(String name, String text) {
    Pen child = add(name);
    child.element.setAttributeNS(Tag.XSI, "xsi:type", "bpmn:tFormalExpression");
    return child.text(text);
  }

  /** Nothing is written for null. */
  Pen set(String name, @Nullable String value) {
    if (value != null) element.setAttribute(name, legal(value));
    return this;
  }

  Pen own(String name, @Nullable String value) {
    if (value != null) element.setAttributeNS(Tag.MAINSTAY, OWN + name, legal(value));
    return this;
  }

  Pen text(String text) {
    element.setTextContent(legal(text));
    return this;
  }

  /** XML has no place for control characters and half characters, not even in disguise. */
  private static String legal(String text) {
    if (text.codePoints().allMatch(Pen::isLegal)) return text;
    StringBuilder legal = new StringBuilder();
    text.codePoints().forEach(each -> legal.appendCodePoint(isLegal(each) ? each : 0xFFFD));
    return legal.toString();
  }

  private static boolean isLegal(int each) {
    if (each < 0x20) return each == '\t' || each == '\n' || each == '\r';
    return each < 0xD800 || (each > 0xDFFF && each != 0xFFFE && each != 0xFFFF);
  }
}
