package dev.mainstay.domain;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A sentence with its values filled in, the same on every machine: what agents read and the journal
 * keeps must not turn its digits when somebody's locale does.
 */
public final class Phrase {
  private Phrase() {}

  public static String of(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
