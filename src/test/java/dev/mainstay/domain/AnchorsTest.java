package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One look at a text for all anchors finds what a look for each of them finds. */
class AnchorsTest {
  private static final List<SecretRule> RULES =
      Stream.concat(SecretFormats.RULES.stream(), SecretAssignments.RULES.stream()).toList();

  @Test
  void each_anchor_is_found_where_it_stands_first() {
    Anchors anchors = new Anchors(RULES);
    List<String> words = RULES.stream().flatMap(rule -> rule.anchors().stream()).toList();
    Seeds.forAll(
        500,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int n = random.nextInt(12); n > 0; n--) {
            String word = words.get(random.nextInt(words.size()));
            text.append(word, 0, random.nextInt(word.length() + 1));
            if (random.nextInt(4) == 0) text.append((char) random.nextInt(0x300));
          }
          String lower = text.toString();
          int[] firsts = anchors.firsts(lower);
          for (int rank = 0; rank < RULES.size(); rank++) {
            List<Integer> found = new ArrayList<>();
            for (int word : anchors.of(rank)) found.add(firsts[word]);
            assertThat(found)
                .as(lower)
                .isEqualTo(RULES.get(rank).anchors().stream().map(lower::indexOf).toList());
          }
        });
  }

  @Test
  void an_anchor_that_is_the_whole_text_or_ends_it_is_found() {
    Anchors anchors = new Anchors(List.of(SecretRule.of("one", "-", "-", "sk", "sk-ant-")));
    assertThat(anchors.firsts("")).containsExactly(-1, -1, -1);
    assertThat(anchors.firsts("-")).containsExactly(0, -1, -1);
    assertThat(anchors.firsts("sk")).containsExactly(-1, 0, -1);
    assertThat(anchors.firsts("ssk-ant-")).containsExactly(3, 1, 1);
  }
}
