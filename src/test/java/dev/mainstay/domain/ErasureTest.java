package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ErasureTest {
  private static final String LEAKED = "postgresql://app" + ":pw1" + "@db";
  private static final Erasure ERASURE = Erasure.of(LEAKED, List.of(), "b1b0");

  @Test
  void a_text_that_was_never_cut_may_end_as_the_secret_begins() {
    for (String text :
        List.of("Migrate the store to postgres", "postgresql:", "to postgresql://")) {
      assertThat(ERASURE.in(text)).isEqualTo(text);
      assertThat(ERASURE.inJson(JsonObject.of(text, text))).isEqualTo(JsonObject.of(text, text));
    }
  }

  @Test
  void what_a_cut_left_of_the_secret_goes_at_whatever_length_it_was_cut() {
    for (int limit : Erasure.CUT_AT) {
      String before = "x".repeat(limit - 12);
      assertThat(ERASURE.in(Graphemes.cut(before + LEAKED, limit)))
          .isEqualTo(before + "forgotten-b1b0");
      assertThat(ERASURE.whole().isIn(Graphemes.cut(before + LEAKED, limit))).isFalse();
    }
    assertThat(ERASURE.in("see postgresql://app...")).isEqualTo("see forgotten-b1b0...");
    assertThat(ERASURE.in("see postgresql://app…")).isEqualTo("see forgotten-b1b0…");
  }

  @Test
  void a_cut_before_a_visible_character_or_a_blank_is_a_cut_as_well() {
    String family = "\uD83D\uDC69\u200D\uD83D\uDC69\u200D\uD83D\uDC67";
    String leaked = "the seven " + family + " dwarfs";
    Erasure erasure = Erasure.of(leaked, List.of(), "b1b0");
    for (int kept = 12; kept < leaked.length(); kept++) {
      String before = "x".repeat(Note.CHARS_MAX - kept);
      String left = Graphemes.cut(before + leaked, Note.CHARS_MAX);
      boolean enough = left.stripTrailing().length() - before.length() >= 10;
      if (!enough) continue;
      assertThat(erasure.in(left)).isEqualTo(before + erasure.mark());
      assertThat(erasure.in(left.stripTrailing())).isEqualTo(before + erasure.mark());
    }
  }

  @Test
  void every_length_at_which_a_text_is_cut_is_known() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> sources.put(file.toString(), read(file)));
    }
    Set<Integer> lengths = new TreeSet<>();
    Pattern cut =
        Pattern.compile("Graphemes\\s*\\.cut\\([^;]*?,\\s*((?:[A-Z]\\w*\\.)*[A-Z0-9_]+)\\)");
    sources.forEach(
        (name, source) -> {
          Matcher cuts = cut.matcher(source);
          while (cuts.find()) lengths.add(value(cuts.group(1), name, sources));
        });
    lengths.remove(10); // of errors the history shows no more, inside of a line
    assertThat(lengths).hasSizeGreaterThan(10);
    assertThat(Erasure.CUT_AT).containsAll(lengths);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** A number, or what a constant of this class or another one stands for. */
  private static int value(String said, String file, Map<String, String> sources) {
    String term = said.replace("_", "");
    if (term.matches("[0-9]+")) return Integer.parseInt(term);
    String[] names = said.split("\\.");
    String type = names.length > 1 ? names[names.length - 2] : file.replaceAll(".*/|\\.java", "");
    Pattern constant =
        Pattern.compile(
            "(?s)(class|record|interface) "
                + type
                + "\\b.*?int "
                + names[names.length - 1]
                + " =\\s*([^;]+);");
    Matcher found =
        sources.values().stream()
            .filter(source -> source.contains("int " + names[names.length - 1] + " ="))
            .map(constant::matcher)
            .filter(Matcher::find)
            .findFirst()
            .orElseThrow(() -> new AssertionError("nobody knows " + said + " of " + file));
    int sum = 0;
    String[] terms = found.group(2).split(" - ");
    for (int i = 0; i < terms.length; i++) {
      sum += (i == 0 ? 1 : -1) * value(terms[i].strip(), type, sources);
    }
    return sum;
  }
}
