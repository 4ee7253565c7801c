package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import dev.mainstay.Corpora;
import dev.mainstay.CpuTime;
import dev.mainstay.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Our counts are the library's, which is slower and larger, whatever the text. */
class EncodingTest {
  /** An encoding of ours and the library's own. */
  private record Both(
      String name, Encoding ours, com.knuddels.jtokkit.api.Encoding library, int tokens) {
    void agreeOn(String text) {
      assertThat(ours.count(text))
          .as("%s of <%s>", name, text)
          .isEqualTo(library.countTokensOrdinary(text));
    }

    /** Random tokens in a row, which merge otherwise than they were made. */
    String tokens(Random random, int most) {
      var ids = new IntArrayList();
      for (int n = random.nextInt(most); n >= 0; n--) ids.add(random.nextInt(tokens));
      return library.decode(ids);
    }
  }

  private static final List<Both> BOTH =
      List.of(
          both("o200k_base", Pieces.O200K, EncodingType.O200K_BASE, 199_998),
          both("cl100k_base", Pieces.CL100K, EncodingType.CL100K_BASE, 100_256));

  private static Both both(String name, Pieces pieces, EncodingType type, int tokens) {
    return new Both(
        name,
        new Encoding(Vocabulary.of(name), pieces),
        Encodings.newLazyEncodingRegistry().getEncoding(type),
        tokens);
  }

  @Test
  void random_texts_of_many_alphabets() {
    for (Both both : BOTH) {
      Seeds.forAll(3_000, random -> both.agreeOn(Alphabets.text(random, 40)));
    }
  }

  @Test
  void tokens_in_a_random_order() {
    for (Both both : BOTH) Seeds.forAll(2_000, random -> both.agreeOn(both.tokens(random, 30)));
  }

  @Test
  void pieces_of_any_length() {
    for (Both both : BOTH) {
      Seeds.forAll(
          100,
          random -> {
            String letters = both.tokens(random, 600).replaceAll("[^\\p{Ll}\\p{Lo}]", "");
            both.agreeOn(letters);
            both.agreeOn(few(random, letters, 1_500));
          });
    }
  }

  /** Two or three of the characters alone, so that the same ranks meet again and again. */
  private static String few(Random random, String letters, int length) {
    int[] some = ("ab" + letters).codePoints().toArray();
    int from = random.nextInt(some.length);
    int kinds = 1 + random.nextInt(Math.min(3, some.length - from));
    var text = new StringBuilder();
    while (text.length() < length) text.appendCodePoint(some[from + random.nextInt(kinds)]);
    return text.toString();
  }

  @Test
  void pieces_about_as_long_as_those_for_which_there_is_a_queue() {
    Random random = new Random(1);
    for (Both both : BOTH) {
      for (int n = Merges.QUEUED_BYTES_MIN - 2; n <= Merges.QUEUED_BYTES_MIN + 2; n++) {
        for (String letters : List.of("a", "ab", "the", "qwertyuiop")) {
          var text = new StringBuilder();
          while (text.length() < n) text.append(letters.charAt(random.nextInt(letters.length())));
          both.agreeOn(text.toString());
        }
      }
    }
  }

  @Test
  void long_runs_of_one_character() {
    for (Both both : BOTH) {
      for (String unit :
          List.of("a", "A", " ", "\n", "-", "=", "0", "\u4f60", "\u0301", "\u3000")) {
        both.agreeOn(unit.repeat(20_000));
        both.agreeOn("x" + unit.repeat(999) + "y");
      }
    }
  }

  @Test
  void collected_texts_and_our_own() throws IOException {
    for (Both both : BOTH) {
      for (String text : Corpora.naughtyStrings()) both.agreeOn(Tokens.wellFormed(text));
      for (String text : Corpora.commonMark()) both.agreeOn(text);
      for (Corpora.Case each : Corpora.json()) both.agreeOn(Tokens.wellFormed(each.input()));
      both.agreeOn(Files.readString(Path.of("pom.xml")));
      both.agreeOn(Files.readString(Path.of("README.md")));
    }
  }

  @Test
  void many_threads_count_at_once() {
    for (Both both : BOTH) {
      String text = Alphabets.text(new Random(7), 2_000) + "qwertyuiop".repeat(100);
      int expected = both.library().countTokensOrdinary(text);
      List<Integer> counts =
          IntStream.range(0, 64).parallel().map(i -> both.ours().count(text)).boxed().toList();
      assertThat(counts).isEqualTo(Collections.nCopies(64, expected));
    }
  }

  @Test
  void a_piece_of_any_length_takes_little_more_time_than_its_length() throws InterruptedException {
    for (Both both : BOTH) {
      for (String unit : List.of("a", "qwertyuiop", "\u4f60\u597d")) {
        String text = unit.repeat(100_000 / unit.length());
        // With a look at all parts for each merge it would be at it for longer.
        CpuTime.within(Duration.ofSeconds(8), unit, () -> both.ours().count(text));
      }
    }
  }
}
