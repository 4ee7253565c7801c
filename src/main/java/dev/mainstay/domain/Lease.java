package dev.mainstay.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The hold of a worker on a task: since when, when the holder was last heard of, until when it may
 * be silent, and which workers help it. Helpers end with the lease.
 */
public record Lease(
    String holder, Instant since, Instant heartbeat, Instant until, List<String> helpers) {
  public static final int HELPERS_MAX = 16;

  public Lease {
    holder = Text.line("a lease's holder", holder, Actor.NAME_CHARS_MAX);
    helpers = List.copyOf(helpers);
  }

  /** A lease without helpers. */
  public Lease(String holder, Instant since, Instant heartbeat, Instant until) {
    this(holder, since, heartbeat, until, List.of());
  }

  /** Whether an agent's call comes from the holder or one of its helpers. */
  public boolean isOf(Call call) {
    return call.isBy(holder) || helpers.stream().anyMatch(call::isBy);
  }

  Lease with(String helper) {
    List<String> more = new ArrayList<>(helpers);
    more.add(helper);
    return with(more);
  }

  Lease without(String helper) {
    return with(helpers.stream().filter(each -> !each.equals(helper)).toList());
  }

  private Lease with(List<String> others) {
    return new Lease(holder, since, heartbeat, until, others);
  }
}
