package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;

/** One item of the notebook: what was noted, by whom, through which door, when. */
public record Note(String text, Origin origin) {
  public static final int CHARS_MAX = 256;

  public Note {
    if (text.isBlank() || text.length() > CHARS_MAX) {
      throw new IllegalStateException("a note of " + text.length() + " characters");
    }
  }

  public Actor author() {
    return origin.actor();
  }

  /**
   * The same text said again: it remains with who said it first, unless a person repeats what was
   * only an agent's word. So no agent takes a person's word over by repeating it.
   */
  static Origin author(Origin first, Origin again) {
    return again.actor().isPerson() && !first.actor().isPerson() ? again : first;
  }

  JsonObject toJson() {
    return write(origin).with("text", text);
  }

  static Note fromJson(JsonObject json) {
    return new Note(json.text("text"), read(json));
  }

  static JsonObject write(Origin origin) {
    return JsonObject.of(
        "author",
        origin.actor().toString(),
        "source",
        origin.source(),
        "at",
        Times.write(origin.at()));
  }

  static Origin read(JsonObject json) {
    return new Origin(
        Actor.parse(json.text("author")), json.text("source"), Times.read(json.text("at")));
  }
}
