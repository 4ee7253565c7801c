package dev.mainstay.render;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.OpenTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of a snapshot and what it costs. It ends with its only line break, and begins with two
 * blanks: there the tokenizer parts, so the costs of lines add up.
 */
record SnapshotLine(String text, int tokens, boolean shortened) {
  static final int NAME_TOKENS_MAX = 40;
  static final int TASK_TOKENS_MAX = 64;
  static final int HASH_DIGITS = 6;

  /** More is never looked at: no name of so many characters fits anyway. */
  private static final int WORDS_CHARS_MAX = 512;

  private static final String NAMELESS = "(a name that cannot be shown)";

  /** Words from the disk or a model: neutral, one line, shortened in the middle to fit. */
  record Words(String text, boolean shortened) {
    static Words of(String given, int tokensMax) {
      var most = new Excerpts.Room(WORDS_CHARS_MAX, String::length);
      String near = Excerpts.headAndTail(given, most, missing -> "…");
      // Both, so that a block around the snapshot has nothing left to change or to lengthen.
      String neutral = Delimiters.neutral(Neutral.line(near));
      if (neutral.isBlank()) return new Words(NAMELESS, false);
      var room = new Excerpts.Room(tokensMax, Tokens.O200K::count);
      String cut = Excerpts.headAndTail(neutral, room, missing -> "…");
      boolean shortened = !near.equals(given) || !cut.equals(neutral);
      return new Words(withBlanks(given, cut), shortened);
    }

    /** A name that begins or ends with a blank is quoted, or the blank would be lost. */
    private static String withBlanks(String given, String shown) {
      if (given.equals(given.strip())) return shown;
      String before = given.startsWith(" ") ? " " : "";
      String after = given.endsWith(" ") ? " " : "";
      return '"' + before + shown + after + '"';
    }
  }

  static SnapshotLine file(FileMeta file) {
    String hash = hash(file);
    return of(
        "  • ",
        Words.of(file.path(), NAME_TOKENS_MAX),
        Phrase.of(
            " (%s, %s) - %s\n",
            hash == null ? "unhashed" : hash,
            NotebookText.count(file.size(), "byte", "bytes"),
            file.type().words()));
  }

  /** The beginning of a file's hash as it is shown; null if it has none. */
  static @Nullable String hash(FileMeta file) {
    String hash = file.hash();
    if (hash == null || hash.length() < HASH_DIGITS) return null;
    String shown = hash.substring(0, HASH_DIGITS);
    // The state may have been read from a file that anybody can edit.
    return shown.chars().allMatch(c -> Character.digit(c, 16) >= 0 && c < 128) ? shown : null;
  }

  /** A folder's name ends with a slash; the workspace itself has none. */
  static SnapshotLine folder(String name, int files) {
    Words words = Words.of(name.isEmpty() ? "./" : name, NAME_TOKENS_MAX);
    return of("  • ", words, " - " + NotebookText.count(files, "file", "files") + "\n");
  }

  static SnapshotLine task(int number, OpenTask task) {
    String before = Phrase.of("  %d. [%s] ", number, task.status().typed());
    return of(before, Words.of(task.description(), TASK_TOKENS_MAX), "\n");
  }

  private static SnapshotLine of(String before, Words words, String after) {
    String text = before + words.text() + after;
    return new SnapshotLine(text, Tokens.O200K.count(text), words.shortened());
  }

  static int tokens(List<SnapshotLine> lines) {
    return lines.stream().mapToInt(SnapshotLine::tokens).sum();
  }
}
