package dev.mainstay.bpmn;

import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;

/** A step that would go on for ever, or leave more than can be kept: none of it is done. */
final class Overrun extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Tokens and variables as JSON: well below what the journal and a row can hold. */
  static final int MARKING_CHARS_MAX = 700_000;

  static final int MARKING_DEPTH_MAX = 48;

  Overrun(String why) {
    super(why, null, false, false);
  }

  /** The marking, if it can be kept. */
  static Marking checked(Marking marking) {
    JsonObject json = marking.toJson();
    int chars = CompactJson.of(json).length();
    if (chars > MARKING_CHARS_MAX) {
      throw new Overrun(
          Phrase.of(
              "tokens and variables would have %,d characters of at most %,d; keep less in them, and large things in artifacts",
              chars, MARKING_CHARS_MAX));
    }
    if (JsonObject.depth(json) > MARKING_DEPTH_MAX) {
      throw new Overrun(
          Phrase.of("variables would be nested more than %d levels deep", MARKING_DEPTH_MAX));
    }
    return marking;
  }
}
