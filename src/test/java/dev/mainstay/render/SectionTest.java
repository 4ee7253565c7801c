package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.render.Section.Body;
import dev.mainstay.render.Section.Keep;
import dev.mainstay.render.Section.Style;
import dev.mainstay.render.Section.Volatility;
import java.util.List;
import org.junit.jupiter.api.Test;

class SectionTest {
  private static final List<String> ITEMS = List.of("a", "b");

  @Test
  void a_section_is_a_list_that_keeps_its_first_entries() {
    var body = new Body("", Style.BULLETS, Keep.FIRST, ITEMS);
    assertThat(Section.stable("log", 7, ITEMS))
        .isEqualTo(new Section("log", 7, Volatility.STABLE, body));
    assertThat(Section.changing("log", 7, ITEMS))
        .isEqualTo(new Section("log", 7, Volatility.VOLATILE, body));
    assertThat(Section.stable("log", 7, ITEMS).isStable()).isTrue();
    assertThat(Section.changing("log", 7, ITEMS).isStable()).isFalse();
  }

  @Test
  void each_change_of_its_form_leaves_the_rest_as_it_is() {
    var body = new Body("Log", Style.LINES, Keep.LAST, ITEMS);
    var expected = new Section("log", 7, Volatility.VOLATILE, body);
    Section plain = Section.changing("log", 7, ITEMS);

    assertThat(plain.headed("Log").asLines().keepingLast()).isEqualTo(expected);
    assertThat(plain.keepingLast().asLines().headed("Log")).isEqualTo(expected);
    assertThat(plain.asLines().keepingLast().headed("Log")).isEqualTo(expected);
  }

  @Test
  void blank_items_are_no_items() {
    assertThat(Section.stable("log", 1, List.of("", "a", " \n", "b")).items())
        .containsExactly("a", "b");
  }
}
