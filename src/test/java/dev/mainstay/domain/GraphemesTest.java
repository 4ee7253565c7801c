package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GraphemesTest {
  private static final String FLAG = "\uD83C\uDDE8\uD83C\uDDED";
  private static final String FAMILY = "\uD83D\uDC68\u200D\uD83D\uDC69\u200D\uD83D\uDC67";
  private static final String THUMB = "\uD83D\uDC4D\uD83C\uDFFD";
  private static final String E_ACUTE = "e\u0301";

  @Test
  void a_text_that_fits_stays_as_it_is() {
    assertThat(Graphemes.cut("abc", 3)).isEqualTo("abc");
    assertThat(Graphemes.cut("abcd", 3)).isEqualTo("abc");
    assertThat(Graphemes.cut("", 0)).isEmpty();
  }

  @Test
  void a_visible_character_is_kept_whole_or_not_at_all() {
    for (String visible :
        List.of(FLAG, FAMILY, THUMB, E_ACUTE, "\uD83D\uDE00", "\u1112\u1161\u11AB")) {
      String text = "ab" + visible + visible;
      int whole = 2 + visible.length();
      assertThat(Graphemes.cut(text, whole)).isEqualTo("ab" + visible);
      assertThat(Graphemes.cut(text, whole - 1)).as("cut inside %s", visible).isEqualTo("ab");
      assertThat(Graphemes.cut(text, whole + 1)).isEqualTo("ab" + visible);
    }
  }

  @Test
  void one_character_longer_than_the_limit_is_cut_between_code_points() {
    assertThat(Graphemes.cut("e" + "\u0301".repeat(400), 256)).hasSize(256);
    assertThat(Graphemes.cut(FAMILY, 4)).isEqualTo("\uD83D\uDC68\u200D");
    assertThat(Graphemes.cut("\uD83D\uDE00", 1)).isEmpty();
  }

  @Test
  void a_cut_is_a_beginning_of_whole_characters_and_the_longest_one() {
    Seeds.forAll(
        300,
        random -> {
          String text = NotebookSamples.anyText(random) + NotebookSamples.anyText(random);
          int most = random.nextInt(300) + 30;
          String cut = Graphemes.cut(text, most);
          assertThat(text).startsWith(cut);
          assertThat(cut.length()).isLessThanOrEqualTo(most);
          List<String> clusters = new ArrayList<>();
          Pattern.compile("\\X").matcher(text).results().forEach(hit -> clusters.add(hit.group()));
          StringBuilder longest = new StringBuilder();
          for (String cluster : clusters) {
            if (longest.length() + cluster.length() > most) break;
            longest.append(cluster);
          }
          assertThat(cut).isEqualTo(longest.toString());
        });
  }
}
