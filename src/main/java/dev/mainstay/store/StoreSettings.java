package dev.mainstay.store;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a store is opened with; {@link #DEFAULT} suits everybody but tests. Without a clock the
 * database's own is used, which is the same for all machines that share it.
 */
public record StoreSettings(
    @Nullable Clock clock, Duration keyLife, Duration ownKeyLife, Duration patience) {
  public static final Duration KEY_LIFE = Duration.ofDays(7);

  /** Long enough for any retry of ours; such a key is never seen by anybody else. */
  public static final Duration OWN_KEY_LIFE = Duration.ofMinutes(10);

  /** How long a write waits for its turn or for a lost database before it is refused. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  public static final StoreSettings DEFAULT =
      new StoreSettings(null, KEY_LIFE, OWN_KEY_LIFE, PATIENCE);

  /** The given clock's time, or else the database's, as both databases keep it. */
  Instant now(Supplier<Instant> database) {
    Instant time = clock == null ? database.get() : clock.instant();
    return time.truncatedTo(ChronoUnit.MICROS);
  }

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
