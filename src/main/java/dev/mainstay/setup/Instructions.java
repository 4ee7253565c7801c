package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import dev.mainstay.setup.Agent.Scope;

/** What agents are told in words: a block in AGENTS.md, and a way to it for those that need one. */
final class Instructions {
  static final String SHARED = "AGENTS.md";
  private static final MarkedBlock BLOCK = MarkedBlock.MARKDOWN;

  private Instructions() {}

  static String block() {
    return Texts.read("agents.md");
  }

  /** The block in the file that the project's agents share. */
  static void put(Draft draft) {
    putInto(draft, SHARED, block());
  }

  static void remove(Draft draft) {
    removeFrom(draft, SHARED);
  }

  /**
   * A project's file of an agent that does not read AGENTS.md gets a line that takes it in; a
   * person's own file gets the block itself.
   */
  static void put(Draft draft, Scope scope, String file, String importLine) {
    if (scope == Scope.USER) {
      putInto(draft, file, block());
      return;
    }
    String place = place(draft, file);
    boolean takesIn =
        !place.isEmpty()
            && draft.text(place).stream()
                .map(text -> BLOCK.remove(file, text))
                .flatMap(String::lines)
                .anyMatch(line -> line.contains("@AGENTS.md") || line.contains("@./AGENTS.md"));
    if (!takesIn && !place.equals(place(draft, SHARED))) {
      putInto(draft, file, importLine);
    }
  }

  static void removeFrom(Draft draft, String file) {
    String place = place(draft, file);
    if (!place.isEmpty()) draft.removeBlock(place, BLOCK);
  }

  private static void putInto(Draft draft, String file, String lines) {
    String place = place(draft, file);
    if (place.isEmpty()) {
      draft.remark(
          Phrase.of(
              "%s is a link that leads out of this folder and was left as it is; put the words about Mainstay there yourself",
              file));
    } else {
      draft.putBlock(place, BLOCK, lines);
    }
  }

  /** Projects often link one of these files to the other; then it is one file. */
  private static String place(Draft draft, String file) {
    return draft.link(file).orElse(file);
  }
}
