package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;

/** What a run writes about itself. The scratchpad is its own and ends with its context. */
public record Work(
    String progress, String scratchpad, List<String> blockedOn, List<String> preservedRefs) {
  public static final int PROGRESS_CHARS_MAX = 1_024;
  public static final int SCRATCHPAD_CHARS_MAX = 8_192;
  public static final int BLOCKERS_MAX = 20;
  public static final int BLOCKER_CHARS_MAX = 512;
  public static final int REFS_MAX = 200;
  public static final int REF_CHARS_MAX = 256;

  public static final Work NONE = new Work("", "", List.of(), List.of());

  public Work {
    progress = Text.body("the progress note", progress, PROGRESS_CHARS_MAX).strip();
    scratchpad = Text.body("the scratchpad", scratchpad, SCRATCHPAD_CHARS_MAX);
    blockedOn = texts("a reason to wait", blockedOn, BLOCKERS_MAX, BLOCKER_CHARS_MAX);
    preservedRefs = texts("a preserved reference", preservedRefs, REFS_MAX, REF_CHARS_MAX);
  }

  private static List<String> texts(String what, List<String> texts, int itemsMax, int charsMax) {
    List<String> kept = new ArrayList<>();
    for (String text : texts) {
      String words = Text.body(what, text, charsMax).strip();
      if (!words.isEmpty() && !kept.contains(words)) kept.add(words);
      // Checked within the loop: a list of a million must not first be compared with itself.
      if (kept.size() > itemsMax) {
        throw Refusal.tooLarge(
            Phrase.of("%s may be given at most %d times; give fewer", what, itemsMax));
      }
    }
    return List.copyOf(kept);
  }

  Work changed(TaskUpdate.Change change) {
    return new Work(
        change.progress() == null ? progress : change.progress(),
        change.scratchpad() == null ? scratchpad : change.scratchpad(),
        change.blockedOn() == null ? blockedOn : change.blockedOn(),
        change.preservedRefs() == null ? preservedRefs : change.preservedRefs());
  }

  Work withoutScratchpad() {
    return new Work(progress, "", blockedOn, preservedRefs);
  }

  /** For another goal: what was reached and what it waited for is of no use; references are. */
  Work forAnotherGoal() {
    return new Work("", "", List.of(), preservedRefs);
  }
}
