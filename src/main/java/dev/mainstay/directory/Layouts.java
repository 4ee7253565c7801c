package dev.mainstay.directory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of a file's text is nobody's value: headings, words and spelling of somebody's own. */
final class Layouts {
  private Layouts() {}

  /**
   * The text with the values that the store has, so that two texts with the same words of their own
   * are the same. Entries of the history and passages of the context are kept elsewhere.
   */
  static String of(PageName page, Items store, @Nullable String text) {
    Items values = store;
    if (page == PageName.HISTORY) {
      values = store.where(key -> !key.startsWith("entry/")).with("entries", 0L);
    } else if (page == PageName.CONTEXT) {
      values = store.where(key -> !key.startsWith("passage")).with("passages", List.of());
    }
    return Page.write(page, values, text);
  }
}
