package dev.mainstay.directory;

import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/** Something to tell about a file, with the line it is about, where one is known. */
public record Finding(String file, @Nullable Integer line, Kind kind, String sentence) {
  /** What it means for whoever edits the files. */
  public enum Kind {
    /** The file cannot be understood; it was left alone, and what was known before holds. */
    FAULT,
    /** Both sides changed it differently; each keeps its own until they agree. */
    CONFLICT,
    /** It was not taken and stays in the file. */
    REFUSED,
    /** It was not taken, and what is true was written there again. */
    RESTORED,
    /** An adaptation rule that cannot be asked. */
    RULE,
    /** A reference that leads nowhere. */
    REFERENCE,
    /** Good to know. */
    NOTE
  }

  /** Whether somebody has to do something about it. */
  public boolean isProblem() {
    return kind != Kind.NOTE && kind != Kind.RESTORED;
  }

  @Override
  public String toString() {
    return file + (line == null ? "" : ":" + line) + ": " + sentence;
  }

  public JsonObject toJson() {
    return JsonObject.of("file", file, "line", line, "kind", kind, "sentence", sentence);
  }
}
