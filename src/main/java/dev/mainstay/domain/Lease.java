package dev.mainstay.domain;

import java.time.Instant;

/** Who holds a task and until when, if nobody renews it. */
public record Lease(String holder, Instant until) {
  public Lease {
    holder = Text.line("a lease's holder", holder, Actor.NAME_CHARS_MAX);
  }
}
