package dev.mainstay.app;

import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes tasks, some of which wait for others, and asks until it knows that each was made. */
final class Lead {
  private static final int DEPENDENCIES_MAX = 2;
  private static final int NEAR = 20;

  private final Rest rest;
  private final Fleet fleet;
  private final Deeds deeds;
  private final Random random;
  private final List<String> ids = new ArrayList<>();

  Lead(Rest rest, Fleet fleet, Deeds deeds, Random random) {
    this.rest = rest;
    this.fleet = fleet;
    this.deeds = deeds;
    this.random = random;
  }

  int asked() {
    return ids.size();
  }

  /** The next task; now and then it asks twice although it was answered. */
  void makeOne() {
    String key = "make-" + ids.size();
    JsonObject body =
        JsonObject.of("title", key, "dependencies", dependencies())
            .with("priority", random.nextInt(3))
            .with("terms", JsonObject.of("max_attempts", 1_000)); // nobody may give up here
    String id = ask(key, body);
    if (random.nextInt(5) == 0) ask(key, body);
    ids.add(id);
  }

  private List<String> dependencies() {
    List<String> chosen = new ArrayList<>();
    int count = ids.isEmpty() ? 0 : random.nextInt(DEPENDENCIES_MAX + 1);
    for (int i = 0; i < count; i++) {
      int back = 1 + random.nextInt(Math.min(NEAR, ids.size()));
      String id = ids.get(ids.size() - back);
      if (!chosen.contains(id)) chosen.add(id);
    }
    return chosen;
  }

  private String ask(String key, JsonObject body) {
    while (true) {
      try {
        Rest.Answer answer = rest.post(fleet.any(random), "/tasks", body, "Idempotency-Key", key);
        if (answer.status() == 201) {
          String id = answer.json().text("id");
          deeds.made(key, id);
          return id;
        }
        if (!answer.isBusy()) throw new IllegalStateException("a task was answered " + answer);
      } catch (IOException died) {
        deeds.cutOff.incrementAndGet();
      }
    }
  }
}
