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
public record StoreSettings(@Nullable Clock clock, Duration keyLife, Duration patience) {
  public static final Duration KEY_LIFE = Duration.ofDays(7);

  /** How long a write waits for its turn or for a lost database before it is refused. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  public static final StoreSettings DEFAULT = new StoreSettings(null, KEY_LIFE, PATIENCE);

  /** The given clock's time, or else the database's, as both databases keep it. */
  Instant now(Supplier<Instant> database) {
    Instant time = clock == null ? database.get() : clock.instant();
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  public StoreSettings withClock(Clock other) {
    return new StoreSettings(other, keyLife, patience);
  }

  public StoreSettings withKeyLife(Duration life) {
    return new StoreSettings(clock, life, patience);
  }

  public StoreSettings withPatience(Duration other) {
    return new StoreSettings(clock, keyLife, other);
  }
}
