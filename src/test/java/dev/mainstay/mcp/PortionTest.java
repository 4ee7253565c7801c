package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortionTest {
  private static final List<String> PIECES =
      List.of(
          "a line of words\n",
          "word ",
          "\n",
          "0123456789",
          "日本語の文章",
          "👩‍👩‍👧‍👦",
          "é",
          "a".repeat(3_000),
          "\t\t",
          "{\"json\":[1,2,3]}");

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(60); i >= 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  @Test
  void pages_are_the_text_again_and_each_fits() {
    Seeds.forAll(
        200,
        random -> {
          String text = text(random);
          int budget = 20 + random.nextInt(400);
          List<String> pages = Portion.pages(text, budget);
          assertThat(String.join("", pages)).isEqualTo(text);
          assertThat(pages)
              .allSatisfy(page -> assertThat(Portion.tokens(page)).isLessThanOrEqualTo(budget));
        });
  }

  @Test
  void a_text_that_fits_is_one_page_and_nothing_is_one_too() {
    assertThat(Portion.pages("a\nb\n", 100)).containsExactly("a\nb\n");
    assertThat(Portion.pages("", 100)).containsExactly("");
  }

  @Test
  void a_page_ends_with_a_line() {
    List<String> pages = Portion.pages("one line of text\n".repeat(100), 50);
    assertThat(pages).hasSizeGreaterThan(5).allMatch(page -> page.endsWith("\n"));
  }
}
