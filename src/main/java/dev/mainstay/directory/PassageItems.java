package dev.mainstay.directory;

import dev.mainstay.domain.Passage;
import java.util.ArrayList;
import java.util.List;

/** The passages of context.md. */
final class PassageItems {
  private PassageItems() {}

  /** The context notes, passage by passage. */
  static List<Passage> list(Items items) {
    List<Passage> passages = new ArrayList<>();
    for (String passage : items.texts("passages")) {
      String body = items.text("passage/" + passage);
      String heading = Items.unpart(passage.substring(0, passage.lastIndexOf('#')));
      passages.add(new Passage(heading, body == null ? "" : body));
    }
    return passages;
  }
}
