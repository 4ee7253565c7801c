package dev.mainstay.domain;

import java.math.BigDecimal;

/** What was used up: money, seconds, file operations and web requests. */
public record Spent(BigDecimal cost, BigDecimal time, long fileOperations, long webRequests) {
  public static final long COUNT_MAX = 1_000_000_000_000L;

  public static final Spent NOTHING = new Spent(BigDecimal.ZERO, BigDecimal.ZERO, 0, 0);

  public Spent {
    cost = Amount.of("a cost", cost);
    time = Amount.of("a time", time);
    boolean counts =
        Math.min(fileOperations, webRequests) >= 0
            && Math.max(fileOperations, webRequests) <= COUNT_MAX;
    if (!counts) {
      throw Refusal.invalid(
          Phrase.of("file operations and web requests lie between 0 and %,d", COUNT_MAX));
    }
  }

  public Spent plus(Spent more) {
    return new Spent(
        cost.add(more.cost),
        time.add(more.time),
        fileOperations + more.fileOperations,
        webRequests + more.webRequests);
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
