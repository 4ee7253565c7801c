package dev.mainstay.state;

import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Redactor;
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

  static NotebookDelta delta(NotebookDelta delta) {
    Map<Section, List<String>> redacted = new EnumMap<>(Section.class);
    delta.texts().forEach((section, items) -> redacted.put(section, texts(items)));
    return new NotebookDelta(redacted);
  }
}
