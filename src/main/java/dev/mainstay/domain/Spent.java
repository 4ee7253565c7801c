package dev.mainstay.domain;

import java.math.BigDecimal;

/** What was used up: money, seconds, file operations and web requests. */
public record Spent(BigDecimal cost, BigDecimal time, long fileOperations, long webRequests) {
  public static final Spent NOTHING = new Spent(BigDecimal.ZERO, BigDecimal.ZERO, 0, 0);

  public Spent {
    cost = Amount.of("a cost", cost);
    time = Amount.of("a time", time);
    if (fileOperations < 0 || webRequests < 0) {
      throw Refusal.invalid("file operations and web requests cannot be negative");
    }
  }

  public Spent plus(Spent more) {
    return new Spent(
        cost.add(more.cost),
        time.add(more.time),
        Math.addExact(fileOperations, more.fileOperations),
        Math.addExact(webRequests, more.webRequests));
  }

  public boolean isNothing() {
    return equals(NOTHING);
  }

  public JsonObject toJson() {
    return JsonObject.of("cost", cost.toPlainString(), "time", time.toPlainString())
        .with("file_operations", fileOperations)
        .with("web_requests", webRequests);
  }

  static Spent fromJson(JsonObject json) {
    return new Spent(
        new BigDecimal(json.text("cost")),
        new BigDecimal(json.text("time")),
        json.number("file_operations"),
        json.number("web_requests"));
  }
}
