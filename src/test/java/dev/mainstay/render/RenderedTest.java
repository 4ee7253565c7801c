package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.render.Rendered.LeftOut;
import dev.mainstay.render.Rendered.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class RenderedTest {
  private static final Part WHOLE = new Part("goal", "hello world", 1, 0, 0);
  private static final Part CUT = new Part("log", "hello", 3, 2, 1);
  private static final Part NONE = new Part("notes", "", 0, 4, 0);

  @Test
  void what_is_left_out_is_the_sum_of_the_parts() {
    assertThat(LeftOut.of(List.of(WHOLE, CUT, NONE))).isEqualTo(new LeftOut(6, 2, 1));
    assertThat(LeftOut.of(List.of(WHOLE))).isEqualTo(new LeftOut(0, 0, 0));
  }

  @Test
  void nothing_is_left_out_while_all_is_there_and_whole() {
    assertThat(new LeftOut(0, 0, 0).isNothing()).isTrue();
    assertThat(new LeftOut(1, 1, 0).isNothing()).isFalse();
    assertThat(new LeftOut(0, 0, 1).isNothing()).isFalse();
  }

  @Test
  void the_tokens_of_each_section_stand_in_the_order_of_the_sections() {
    var rendered = new Rendered("", 0, 0, List.of(NONE, WHOLE, CUT), new LeftOut(6, 2, 1));

    assertThat(rendered.tokens(Tokens.O200K).keySet()).containsExactly("notes", "goal", "log");
    assertThat(rendered.tokens(Tokens.O200K).values()).containsExactly(0, 2, 1);
    assertThat(rendered.tokens(Tokens.ESTIMATE).values()).containsExactly(0, 4, 2);
  }
}
