package dev.mainstay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON as it is read and written here, beside Jackson, which is never wrong about it. */
class JsonTextTest {
  private static final String SIGNS =
      "ab{}[]:,\"\"\\\\/ntu0019.-eE \n\r\t\b\u007f\u2028é\ud83d\ude00";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " {\n\"a\" :\t[ 1 , -2 , 0 ] , \"b\" : { } } \r\n",
        "[\"\\u00e9\\uD83D\\ude00\\\"\\\\\\/\\b\\f\\n\\r\\t x\", true, false, null]",
        "{\"a\":999999999999999999,\"b\":-999999999999999999}"
      })
  void what_is_plain_is_read_without_jackson_and_as_jackson_reads_it(String text) {
    assertThat(PlainJson.read(text)).isNotNull().isEqualTo(JsonText.thorough(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "}",
        "{]",
        "[}",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1]]",
        "[1] x",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":1,\"a\":2}",
        "{\"a\" 1}",
        "[01]",
        "[-]",
        "[-0]",
        "[1.0]",
        "[1e2]",
        "[1000000000000000000]",
        "[+1]",
        "[NaN]",
        "[1x]",
        "[\"a]",
        "[\"\\",
        "[\"\\x\"]",
        "[\"\\u12\"]",
        "[\"\\u12g4\"]",
        "[\"a\nb\"]",
        "[\"\\u123",
        "[tru]",
        "[nul",
        "[falsee]",
        "[//c\n1]",
        "[\u00a01]",
        "\ufeff[]",
        "1",
        "\"a\"",
        "true"
      })
  void what_is_not_plain_is_left_to_jackson(String text) {
    assertThat(PlainJson.read(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999", "1e99999999999", "-1e-99999999999", "1e2147483648"})
  void a_number_out_of_all_proportion_is_refused_with_its_place(String number) {
    assertThatThrownBy(() -> JsonText.list("[" + number + "]"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("out of all proportion (line 1, column ");
  }

  @Test
  void what_is_too_deep_or_too_long_is_left_to_jackson_which_refuses_it() {
    int depth = JsonObject.DEPTH_MAX;
    assertThat(PlainJson.read("[".repeat(depth) + "]".repeat(depth))).isNotNull();
    assertThat(JsonText.list("[".repeat(depth) + "]".repeat(depth))).isNotNull();
    assertThat(PlainJson.read("[".repeat(depth + 1) + "]".repeat(depth + 1))).isNull();
    assertThatThrownBy(() -> JsonText.list("[".repeat(depth + 1) + "]".repeat(depth + 1)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("nested deeper");
    assertThat(PlainJson.read("[".repeat(1_000_000))).isNull();
    String name = "n".repeat(1_001);
    assertThat(PlainJson.read("{\"" + name + "\":1}")).isNull();
    assertThat(JsonText.object("{\"" + name + "\":1}").get(name)).isEqualTo(1L);
    String large = "[\"" + "x".repeat(JsonText.DOCUMENT_BYTES_MAX) + "\"]";
    assertThat(PlainJson.read(large)).isNull();
    assertThatThrownBy(() -> JsonText.list(large)).isInstanceOf(Refusal.class);
  }

  @Test
  void whatever_is_read_here_is_what_jackson_reads() {
    Seeds.forAll(
        3_000,
        random -> {
          String text = random.nextBoolean() ? noise(random) : spoiled(random);
          Object plain = PlainJson.read(text);
          if (plain != null) assertThat(JsonText.thorough(text)).as(text).isEqualTo(plain);
        });
  }

  @Test
  void whatever_is_written_here_is_what_jackson_writes_and_reads_back() {
    Seeds.forAll(
        1_000,
        random -> {
          Object value = random.nextBoolean() ? map(random, 3) : items(random, 3);
          String text = JsonText.write(value);
          assertThat(text).isEqualTo(byJackson(value));
          Object plain = PlainJson.read(text);
          assertThat(JsonText.thorough(text)).isEqualTo(value);
          assertThat(plain == null).isEqualTo(text.contains(".5"));
        });
  }

  private static String noise(Random random) {
    StringBuilder text = new StringBuilder().append("[{\"".charAt(random.nextInt(2)));
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append(SIGNS.charAt(random.nextInt(SIGNS.length())));
    }
    return text.append("]}".charAt(random.nextInt(2))).toString();
  }

  /** A text that was valid, with one character changed, put in or taken out. */
  private static String spoiled(Random random) {
    StringBuilder text = new StringBuilder(JsonText.write(map(random, 2)));
    int place = random.nextInt(text.length());
    char sign = SIGNS.charAt(random.nextInt(SIGNS.length()));
    switch (random.nextInt(4)) {
      case 0 -> text.setCharAt(place, sign);
      case 1 -> text.insert(place, sign);
      case 2 -> text.deleteCharAt(place);
      default -> {}
    }
    return text.toString();
  }

  private static Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> word(random);
      case 1 -> random.nextLong() % 1_000_000_000_000_000_000L;
      case 2 -> random.nextBoolean();
      case 3 -> random.nextInt(4) == 0 ? new BigDecimal("1.5") : 0L;
      case 4 -> word(random) + "\u0000\u001f\u0085";
      case 5 -> items(random, depth - 1);
      default -> map(random, depth - 1);
    };
  }

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      word.append(SIGNS.charAt(random.nextInt(SIGNS.length())));
    }
    return word.toString().replace(".5", "");
  }

  private static List<Object> items(Random random, int depth) {
    List<Object> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) items.add(value(random, depth));
    return items;
  }

  private static Map<String, Object> map(Random random, int depth) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) map.put(word(random), value(random, depth));
    return map;
  }

  private static String byJackson(Object value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      write(out, value);
    }
    return text.toString();
  }

  private static void write(JsonGenerator out, Object value) {
    if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      map.forEach(
          (key, item) -> {
            out.writeName(String.valueOf(key));
            write(out, item);
          });
      out.writeEndObject();
    } else if (value instanceof List<?> items) {
      out.writeStartArray();
      for (Object item : items) write(out, item);
      out.writeEndArray();
    } else if (value instanceof Long number) out.writeNumber(number);
    else if (value instanceof BigDecimal number) out.writeNumber(number.toPlainString());
    else if (value instanceof Boolean truth) out.writeBoolean(truth);
    else out.writeString(value.toString());
  }
}
