package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that must be true when a task is done. With a check, a command line, it is met by fresh
 * evidence of that command alone and by nobody's word; without one, by the word of somebody.
 */
public record Criterion(String text, @Nullable String check, @Nullable Met met) {
  public static final int CHECK_CHARS_MAX = 1_024;
  public static final int NOTE_CHARS_MAX = 256;

  /** Whose word it is that the criterion is met, since when, and what they said about it. */
  public record Met(Actor by, Instant at, @Nullable String note) {
    public Met {
      note = Criterion.note(note);
    }
  }

  public Criterion {
    text = Text.line("a criterion", text, TaskState.CRITERION_CHARS_MAX);
    check = check(check);
    if (check != null && met != null) {
      throw new IllegalStateException("a criterion with a check was met by word: " + text);
    }
  }

  public static Criterion of(String text) {
    return new Criterion(text, null, null);
  }

  static @Nullable String check(@Nullable String command) {
    return command == null ? null : Text.line("a check", command, CHECK_CHARS_MAX);
  }

  static @Nullable String note(@Nullable String text) {
    return text == null ? null : Text.line("a criterion's note", text, NOTE_CHARS_MAX);
  }

  /** Whether there is more to say about it than its text. */
  public boolean hasState() {
    return check != null || met != null;
  }

  /** Met by word or not; whoever said so before is forgotten here and stays in the journal. */
  Criterion with(@Nullable Met newMet) {
    return new Criterion(text, check, newMet);
  }

  public JsonObject toJson() {
    JsonObject json = JsonObject.of("text", text, "check", check);
    if (met == null) return json;
    return json.with("met_by", met.by().toString())
        .with("met_at", Times.write(met.at()))
        .with("note", met.note());
  }

  /** A plain text is a criterion about which nothing more is known, as older journals have it. */
  static Criterion read(@Nullable Object item) {
    if (!(item instanceof JsonObject json)) return of(String.valueOf(item));
    String by = json.textOrNull("met_by");
    Met met =
        by == null
            ? null
            : new Met(Actor.parse(by), Times.read(json.text("met_at")), json.textOrNull("note"));
    return new Criterion(json.text("text"), json.textOrNull("check"), met);
  }
}
