package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.mainstay.CpuTime;
import dev.mainstay.context.Cases;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TokensTest {
  private static final Map<Tokens, Encoding> RAW =
      Map.of(
          Tokens.O200K,
          Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE),
          Tokens.CL100K,
          Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE));

  @Test
  void known_texts_have_their_known_counts() {
    assertThat(Tokens.O200K.count("")).isZero();
    assertThat(Tokens.O200K.count("hello world")).isEqualTo(2);
    assertThat(Tokens.CL100K.count("tiktoken is great!")).isEqualTo(6);
    assertThat(Tokens.CL100K.count("antidisestablishmentarianism")).isEqualTo(6);
  }

  @Test
  void what_looks_like_a_special_token_is_ordinary_text() {
    assertThat(Tokens.O200K.count("<|endoftext|>")).isGreaterThan(1);
    assertThat(Tokens.CL100K.count("<|endoftext|>")).isGreaterThan(1);
  }

  @Test
  void where_a_text_is_parted_the_counts_of_the_sides_add_up() {
    RAW.forEach(
        (tokens, raw) ->
            Cases.forAll(
                300,
                random -> {
                  String text = Tokens.wellFormed(Cases.text(random, 400));
                  int whole = raw.countTokensOrdinary(text);
                  for (int i = 1; i < text.length(); i++) {
                    if (!Tokens.partsAt(text, i)) continue;
                    int sides =
                        raw.countTokensOrdinary(text.substring(0, i))
                            + raw.countTokensOrdinary(text.substring(i));
                    assertThat(sides).as("%s at %d of <%s>", tokens, i, text).isEqualTo(whole);
                  }
                }));
  }

  @Test
  void long_texts_count_exactly_as_the_tokenizer_counts_them() {
    RAW.forEach(
        (tokens, raw) ->
            Cases.forAll(
                8,
                random -> {
                  String text = Tokens.wellFormed(Cases.text(random, 80_000));
                  assertThat(tokens.count(text)).isEqualTo(raw.countTokensOrdinary(text));
                }));
  }

  @Test
  void a_stretch_without_any_break_is_counted_high_and_never_low() {
    for (String unit : List.of("a", " ", "\n", "!", "\u4f60", "\ud83d\ude00", "\u0301")) {
      String text = "before it " + unit.repeat(40_000) + "\nafter it";
      RAW.forEach(
          (tokens, raw) ->
              assertThat(tokens.count(text))
                  .as("%s of %s", tokens, unit)
                  .isGreaterThanOrEqualTo(raw.countTokensOrdinary(text)));
    }
  }

  @Tag("long")
  @Test
  void four_megabytes_of_anything_are_counted_in_bounded_time() throws InterruptedException {
    for (Tokens tokens : Tokens.values()) {
      for (String unit : List.of("a", " ", "\n", "1", "!\n", "aB3\n", "\u0301", "\ud800")) {
        String text = unit.repeat(4_000_000 / unit.length());
        CpuTime.within(Duration.ofSeconds(60), unit, () -> tokens.count(text));
      }
    }
  }

  @Tag("long")
  @Test
  void the_estimate_is_never_less_than_the_count_of_typical_text() throws Exception {
    try (var files = Files.walk(Path.of("src"))) {
      for (Path file : files.filter(f -> f.toString().matches(".*\\.(java|sql)")).toList()) {
        notLess(Files.readString(file, StandardCharsets.UTF_8));
      }
    }
    notLess(Files.readString(Path.of("pom.xml"), StandardCharsets.UTF_8));
    for (String text : TYPICAL) notLess(text);
  }

  private static void notLess(String text) {
    int exact = Math.max(Tokens.O200K.count(text), Tokens.CL100K.count(text));
    assertThat(Tokens.ESTIMATE.count(text)).as(text).isBetween(exact, 3 * exact + 3);
  }

  private static final List<String> TYPICAL =
      List.of(
          "The parser must never open a file twice; we decided to cache handles per session.",
          "Die Aufgabe wurde \u00fcbernommen, aber die Pr\u00fcfung schlug zweimal fehl.",
          "\u0417\u0430\u0434\u0430\u0447\u0430 \u0432\u044b\u043f\u043e\u043b\u043d\u0435\u043d"
              + "\u0430, \u0442\u0435\u0441\u0442\u044b \u043f\u0440\u043e\u0448\u043b\u0438.",
          "\u4efb\u52a1\u5df2\u7ecf\u5b8c\u6210\uff0c\u6d4b\u8bd5\u901a\u8fc7\u4e86\u3002",
          "{\"goals\":[\"ship 1.0\"],\"next_focus\":\"retry\",\"count\":1234567,\"ok\":true}",
          "commit 36572866af4930fb24e04a5a77458d93b4109b89",
          "$ mvn -B -q -o test -Dtest='FooTest#bar' && echo \"done: $?\"",
          "- [x] src/main/java/App.java (a4f3e1, 245 bytes)\n- [ ] README.md\n",
          "at java.base/java.util.ArrayList.get(ArrayList.java:427) ~[?:?]");
}
