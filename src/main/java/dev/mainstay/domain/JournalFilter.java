package dev.mainstay.domain;

import org.jspecify.annotations.Nullable;

/**
 * Which entries of the journal to show; null means any. A name also stands for what is below it:
 * the kind {@code task} for {@code task.created}, the stream {@code terminal} for all terminals,
 * the actor {@code agent} for every agent.
 */
public record JournalFilter(
    @Nullable String stream, @Nullable String kind, @Nullable String actor) {
  public static final JournalFilter ALL = new JournalFilter(null, null, null);

  /** Whether only the stream is named, and whole, so that an index finds its entries. */
  public boolean isOneStream() {
    return stream != null && stream.contains("/") && kind == null && actor == null;
  }

  /** The stream that is named whole, if one is. */
  public @Nullable String wholeStream() {
    return stream != null && stream.contains("/") ? stream : null;
  }

  public boolean lets(JournalEntry entry) {
    Actor by = entry.origin().actor();
    return fits(stream, "/", entry.place().stream())
        && fits(kind, ".", entry.content().kind())
        && (fits(actor, ":", by.toString()) || by.name().equals(actor));
  }

  private static boolean fits(@Nullable String wanted, String between, String name) {
    return wanted == null || name.equals(wanted) || name.startsWith(wanted + between);
  }
}
