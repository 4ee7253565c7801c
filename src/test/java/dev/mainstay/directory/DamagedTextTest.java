package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts as careless hands leave them. */
class DamagedTextTest {
  private static final int CASES = 1_000;

  @ParameterizedTest
  @EnumSource(PageName.class)
  void what_can_be_read_is_written_back_as_it_is_and_what_cannot_says_where(PageName page) {
    int[] readable = {0};
    Seeds.forAll(
        CASES,
        random -> {
          RandomItems source = new RandomItems(random);
          String text = damaged(random, Page.write(page, source.of(page), null), source);
          Items items = readOrNull(page, text);
          if (items == null) return;
          readable[0]++;
          assertThat(Page.write(page, items, text)).isEqualTo(text);
          // Passages are what headings make of them, so other passages need not fit together.
          if (page == PageName.CONTEXT) return;
          Items other = source.of(page);
          String next = Page.write(page, other, text);
          assertThat(readOrNull(page, next)).as("%s\n=>\n%s", text, next).isEqualTo(other);
        });
    assertThat(readable[0]).isGreaterThan(Long.getLong("seed") == null ? CASES / 20 : -1);
  }

  private static @Nullable Items readOrNull(PageName page, String text) {
    try {
      return Page.read(page, text).items();
    } catch (PageFault fault) {
      int lines = text.split("\r\n|\r|\n", -1).length;
      assertThat(fault.line()).isBetween(1, lines);
      assertThat(fault.column()).isPositive();
      return null;
    }
  }

  private static String damaged(Random random, String text, RandomItems source) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("(?<=\n)")));
    for (int i = random.nextInt(4); i > 0; i--) {
      int at = random.nextInt(lines.size());
      switch (random.nextInt(6)) {
        case 0 -> lines.remove(at);
        case 1 -> lines.add(at, source.text() + "\n");
        case 2 -> lines.add(at, "\n");
        case 3 -> lines.set(at, "   ".substring(random.nextInt(3)) + lines.get(at));
        case 4 -> lines.add(lines.remove(at));
        default -> lines.set(at, lines.get(at).stripTrailing() + source.text() + "\n");
      }
      if (lines.isEmpty()) lines.add("\n");
    }
    String joined = String.join("", lines);
    return random.nextInt(5) == 0 ? joined.substring(0, random.nextInt(joined.length())) : joined;
  }
}
