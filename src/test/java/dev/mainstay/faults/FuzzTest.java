package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mainstay.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fixed seeds, and whatever {@code faults/fuzz} found before, for everything that reads bytes. */
class FuzzTest {
  private static final int CASES = Integer.getInteger("cases", 60);
  private static final int CASES_ON_STORE = Integer.getInteger("cases", 8);

  /** Far more than all inputs may take: one that hangs is ended. */
  private static final Duration HANGS_AFTER = Duration.ofMinutes(5);

  private static final Path FOUND = Path.of("faults", "found");

  @ParameterizedTest
  @EnumSource
  void any_bytes_are_read_or_refused_with_a_sentence(Fuzzed target) {
    boolean onStore = target == Fuzzed.HOOK || target == Fuzzed.MCP;
    assertTimeoutPreemptively(
        HANGS_AFTER,
        () ->
            Seeds.forAll(
                onStore ? CASES_ON_STORE : CASES,
                random -> target.take(Mutation.of(target.samples(), random))));
  }

  @ParameterizedTest
  @EnumSource
  void the_samples_themselves_are_read(Fuzzed target) {
    for (String sample : target.samples()) target.take(sample);
  }

  @Test
  void what_was_found_before_is_not_found_again() throws IOException {
    try (Stream<Path> files = Files.walk(FOUND)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertThat(all).isNotEmpty();
      for (Path file : all) {
        String target = String.valueOf(file.getParent().getFileName());
        byte[] bytes = Files.readAllBytes(file);
        assertTimeoutPreemptively(HANGS_AFTER, () -> Fuzzed.valueOf(target).take(bytes));
      }
    }
  }

  /** Something that breaks at a rare byte is found by the same seeds. */
  @Test
  void a_reader_that_breaks_is_found_out() {
    assertThatThrownBy(
            () ->
                Seeds.forAll(
                    CASES,
                    random -> {
                      byte[] bytes = Mutation.of(Fuzzed.JSON.samples(), random);
                      String text = new String(bytes, StandardCharsets.UTF_8);
                      if (text.contains("[[")) throw new IllegalStateException("broken");
                    }))
        .hasMessageContaining("broken");
  }

  /** Bytes that are like a sample, and not quite. */
  private static final class Mutation {
    private static final List<String> SPICE =
        List.of(
            "[[",
            "{",
            "}",
            "\"",
            "\\",
            "\\u0000",
            "\0",
            "\ud83d",
            "\r\n",
            "---",
            "```",
            "<!--",
            "]]>",
            "&x;",
            "${",
            "{{",
            "}}",
            "../",
            "\u001b[",
            "\u202e",
            "9".repeat(400),
            "1e999",
            "-0",
            "(".repeat(200),
            "[".repeat(300),
            "null",
            "\ufeff",
            "é",
            "🙂",
            "#",
            "|",
            "* ");

    static byte[] of(List<String> samples, Random random) {
      StringBuilder text = new StringBuilder(samples.get(random.nextInt(samples.size())));
      int changes = 1 + random.nextInt(8);
      for (int i = 0; i < changes; i++) change(text, random, samples);
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      return bytes;
    }

    private static void change(StringBuilder text, Random random, List<String> samples) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(12));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, SPICE.get(random.nextInt(SPICE.size())));
        case 2 -> text.insert(at, text.substring(at, end).repeat(1 + random.nextInt(20)));
        case 3 -> text.insert(at, samples.get(random.nextInt(samples.size())));
        default -> text.replace(at, end, SPICE.get(random.nextInt(SPICE.size())));
      }
    }
  }
}
