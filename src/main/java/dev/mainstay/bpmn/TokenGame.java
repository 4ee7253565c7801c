package dev.mainstay.bpmn;

import java.time.Instant;

/**
 * What follows when something happens to an execution. The same happening in the same marking at
 * the same moment always gives the same step, and every happening gives one: what cannot go on
 * becomes an incident.
 */
public final class TokenGame {
  private TokenGame() {}

  public static Step play(Definition definition, Marking before, Happening happening, Instant now) {
    throw new UnsupportedOperationException("being written");
  }
}
