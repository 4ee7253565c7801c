package dev.mainstay.state;

import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Plan.Wish;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.domain.TaskUpdate.Change;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What comes in from outside, without the secrets in it. */
final class Redacted {
  private Redacted() {}

  static String text(String text) {
    return Redactor.DEFAULT.redact(text);
  }

  static List<String> texts(List<String> texts) {
    return texts.stream().map(Redacted::text).toList();
  }

  static TaskUpdate update(TaskUpdate update) {
    List<Wish> wishes = update.plan();
    if (wishes != null) {
      wishes = wishes.stream().map(w -> new Wish(text(w.label()), w.status())).toList();
    }
    Change work = update.work();
    String progress = work.progress();
    String scratchpad = work.scratchpad();
    List<String> blockedOn = work.blockedOn();
    return new TaskUpdate(
        wishes,
        update.currentStep(),
        new Change(
            progress == null ? null : text(progress),
            scratchpad == null ? null : text(scratchpad),
            blockedOn == null ? null : texts(blockedOn),
            work.preservedRefs())); // hashes and call ids, which look like secrets and are none
  }

  static NotebookDelta delta(NotebookDelta delta) {
    Map<Section, List<String>> redacted = new EnumMap<>(Section.class);
    delta.texts().forEach((section, items) -> redacted.put(section, texts(items)));
    return new NotebookDelta(redacted);
  }
}
