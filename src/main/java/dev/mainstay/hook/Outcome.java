package dev.mainstay.hook;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be said after an event, before it is put into a host's words: something the model is
 * shown, or why a tool must not run, or why the agent should not stop yet.
 */
record Outcome(Kind kind, String text) {
  static final Outcome NOTHING = new Outcome(Kind.NOTHING, "");

  enum Kind {
    NOTHING,
    CONTEXT,
    DENIAL,
    GO_ON
  }

  static Outcome context(String text) {
    return text.isBlank() ? NOTHING : new Outcome(Kind.CONTEXT, text);
  }

  /** Several things to be shown, each a paragraph of its own. */
  static Outcome context(List<String> texts) {
    List<String> said = new ArrayList<>(texts);
    said.removeIf(String::isBlank);
    return context(String.join("\n\n", said));
  }

  static Outcome denial(String reason) {
    return new Outcome(Kind.DENIAL, reason);
  }

  static Outcome goOn(String reason) {
    return new Outcome(Kind.GO_ON, reason);
  }
}
