package dev.mainstay.domain;

import java.util.Locale;

/** Whether steps are really done, or only played through. It never changes within an execution. */
public enum ExecutionMode {
  EXECUTION,
  SIMULATION;

  public static ExecutionMode parse(String typed) {
    return switch (typed.strip().toUpperCase(Locale.ROOT)) {
      case "EXECUTION" -> EXECUTION;
      case "SIMULATION" -> SIMULATION;
      default ->
          throw Refusal.invalid(
              Phrase.of(
                  "\"%s\" is no mode; use EXECUTION or SIMULATION", Graphemes.cut(typed, 100)));
    };
  }
}
