package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Drawing;
import dev.mainstay.bpmn.Problem;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileFileTest {
  private static final int MUTANTS = 200;

  private static String sample() throws IOException {
    return Files.readString(Path.of("examples/nightly.bpmn"));
  }

  private static void isRefused(String xml, String... words) {
    assertThatThrownBy(() -> BpmnFile.read(xml))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.sentence()).contains(words).doesNotContain("\n");
              assertThat(refusal.sentence()).hasSizeLessThan(500);
            });
  }

  @Test
  void a_document_type_is_refused_whatever_it_declares(@TempDir Path folder) throws IOException {
    Path hidden = Files.writeString(folder.resolve("hidden"), "what nobody may read");
    String body = "<definitions>&x;</definitions>";
    isRefused("<!DOCTYPE definitions>" + sample(), "DOCTYPE");
    isRefused(
        "<!DOCTYPE d [<!ENTITY x SYSTEM \"" + hidden.toUri() + "\">]>" + body, "line 1", "DOCTYPE");
    isRefused("<!DOCTYPE d SYSTEM \"" + hidden.toUri() + "\">\n" + body, "DOCTYPE");
    isRefused(
        "<!DOCTYPE d [<!ENTITY % p SYSTEM \"" + hidden.toUri() + "\"> %p;]>" + body, "DOCTYPE");
  }

  @Test
  void a_billion_laughs_are_refused() {
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\"?>\n<!DOCTYPE d [<!ENTITY a0 \"ha\">");
    for (int i = 1; i < 30; i++) {
      xml.append("<!ENTITY a").append(i).append(" \"");
      xml.append(("&a" + (i - 1) + ";").repeat(10)).append("\">");
    }
    isRefused(xml + "]><definitions>&a29;</definitions>", "DOCTYPE");
  }

  @Test
  void depth_size_and_number_of_elements_are_bounded() throws IOException {
    isRefused("<a>".repeat(200_000), "nested deeper than 100");
    isRefused("<a>".repeat(100) + "<b/>" + "</a>".repeat(100), "nested deeper than 100");
    isRefused("<a>" + "<b/>".repeat(XmlGuard.ELEMENTS_MAX) + "</a>", "more than 100000 elements");
    isRefused(sample() + " ".repeat(XmlGuard.BPMN_CHARS_MAX), "at most 4194304 characters");
  }

  @Test
  void a_file_in_another_encoding_is_read_as_the_text_it_is() throws IOException {
    String utf16 = sample().replace("encoding=\"UTF-8\"", "encoding=\"UTF-16\"");
    assertThat(utf16).isNotEqualTo(sample());
    assertThat(BpmnFile.read(utf16)).isEqualTo(BpmnFile.read(sample()));
    assertThat(BpmnFile.read("\uFEFF" + sample())).isEqualTo(BpmnFile.read(sample()));
    byte[] bytes = sample().getBytes(StandardCharsets.UTF_16);
    isRefused(new String(bytes, StandardCharsets.ISO_8859_1), "line 1");
    isRefused(new String(bytes, StandardCharsets.UTF_8), "line 1");
  }

  @Test
  void a_file_is_decoded_as_its_declaration_says() throws IOException {
    String named = sample().replaceFirst("name=\"[^\"]*\"", "name=\"Gr\u00fc\u00dfe\"");
    var expected = BpmnFile.read(named);
    for (String each : List.of("UTF-8", "ISO-8859-1", "windows-1252", "iso-8859-15")) {
      String declared = named.replace("encoding=\"UTF-8\"", "encoding='" + each + "'");
      byte[] bytes = declared.getBytes(Charset.forName(each));
      assertThat(BpmnFile.read(BpmnFile.text(bytes))).as(each).isEqualTo(expected);
    }
    for (String each : List.of("UTF-16", "UTF-16LE", "UTF-16BE")) {
      byte[] bytes = named.getBytes(Charset.forName(each));
      assertThat(BpmnFile.read(BpmnFile.text(bytes))).as(each).isEqualTo(expected);
    }
    assertThat(BpmnFile.text(("\uFEFF" + named).getBytes(StandardCharsets.UTF_8))).isEqualTo(named);
    for (String each : List.of("UTF-7", "IBM037", "ISO-2022-JP", "a:b")) {
      String declared = named.replace("encoding=\"UTF-8\"", "encoding=\"" + each + "\"");
      isUndecodable(declared.getBytes(StandardCharsets.US_ASCII), each);
    }
    isUndecodable(named.getBytes(StandardCharsets.ISO_8859_1), "not valid UTF-8");
    byte[] odd = named.getBytes(StandardCharsets.UTF_16);
    isUndecodable(Arrays.copyOf(odd, odd.length - 1), "not valid UTF-16BE");
  }

  private static void isUndecodable(byte[] bytes, String word) {
    assertThatThrownBy(() -> BpmnFile.text(bytes))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(word);
  }

  @Test
  void what_the_schema_says_is_told_in_plain_words() throws IOException {
    String dangling = sample().replace("targetRef=\"test\"", "targetRef=\"tset\"");
    long line = dangling.substring(0, dangling.indexOf("\"tset\"")).lines().count();
    isRefused(dangling, "line " + line + ":", "nothing in the file has the id \"tset\"");
    isRefused(sample().replace("id=\"look\"", "id=\"test\""), "the id \"test\" is there twice");
    isRefused(
        sample().replace("attachedToRef=\"test\"", ""),
        "the attribute \"attachedToRef\" of \"boundaryEvent\" is missing");
    isRefused(
        sample().replace("<bpmn:process ", "<bpmn:unheard/><bpmn:process "),
        "\"unheard\" does not belong there");
    isRefused(sample().replaceFirst("xmlns:bpmn=", "xmlns:other="), "the prefix \"bpmn\" is used");
    isRefused(sample().replaceFirst(" id=", " id=\"x\" id="), "id");
  }

  @Test
  void what_is_no_xml_or_no_bpmn_is_refused_with_its_line() throws IOException {
    isRefused("", "empty");
    isRefused(" \n ", "empty");
    isRefused("\u0000", "line 1");
    isRefused("no xml", "line 1");
    isRefused("{\"nodes\": []}", "line 1");
    isRefused("<html/>", "no valid BPMN 2.0");
    isRefused("<definitions/>", "no valid BPMN 2.0");
    isRefused(sample().replace("</bpmn:process>", ""), "no XML");
    long line = sample().substring(0, sample().indexOf("attachedToRef")).lines().count();
    isRefused(sample().replace("attachedToRef=\"test\"", ""), "line " + line, "attachedToRef");
    isRefused(sample().replace("id=\"look\"", "id=\"test\""), "test");
    isRefused("<a>&undeclared;</a>", "line 1", "undeclared");
    isRefused("<definitions xmlns=\"" + Tag.BPMN + "\" targetNamespace=\"x\"/>", "has no process");
  }

  @Test
  void nothing_is_fetched_for_a_schema_that_the_file_names() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      server.configureBlocking(false);
      String place = "http://127.0.0.1:" + ((InetSocketAddress) server.getLocalAddress()).getPort();
      String hint =
          Phrase.of(
              "xmlns:v=\"urn:v\" xsi:schemaLocation=\"%s %s/BPMN20.xsd urn:v %s/v.xsd\" id=",
              Tag.BPMN, place, place);
      String used =
          "<bpmn:extensionElements><v:x xsi:noNamespaceSchemaLocation=\"" + place + "\"/><v:y>";
      String named =
          sample()
              .replaceFirst("id=", hint)
              .replace(
                  "<bpmn:outgoing>to-test<",
                  used + "</v:y></bpmn:extensionElements><bpmn:outgoing>to-test<");
      assertThat(BpmnFile.read(named).get(0).definition())
          .isEqualTo(BpmnFile.read(sample()).get(0).definition());
      isRefused(named.replace("attachedToRef=\"test\"", ""), "attachedToRef");
      assertThat(server.accept()).isNull();
    }
  }

  @Test
  void taking_out_where_schemas_lie_changes_nothing_else() {
    Seeds.forAll(
        50,
        random -> {
          Definition definition = RandomDefinitions.definition(random);
          String file = BpmnFile.write(definition, Drawing.NONE);
          String hinted = file.replaceFirst("xmlns:xsi=", "xsi:schemaLocation=\"a b\" xmlns:xsi=");
          assertThat(hinted).isNotEqualTo(file);
          assertThat(BpmnFile.read(hinted)).isEqualTo(BpmnFile.read(file));
        });
  }

  @Test
  void no_mutation_of_a_file_crashes_the_reader() throws IOException {
    List<String> samples = new ArrayList<>();
    for (Path each : ExamplesTest.examples()) samples.add(Files.readString(each));
    Seeds.forAll(
        MUTANTS,
        random -> {
          byte[] bytes =
              samples.get(random.nextInt(samples.size())).getBytes(StandardCharsets.UTF_8);
          for (int i = 1 + random.nextInt(8); i > 0; i--) bytes = mutated(bytes, random);
          try {
            for (BpmnFile.Chart each : BpmnFile.read(new String(bytes, StandardCharsets.UTF_8))) {
              boolean fatal = each.problems().stream().anyMatch(Problem::isFatal);
              assertThat(each.definition() != null || fatal).isTrue();
            }
          } catch (Refusal refused) {
            assertThat(refused.sentence()).isNotBlank().doesNotContain("\n");
          }
        });
  }

  private static byte[] mutated(byte[] bytes, Random random) {
    if (bytes.length == 0) return bytes;
    int at = random.nextInt(bytes.length);
    int length = Math.min(bytes.length - at, 1 + random.nextInt(60));
    byte[] piece = Arrays.copyOfRange(bytes, at, at + length);
    int other = random.nextInt(bytes.length);
    return switch (random.nextInt(5)) {
      case 0 -> {
        byte[] copy = bytes.clone();
        copy[at] = (byte) random.nextInt(256);
        yield copy;
      }
      case 1 -> spliced(bytes, at, at + length, new byte[0]);
      case 2 -> spliced(bytes, other, other, piece);
      case 3 -> random.nextInt(20) == 0 ? Arrays.copyOf(bytes, at) : bytes;
      default ->
          spliced(
              bytes,
              at,
              at,
              "<&\"'>\0]]>".substring(random.nextInt(9)).getBytes(StandardCharsets.UTF_8));
    };
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] piece) {
    byte[] made = new byte[bytes.length - (to - from) + piece.length];
    System.arraycopy(bytes, 0, made, 0, from);
    System.arraycopy(piece, 0, made, from, piece.length);
    System.arraycopy(bytes, to, made, from + piece.length, bytes.length - to);
    return made;
  }

  @Test
  void no_exchange_of_names_and_values_crashes_the_reader() throws IOException {
    List<String> words =
        List.of(
            "subProcess",
            "adHocSubProcess",
            "transaction",
            "scriptTask",
            "complexGateway",
            "startEvent",
            "endEvent",
            "boundaryEvent",
            "userTask",
            "sendTask",
            "callActivity",
            "intermediateCatchEvent",
            "eventBasedGateway",
            "inclusiveGateway",
            "task",
            "signalEventDefinition",
            "linkEventDefinition",
            "terminateEventDefinition",
            "sequenceFlow",
            "dataObject",
            "textAnnotation",
            "standardLoopCharacteristics");
    List<String> samples = new ArrayList<>();
    for (Path each : ExamplesTest.examples()) samples.add(Files.readString(each));
    Seeds.forAll(
        MUTANTS,
        random -> {
          String xml = samples.get(random.nextInt(samples.size()));
          for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String one = words.get(random.nextInt(words.size()));
            String other = words.get(random.nextInt(words.size()));
            xml = xml.replaceAll("(</?bpmn:)" + one + "\\b", "$1" + other);
            xml = xml.replace("serviceTask", random.nextInt(3) == 0 ? other : "serviceTask");
          }
          try {
            assertThat(BpmnFile.read(xml)).isNotEmpty();
          } catch (Refusal refused) {
            assertThat(refused.sentence()).isNotBlank();
          }
        });
  }
}
