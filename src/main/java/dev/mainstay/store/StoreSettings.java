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
    @Nullable Clock clock, Duration keyLife, Duration patience, boolean isTrusted) {
  public static final Duration KEY_LIFE = Duration.ofDays(7);

  /** How long a write waits for its turn or for a lost database before it is refused. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  public static final StoreSettings DEFAULT = new StoreSettings(null, KEY_LIFE, PATIENCE, true);

  /** The given clock's time, or else the database's, as both databases keep it. */
  Instant now(Supplier<Instant> database) {
    Instant time = clock == null ? database.get() : clock.instant();
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  public StoreSettings withClock(Clock other) {
    return new StoreSettings(other, keyLife, patience, isTrusted);
  }

  public StoreSettings withKeyLife(Duration life) {
    return new StoreSettings(clock, life, patience, isTrusted);
  }

  public StoreSettings withPatience(Duration other) {
    return new StoreSettings(clock, keyLife, other, isTrusted);
  }

  /** Whether tokens and binding orders in the store count, or are data that came from elsewhere. */
  public StoreSettings trusted(boolean other) {
    return new StoreSettings(clock, keyLife, patience, other);
  }
}
