package dev.mainstay.diagram;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.StringReader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Looks through a file before anything builds a tree of it: XML without a document type, of bounded
 * size, depth and number of elements. What passes can do no harm to a parser.
 */
final class XmlGuard {
  static final int BPMN_CHARS_MAX = 4 * 1024 * 1024;
  static final int DEPTH_MAX = 100;
  static final int ELEMENTS_MAX = 100_000;

  /** How much of a parser's complaint is passed on. */
  private static final int REASON_CHARS_MAX = 300;

  /** The text is decoded already, so whatever encoding it claims to have is no longer true. */
  private static final Pattern DECLARATION = Pattern.compile("\\A\\uFEFF?\\s*<\\?xml\\s[^>]*\\?>");

  private XmlGuard() {}

  /**
   * The text without byte order mark and declaration, its lines where they were.
   *
   * @param hasHints whether it says where schemas lie, which parsers follow into the network
   */
  record Checked(String text, boolean hasHints) {}

  static Checked checked(String xml) {
    if (xml.length() > BPMN_CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "a BPMN file has at most %d characters, and this one has %d; split it",
              BPMN_CHARS_MAX, xml.length()));
    }
    String text = undeclared(xml);
    if (text.isBlank()) throw Refusal.invalid("the file is empty; give a BPMN 2.0 file");
    XMLStreamReader reader = null;
    try {
      reader = factory().createXMLStreamReader(new StringReader(text));
      return new Checked(text, walk(reader));
    } catch (XMLStreamException unreadable) {
      throw noXml(unreadable.getLocation().getLineNumber(), SchemaWords.of(reason(unreadable)));
    } catch (RuntimeException fault) {
      if (fault instanceof Refusal) throw fault;
      // The parser of the JDK trips over its own feet on some broken files.
      throw noXml(reader == null ? 1 : reader.getLocation().getLineNumber(), "it breaks off there");
    }
  }

  private static String undeclared(String xml) {
    Matcher declaration = DECLARATION.matcher(xml);
    if (!declaration.find()) return xml.startsWith("\uFEFF") ? xml.substring(1) : xml;
    long lines = declaration.group().chars().filter(c -> c == '\n').count();
    return "\n".repeat((int) lines) + xml.substring(declaration.end());
  }

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setXMLResolver(
        (id, system, base, namespace) -> {
          throw new XMLStreamException("nothing outside the file is read");
        });
    return factory;
  }

  private static boolean walk(XMLStreamReader reader) throws XMLStreamException {
    boolean hints = false;
    int depth = 0;
    int elements = 0;
    while (reader.hasNext()) {
      int line = reader.getLocation().getLineNumber();
      switch (reader.next()) {
        case XMLStreamConstants.DTD ->
            throw Refusal.invalid(
                Phrase.of("line %d: a BPMN file has no document type; take DOCTYPE out", line));
        case XMLStreamConstants.ENTITY_REFERENCE ->
            throw Refusal.invalid(
                Phrase.of(
                    "line %d: \"&%s;\" is not known in BPMN; write the character itself",
                    line, reader.getLocalName()));
        case XMLStreamConstants.START_ELEMENT -> {
          depth++;
          elements++;
          for (int i = 0; i < reader.getAttributeCount(); i++) {
            hints |= isHint(reader.getAttributeNamespace(i), reader.getAttributeLocalName(i));
          }
          if (depth > DEPTH_MAX) {
            throw Refusal.tooLarge(
                Phrase.of("line %d: the file is nested deeper than %d levels", line, DEPTH_MAX)
                    + "; flatten it");
          }
          if (elements > ELEMENTS_MAX) {
            throw Refusal.tooLarge(
                Phrase.of("the file has more than %d elements; split it", ELEMENTS_MAX));
          }
        }
        case XMLStreamConstants.END_ELEMENT -> depth--;
        default -> {}
      }
    }
    return hints;
  }

  /** Whether an attribute says where a schema lies. */
  static boolean isHint(@Nullable String namespace, String name) {
    return Tag.XSI.equals(namespace)
        && (name.equals("schemaLocation") || name.equals("noNamespaceSchemaLocation"));
  }

  /** What a parser says, in one line and without the place, which is said already. */
  static String reason(Exception fault) {
    String said = String.valueOf(fault.getMessage());
    int message = said.indexOf("Message: ");
    String reason = message < 0 ? said : said.substring(message + 9);
    reason = reason.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    if (reason.length() > REASON_CHARS_MAX) return reason.substring(0, REASON_CHARS_MAX) + "...";
    return reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
  }

  static Refusal noXml(int line, String reason) {
    return Refusal.invalid(
        Phrase.of("line %d: the file is no XML (%s); export it anew", Math.max(line, 1), reason));
  }
}
