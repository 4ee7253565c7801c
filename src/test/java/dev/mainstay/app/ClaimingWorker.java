package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Takes one task after another from whichever server is there. Sometimes it forgets one, or asks
 * again elsewhere when a server died in the middle of giving, or tells too late.
 */
final class ClaimingWorker {
  private static final long LEASE_SECONDS = 3;
  private static final long WAIT_SECONDS = 2;
  private static final int FATES = 20;
  private static final int HEARTBEATS = 5;

  private final String name;
  private final Rest rest;
  private final Fleet fleet;
  private final Deeds deeds;
  private final Reports reports;
  private final Random random;
  private int claims;

  /** Its name makes its choices; when others run is not in its hands. */
  ClaimingWorker(String name, Rest rest, Fleet fleet, Deeds deeds, Reports reports) {
    this.name = name;
    this.rest = rest;
    this.fleet = fleet;
    this.deeds = deeds;
    this.reports = reports;
    this.random = new Random(name.hashCode());
  }

  /** Works until told that it is over. */
  void workUntil(BooleanSupplier over) {
    JsonObject forgotten = null;
    try {
      while (!over.getAsBoolean()) {
        List<JsonObject> given = claim(over);
        for (JsonObject task : given) {
          deeds.held(task, name);
          int fate = random.nextInt(FATES);
          if (fate == 0 && forgotten == null) forgotten = task;
          else finish(task, fate);
        }
        // By now it may be somebody else's; then nothing may come of it.
        if (forgotten != null && random.nextInt(FATES) == 0) {
          complete(forgotten);
          forgotten = null;
        }
      }
    } catch (RuntimeException fault) {
      deeds.wrong(name + ": " + fault);
    }
  }

  private void finish(JsonObject task, int fate) {
    if (fate < HEARTBEATS) reports.renew(task, Duration.ofSeconds(LEASE_SECONDS), name);
    complete(task);
  }

  private void complete(JsonObject task) {
    if (reports.complete(task, "complete-" + Deeds.name(task), name)) {
      deeds.completed.add(Deeds.name(task));
    } else {
      deeds.refused.incrementAndGet();
    }
  }

  private List<JsonObject> claim(BooleanSupplier over) {
    String key = name + "-" + ++claims;
    JsonObject body = JsonObject.of("lease_seconds", LEASE_SECONDS, "wait_seconds", WAIT_SECONDS);
    while (!over.getAsBoolean()) {
      try {
        Rest.Answer answer =
            rest.post(fleet.any(random), "/tasks/claim", body, "Idempotency-Key", key);
        if (answer.status() == 200) return answer.json().objects("tasks");
        if (!answer.isBusy()) deeds.wrong("a claim was answered " + answer);
      } catch (IOException died) {
        deeds.cutOff.incrementAndGet();
        // What it was given perhaps, and does not know of, must come back by itself.
        if (random.nextBoolean()) return List.of();
      }
    }
    return List.of();
  }
}
