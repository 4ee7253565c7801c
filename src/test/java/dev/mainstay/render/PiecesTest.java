package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Corpora;
import dev.mainstay.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Texts are parted as the published patterns part them, which are played here as they are. */
class PiecesTest {
  private static final String CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
  private static final String CAPITALS = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
  private static final String SMALL = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
  private static final String BEFORE = "[^\\r\\n\\p{L}\\p{N}]?";
  private static final String BLANKS = "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

  private static final Map<Pieces, Pattern> PATTERNS =
      Map.of(
          Pieces.O200K,
          pattern(
              (BEFORE + CAPITALS + "*" + SMALL + "+" + CONTRACTION)
                  + ("|" + BEFORE + CAPITALS + "+" + SMALL + "*" + CONTRACTION)
                  + "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*"),
          Pieces.CL100K,
          pattern(
              ("'(?i:[sdmt]|ll|ve|re)|" + BEFORE + "\\p{L}+")
                  + "|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"));

  private static Pattern pattern(String text) {
    return Pattern.compile(text + BLANKS, Pattern.UNICODE_CHARACTER_CLASS);
  }

  private static List<String> found(Pieces pieces, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    List<String> found = new ArrayList<>();
    for (int from = 0; from < bytes.length; ) {
      int end = pieces.end(bytes, from);
      found.add(new String(bytes, from, end - from, StandardCharsets.UTF_8));
      from = end;
    }
    return found;
  }

  private static void holds(String text) {
    PATTERNS.forEach(
        (pieces, pattern) -> {
          List<String> expected = new ArrayList<>();
          for (Matcher each = pattern.matcher(text); each.find(); ) expected.add(each.group());
          assertThat(found(pieces, text)).as("%s of <%s>", pieces, text).isEqualTo(expected);
        });
  }

  @Test
  void words_are_parted_by_case_or_not() {
    String text = "HTMLParser isn't I'LL2";
    assertThat(found(Pieces.O200K, text)).containsExactly("HTMLParser", " isn't", " I'LL", "2");
    assertThat(found(Pieces.CL100K, text))
        .containsExactly("HTMLParser", " isn", "'t", " I", "'LL", "2");
    assertThat(found(Pieces.O200K, "camelCase")).containsExactly("camel", "Case");
    assertThat(found(Pieces.CL100K, "camelCase")).containsExactly("camelCase");
  }

  @Test
  void what_may_be_a_capital_and_a_small_letter_ends_a_word_before_capitals() {
    assertThat(found(Pieces.O200K, "\u4f60AB")).containsExactly("\u4f60", "AB");
    assertThat(found(Pieces.O200K, "A\u4f60B\u4f60CD")).containsExactly("A\u4f60B\u4f60", "CD");
    assertThat(found(Pieces.O200K, "\u0301AB")).containsExactly("\u0301", "AB");
    assertThat(found(Pieces.O200K, "\u0301Ab")).containsExactly("\u0301Ab");
  }

  @Test
  void the_last_blank_belongs_to_the_next_word() {
    for (Pieces pieces : Pieces.values()) {
      assertThat(found(pieces, "a   b")).containsExactly("a", "  ", " b");
      assertThat(found(pieces, "a\u3000\u3000b")).containsExactly("a", "\u3000", "\u3000b");
      assertThat(found(pieces, "a \n \n  b")).containsExactly("a", " \n \n", " ", " b");
      assertThat(found(pieces, "a   ")).containsExactly("a", "   ");
    }
  }

  @Test
  void every_character_is_of_the_kind_that_the_patterns_take_it_for() {
    for (int from = 0; from <= Character.MAX_CODE_POINT; from += 256) {
      var text = new StringBuilder();
      for (int c = from; c < from + 256; c++) {
        int type = Character.getType(c);
        boolean within = type == Character.getType(c - 1) && type == Character.getType(c + 1);
        // Of many in a row that are of one category, the first and the last will do.
        if (type == Character.SURROGATE || (within && c > from)) continue;
        // Beside each kind whose neighbour may matter; the break keeps characters apart.
        for (String before : List.of("", "A", "a", "'", " ", "1")) {
          text.append(before).appendCodePoint(c);
        }
        text.append("\n!");
      }
      holds(text.toString());
    }
  }

  @Test
  void every_character_ends_a_contraction_or_not() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      // Only a letter could be another letter but for its case.
      if (c >= 0x80 && !Character.isLetter(c)) continue;
      if (Character.getType(c) == Character.OTHER_LETTER) continue;
      String one = Character.toString(c);
      holds("x'" + one + " x'" + one + "e x'" + one + "l x'r" + one + " x'v" + one + " x'l" + one);
    }
  }

  @Test
  void random_texts_are_parted_as_the_patterns_part_them() {
    Seeds.forAll(3_000, random -> holds(Alphabets.text(random, 40)));
  }

  @Test
  void collected_texts_are_parted_as_the_patterns_part_them() {
    for (String text : Corpora.naughtyStrings()) holds(Tokens.wellFormed(text));
    for (String text : Corpora.commonMark()) holds(text);
    for (Corpora.Case each : Corpora.json()) holds(Tokens.wellFormed(each.input()));
  }
}
