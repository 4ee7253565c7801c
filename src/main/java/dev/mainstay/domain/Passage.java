package dev.mainstay.domain;

/**
 * A part of the execution's context notes, byte for byte: the heading as it was written, empty
 * before the first one, and what stands below it.
 */
public record Passage(String heading, String body) {
  public static final int HEADING_CHARS_MAX = 4_096;

  public Passage {
    heading = Text.body("a heading", heading, HEADING_CHARS_MAX);
    body = Text.body("a passage", body, Pages.TEXT_CHARS_MAX);
  }

  /** The heading's words: {@code Key Findings}. */
  public String title() {
    return heading.strip().replaceFirst("^#{1,6}\\s*", "").replaceFirst("\\s+#+$", "").strip();
  }

  JsonObject toJson() {
    return JsonObject.of("heading", heading, "body", body);
  }

  static Passage fromJson(JsonObject json) {
    return new Passage(json.text("heading"), json.text("body"));
  }
}
