package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for all items and all layouts. */
@Order(1)
class PageLawsTest {
  private static final int CASES = 1_250;
  private static final int LAYOUT_CASES = 500;

  @ParameterizedTest
  @EnumSource(PageName.class)
  void what_was_written_reads_back_and_is_written_again_as_it_is(PageName page) {
    Seeds.forAll(
        CASES,
        random -> {
          Items items = new RandomItems(random).of(page);
          String text = Page.write(page, items, null);
          assertThat(Page.read(page, text).items()).isEqualTo(items);
          assertThat(Page.write(page, items, text)).isEqualTo(text);
          assertThat(text).endsWith("\n");
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = PageName.class,
      names = {"PLAN", "HISTORY", "CONSTRAINTS"})
  void other_items_in_an_old_layout_keep_every_line_that_is_not_theirs(PageName page) {
    Seeds.forAll(
        LAYOUT_CASES,
        random -> {
          RandomItems source = new RandomItems(random);
          RandomLayout person = new RandomLayout(random, page);
          Items before = source.of(page);
          Items after = person.mixed(before, source.of(page));
          String layout = person.visited(Page.write(page, before, null));
          if (random.nextInt(5) == 0) layout = "\uFEFF" + layout.replace("\n", "\r\n");
          assertThat(Page.read(page, layout).items()).as(layout).isEqualTo(before);
          assertThat(Page.write(page, before, layout)).isEqualTo(layout);
          String text = Page.write(page, after, layout);
          assertThat(Page.read(page, text).items()).as("%s\n=>\n%s", layout, text).isEqualTo(after);
          List<String> kept = text.lines().filter(person.inserted()::contains).toList();
          boolean moved = !List.copyOf(before.texts("steps")).equals(after.texts("steps"));
          if (moved) assertThat(kept).as(text).containsAll(person.inserted());
          else assertThat(kept).as(text).isEqualTo(person.inserted());
          assertThat(Page.write(page, after, text)).isEqualTo(text);
          assertThat(text).doesNotContain("## Earlier Text");
          if (layout.startsWith("\uFEFF")) {
            assertThat(text).startsWith("\uFEFF#");
            assertThat(text.replace("\r\n", "")).doesNotContain("\n");
          }
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = PageName.class,
      names = {"VARIABLES", "CONTEXT"})
  void other_values_in_an_old_layout_read_back(PageName page) {
    Seeds.forAll(
        LAYOUT_CASES,
        random -> {
          RandomItems source = new RandomItems(random);
          String layout = Page.write(page, source.of(page), null);
          Items after = source.of(page);
          String text = Page.write(page, after, layout);
          assertThat(Page.read(page, text).items()).isEqualTo(after);
        });
  }
}
