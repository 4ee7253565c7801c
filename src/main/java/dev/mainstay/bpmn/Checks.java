package dev.mainstay.bpmn;

import java.util.List;

/** Whether a process can be run, and everything that speaks against it. */
public final class Checks {
  private Checks() {}

  /** All problems, those that keep it from running among them, in the order of the nodes. */
  public static List<Problem> of(Definition definition) {
    throw new UnsupportedOperationException("being written: " + definition);
  }
}
