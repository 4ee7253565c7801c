package dev.mainstay.diagram;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.camunda.bpm.model.bpmn.Bpmn;
import org.camunda.bpm.model.bpmn.BpmnModelInstance;
import org.camunda.bpm.model.xml.ModelException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** A file as the model library understands it: valid by the schema of BPMN 2.0, or refused. */
final class BpmnText {
  private static final String PLACE = "org/camunda/bpm/model/bpmn/schema/BPMN20.xsd";

  private BpmnText() {}

  /** The root of the file, which is {@code definitions}. */
  static Tag read(String xml) {
    XmlGuard.Checked checked = XmlGuard.checked(xml);
    String text = checked.text();
    try {
      String harmless = checked.hasHints() ? SchemaHints.without(text) : text;
      BpmnModelInstance model =
          Bpmn.readModelFromStream(
              new ByteArrayInputStream(harmless.getBytes(StandardCharsets.UTF_8)));
      Element root = ((Document) model.getDocument().getDomSource().getNode()).getDocumentElement();
      return new Tag(root);
    } catch (RuntimeException refused) {
      // The library checks a tree, which knows no lines; going through the text once more finds it.
      throw invalid(text, refused);
    }
  }

  private static Refusal invalid(String text, RuntimeException refused) {
    try {
      validator().validate(new StreamSource(new StringReader(text)));
    } catch (SAXParseException fault) {
      int line = SchemaWords.line(XmlGuard.reason(fault), text, fault.getLineNumber());
      return Refusal.invalid(
          Phrase.of(
              "line %d: the file is no valid BPMN 2.0 (%s); mend it or export it anew",
              Math.max(line, 1), words(fault)));
    } catch (SAXException | IOException | RuntimeException other) {
      return Refusal.invalid("the file is no valid BPMN 2.0 (" + words(other) + ")");
    }
    Throwable cause = refused instanceof ModelException ? refused.getCause() : null;
    Exception deepest = cause instanceof Exception known ? known : refused;
    return Refusal.invalid(
        "the file is no BPMN 2.0 that can be read (" + words(deepest) + "); export it anew");
  }

  /** The schema's codes say nothing to whoever drew the file. */
  private static String words(Exception fault) {
    return SchemaWords.of(XmlGuard.reason(fault));
  }

  private static Validator validator() throws SAXException {
    Validator validator = Grammar.SCHEMA.newValidator();
    validator.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    validator.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
    return validator;
  }

  /** Apart, as a file that is valid needs none. */
  private static final class Grammar {
    static final Schema SCHEMA = schema();

    private static Schema schema() {
      try {
        SchemaFactory factory = SchemaFactory.newDefaultInstance();
        return factory.newSchema(Bpmn.class.getClassLoader().getResource(PLACE));
      } catch (SAXException broken) {
        throw new IllegalStateException("the model library has no schema", broken);
      }
    }
  }
}
