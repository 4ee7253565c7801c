package dev.mainstay.domain;

import java.util.List;

/**
 * A part of the execution's context notes, byte for byte: the heading as it was written, empty
 * before the first one, and what stands below it.
 */
public record Passage(String heading, String body) {
  public static final int HEADING_CHARS_MAX = 4_096;

  /** The headings of the document's template, with what each is for. */
  public static final List<Passage> INITIAL =
      List.of(
          new Passage("", "\n"),
          new Passage(
              "## Knowledge Accumulation",
              "[Summaries, insights, and key findings gathered during execution]\n\n"),
          new Passage(
              "### Web Content Summaries", "[Summaries of fetched web pages, extracted data]\n\n"),
          new Passage(
              "### Document Analysis Results", "[Key insights from analyzed documents]\n\n"),
          new Passage(
              "### Key Findings", "[Important discoveries that influence subsequent steps]\n\n"),
          new Passage(
              "## Current Understanding",
              "[Agent's evolving understanding of the task and domain]\n\n"),
          new Passage(
              "## Decision Rationale",
              "[Explanations for major decisions made during execution]\n"));

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
