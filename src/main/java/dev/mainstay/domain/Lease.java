package dev.mainstay.domain;

import java.time.Instant;

/**
 * Who holds a task, since when, when the holder was last heard of, and until when it may be silent.
 */
public record Lease(String holder, Instant since, Instant heartbeat, Instant until) {
  public Lease {
    holder = Text.line("a lease's holder", holder, Actor.NAME_CHARS_MAX);
  }
}
