package dev.mainstay.directory;

import dev.mainstay.domain.JournalEntry;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Whether contents are the same. */
final class Hashes {
  private static final int BRIEF_CHARS = 12;

  private Hashes() {}

  /** A name for a content. */
  static String brief(String text) {
    return JournalEntry.sha256(text).substring(0, BRIEF_CHARS);
  }

  static boolean isText(byte @Nullable [] bytes, String text) {
    return Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8));
  }
}
