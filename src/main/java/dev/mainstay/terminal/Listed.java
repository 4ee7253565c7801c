package dev.mainstay.terminal;

import org.jspecify.annotations.Nullable;

/**
 * One profile or provider of a list: what it is, or what is wrong with it, and who hides it.
 *
 * @param hiddenBy where the one is that is taken in its place; null if this one is taken
 */
public record Listed<T>(
    Source source, @Nullable T item, @Nullable String fault, @Nullable String hiddenBy) {

  /** Which of the places something comes from; the first of them wins. */
  public enum Origin {
    PROJECT("project"),
    USER("user"),
    BUILT_IN("built-in");

    private final String spelled;

    Origin(String spelled) {
      this.spelled = spelled;
    }

    public String spelled() {
      return spelled;
    }
  }

  /** A name, the place it comes from, and the file, or "built-in". */
  public record Source(String name, Origin origin, String where) {}
}
