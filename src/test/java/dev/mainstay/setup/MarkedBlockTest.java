package dev.mainstay.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of ours between two marks, in and out again. */
class MarkedBlockTest {
  private static final List<String> PIECES =
      List.of("\n", "\r\n", "a", "# b", "[t]", "\t", "\n\n", "<!-- mainstay", "é");

  @Test
  void whatever_the_text_the_block_goes_in_once_and_out_without_a_trace() {
    Seeds.forAll(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder(random.nextInt(9) == 0 ? "\ufeff" : "");
          for (int i = random.nextInt(8); i > 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
          }
          for (MarkedBlock block : List.of(MarkedBlock.MARKDOWN, MarkedBlock.TOML)) {
            String with = block.put("f", text.toString(), "one\ntwo");
            assertThat(with).startsWith(text).containsOnlyOnce(block.end());
            assertThat(block.put("f", with, "one\ntwo")).isEqualTo(with);
            String other = block.put("f", with, "three");
            assertThat(other).contains("three").doesNotContain("two");
            assertThat(block.remove("f", other)).isEqualTo(text.toString());
          }
        });
  }

  @Test
  void what_was_written_behind_it_since_keeps_its_own_line() {
    String with = MarkedBlock.TOML.put("f", "a = 1", "b = 2") + "c = 3\n";
    assertThat(MarkedBlock.TOML.remove("f", with)).isEqualTo("a = 1\nc = 3\n");
  }

  @Test
  void half_a_block_is_refused_with_what_to_do() {
    String half = "x\n" + MarkedBlock.TOML.begin() + "\ny\n";
    assertThatThrownBy(() -> MarkedBlock.TOML.remove("config.toml", half))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("config.toml has the mark")
        .hasMessageContaining("take what is left of Mainstay's lines out yourself");
  }
}
