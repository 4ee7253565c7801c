package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;

/** Told to whichever server is there, again at another when one died in the middle of it. */
final class RestReports implements Reports {
  private static final int LEASE_LOST = 409;

  private final Rest rest;
  private final Fleet fleet;
  private final Deeds deeds;
  private final Random random;

  RestReports(Rest rest, Fleet fleet, Deeds deeds, Random random) {
    this.rest = rest;
    this.fleet = fleet;
    this.deeds = deeds;
    this.random = random;
  }

  @Override
  public boolean renew(JsonObject task, Duration lease, String worker) {
    JsonObject body = JsonObject.of("lease_seconds", lease.toSeconds());
    return put(task, worker, "heartbeat", body);
  }

  @Override
  public boolean complete(JsonObject task, String key, String worker) {
    JsonObject body = JsonObject.of("result", JsonObject.of("by", worker));
    return put(task, worker, "complete", body, "Idempotency-Key", key);
  }

  private boolean put(
      JsonObject task, String worker, String how, JsonObject body, String... headers) {
    String assignment = "/assignments/" + assignment(task, worker) + "/" + how;
    String[] all = new String[headers.length + 2];
    System.arraycopy(headers, 0, all, 2, headers.length);
    all[0] = "Mainstay-Fence";
    all[1] = Long.toString(task.number("fence"));
    Rest.Answer answer = ask("PUT", assignment, JsonText.write(body), all);
    if (answer.status() == 200) return true;
    if (answer.status() == LEASE_LOST) return false;
    throw new IllegalStateException(how + " was answered " + answer);
  }

  /** One terminal has one assignment of a task, however often it was given it. */
  private long assignment(JsonObject task, String worker) {
    return ask("GET", "/tasks/" + task.text("id") + "/assignments", "")
        .json()
        .objects("items")
        .stream()
        .filter(each -> each.text("terminal_id").equals(worker))
        .findFirst()
        .orElseThrow()
        .number("id");
  }

  private Rest.Answer ask(String verb, String path, String body, String... headers) {
    while (true) {
      try {
        Rest.Answer answer = rest.send(fleet.any(random), verb, path, body, headers);
        if (!answer.isBusy()) return answer;
      } catch (IOException died) {
        deeds.cutOff.incrementAndGet();
      }
    }
  }
}
