package dev.mainstay.store;

import java.time.Clock;
import java.time.Duration;

/** What a store is opened with; {@link #DEFAULT} suits everybody but tests. */
public record StoreSettings(Clock clock, Duration keyLife, Duration ownKeyLife, Duration patience) {
  public static final Duration KEY_LIFE = Duration.ofDays(7);

  /** Long enough for any retry of ours; such a key is never seen by anybody else. */
  public static final Duration OWN_KEY_LIFE = Duration.ofMinutes(10);

  /** How long a write waits for its turn or for a lost database before it is refused. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  public static final StoreSettings DEFAULT =
      new StoreSettings(Clock.systemUTC(), KEY_LIFE, OWN_KEY_LIFE, PATIENCE);

  public StoreSettings withClock(Clock other) {
    return new StoreSettings(other, keyLife, ownKeyLife, patience);
  }

  public StoreSettings withKeyLife(Duration life) {
    return new StoreSettings(clock, life, ownKeyLife, patience);
  }

  public StoreSettings withPatience(Duration other) {
    return new StoreSettings(clock, keyLife, ownKeyLife, other);
  }
}
