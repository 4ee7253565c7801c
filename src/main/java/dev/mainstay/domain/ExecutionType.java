package dev.mainstay.domain;

import java.util.Locale;

/** What kind of work it is; the behaviour of the same name says how the agent then behaves. */
public enum ExecutionType {
  LEGAL,
  CREATIVE,
  RESEARCH,
  DEBUGGING;

  /** The name on the command line: {@code legal}. */
  public String typed() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of its behaviour: {@code legal_tasks}. */
  public String behaviour() {
    return typed() + "_tasks";
  }

  public static ExecutionType parse(String typed) {
    for (ExecutionType type : values()) {
      if (type.typed().equals(typed.strip().toLowerCase(Locale.ROOT))) return type;
    }
    throw Refusal.invalid(
        Phrase.of(
            "\"%s\" is no type of execution; use legal, creative, research or debugging",
            Graphemes.cut(typed, 100)));
  }
}
