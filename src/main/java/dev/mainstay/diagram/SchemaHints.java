package dev.mainstay.diagram;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Takes out of a file where schemas lie. The model library's parser would fetch them, from the
 * network or from this machine's disk, for every namespace that it does not know.
 */
final class SchemaHints {
  private SchemaHints() {}

  /** The same file without its hints; it was looked through before, so it is not too deep. */
  static String without(String text) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
      factory.setNamespaceAware(true);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      Document document =
          factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
      remove(document.getDocumentElement());
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      StringWriter out = new StringWriter();
      transformer.transform(new DOMSource(document), new StreamResult(out));
      return out.toString();
    } catch (ParserConfigurationException
        | SAXException
        | IOException
        | TransformerException fault) {
      throw new IllegalArgumentException(XmlGuard.reason(fault), fault);
    }
  }

  private static void remove(Element element) {
    NamedNodeMap attributes = element.getAttributes();
    for (int i = attributes.getLength() - 1; i >= 0; i--) {
      Attr each = (Attr) attributes.item(i);
      if (XmlGuard.isHint(each.getNamespaceURI(), each.getLocalName())) {
        element.removeAttributeNode(each);
      }
    }
    for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element child) remove(child);
    }
  }
}
