package dev.mainstay.mcp;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Long texts as they were when their first page was given, so that the next pages fit. What has a
 * number in the journal need not be kept here; it is made again.
 */
final class Shelf {
  /** Those that were not asked for longest give way. */
  static final int TEXTS_MAX = 64;

  /** Longer texts are not read through a model's window. */
  static final int TEXT_CHARS_MAX = 262_144;

  private static final String REPLY = "reply";
  private static final int MARK_CHARS = 8;

  private final Map<String, String> texts = Visits.<String, String>bounded(TEXTS_MAX);

  /** Keeps a text; the reference to it carries its mark. */
  Reference keep(Reference about, String text) {
    Reference kept = about.at(JournalEntry.sha256(text).substring(0, MARK_CHARS)).onPage(1);
    synchronized (texts) {
      texts.put(kept.toString(), text);
    }
    return kept;
  }

  void clear() {
    synchronized (texts) {
      texts.clear();
    }
  }

  /** A text that was kept, or null. */
  @Nullable String find(Reference wanted) {
    synchronized (texts) {
      return texts.get(wanted.onPage(1).toString());
    }
  }

  /** A reply that does not fit becomes the first page of its text. */
  Reply within(Reply reply, int budget) {
    if (Portion.fits(reply, budget)) return reply;
    var plain = new Reply(reply.content(), null, reply.isError());
    if (Portion.fits(plain, budget)) return plain;
    String text = Portion.words(reply);
    Reference kept = keep(Reference.to(REPLY, null), text);
    return page(kept, text, null, reply.isError());
  }

  /** One page of a text, and how to get the next. */
  static Reply page(Reference wanted, String text, @Nullable String query, boolean isError) {
    List<String> pages = Portion.pages(text, Portion.PAGE_TOKENS_MAX);
    if (wanted.page() > pages.size()) {
      throw Refusal.notFound(
          Phrase.of(
              "the last page of %s is %d; there is no page %d",
              wanted.onPage(1), pages.size(), wanted.page()));
    }
    List<JsonObject> content = new ArrayList<>();
    content.add(Reply.textContent(pages.get(wanted.page() - 1)));
    boolean last = wanted.page() == pages.size();
    String next = last ? null : wanted.onPage(wanted.page() + 1).toString();
    if (next != null) {
      String more = query == null ? "" : Phrase.of(",\"query\":\"%s\"", query);
      content.add(
          Reply.textContent(
              Phrase.of(
                  "[page %d of %d; next: recall {\"ref\":\"%s\"%s}]",
                  wanted.page(), pages.size(), next, more)));
    }
    return new Reply(content, null, isError);
  }
}
