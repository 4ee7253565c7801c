package dev.mainstay.mcp;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code recall} is given: {@code kind:about@moment#page}, such as {@code state:T-001@42#2}.
 * All but the kind may be left out. The moment is the number of a journal entry, or the mark of a
 * text that has no number; with it all pages are of one and the same text.
 */
record Reference(String kind, @Nullable String about, @Nullable String moment, int page) {
  static final int CHARS_MAX = 300;
  static final int PAGE_MAX = 100_000;

  private static final Pattern SHAPE =
      Pattern.compile("([a-z]+)(?::(.+?))?(?:@([0-9a-f]{1,18}))?(?:#(\\d{1,6}))?");

  Reference {
    if (page < 1 || page > PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("pages are counted from 1, and there is no page %d", page));
    }
  }

  static Reference to(String kind, @Nullable String about) {
    return new Reference(kind, about, null, 1);
  }

  static Reference parse(String text) {
    Matcher shape = SHAPE.matcher(text.strip());
    if (!shape.matches()) {
      throw Refusal.invalid(
          Phrase.of(
              "\"%s\" is no reference; they look like state:T-001@42#2, and recall without one lists them",
              text.length() <= 60 ? text : text.substring(0, 60) + "..."));
    }
    String page = shape.group(4);
    return new Reference(
        shape.group(1), shape.group(2), shape.group(3), page == null ? 1 : Integer.parseInt(page));
  }

  Reference at(String newMoment) {
    return new Reference(kind, about, newMoment, page);
  }

  Reference onPage(int newPage) {
    return new Reference(kind, about, moment, newPage);
  }

  /** As it is typed; the first page is not named. */
  @Override
  public String toString() {
    return kind
        + (about == null ? "" : ":" + about)
        + (moment == null ? "" : "@" + moment)
        + (page == 1 ? "" : "#" + page);
  }
}
