package dev.mainstay.rest;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.upkeep.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest part of the journal, read once for all who listen: however many there are, one thread
 * asks the store. Whoever is further behind than this reaches back reads the store itself.
 */
final class EventFeed implements AutoCloseable {
  static final int FEED_ENTRIES_MAX = 4_096;
  static final int FEED_BYTES_MAX = 32 * 1024 * 1024;
  static final int ENTRIES_AT_ONCE = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** On PostgreSQL an entry comes into view only when older transactions have ended. */
  private static final Duration LOOK_SOON = Duration.ofMillis(50);

  private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);

  /** Positions of one history in the order of the feed. */
  static final Comparator<Position> ORDER =
      Comparator.comparingLong(Position::xid).thenComparingLong(Position::seq);

  /** An entry as it is sent. */
  record Shown(Position position, String stream, byte[] frame) {}

  private final Journal journal;
  private final Wakeups wakeups;
  private final int entriesMax;
  private final Thread tail;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final TreeMap<Position, Shown> newest = new TreeMap<>(ORDER);
  private Position base;
  private Position end;
  private long bytes;
  private boolean closed;

  EventFeed(Journal journal, Wakeups wakeups) {
    this(journal, wakeups, FEED_ENTRIES_MAX);
  }

  /** Reaches back over so many entries. */
  EventFeed(Journal journal, Wakeups wakeups, int entriesMax) {
    this.journal = journal;
    this.wakeups = wakeups;
    this.entriesMax = entriesMax;
    this.base = journal.end();
    this.end = base;
    this.tail = new Thread(this::follow, "mainstay-feed");
    tail.setDaemon(true);
    tail.start();
  }

  static Shown shown(Placed placed) {
    String text =
        "id: "
            + placed.position()
            + "\nevent: "
            + placed.entry().content().kind()
            + "\ndata: "
            + JsonText.write(EntryJson.write(placed.entry(), placed.position()))
            + "\n\n";
    return new Shown(
        placed.position(), placed.entry().place().stream(), text.getBytes(StandardCharsets.UTF_8));
  }

  private void follow() {
    long soonUntil = System.nanoTime();
    while (!isClosed()) {
      try {
        long seen = wakeups.seen();
        List<Placed> found = journal.after(end, null, ENTRIES_AT_ONCE);
        add(found);
        if (found.size() == ENTRIES_AT_ONCE) continue;
        boolean soon = System.nanoTime() - soonUntil < 0;
        wakeups.await(seen, soon ? LOOK_SOON : PATIENCE);
        if (wakeups.seen() != seen) soonUntil = System.nanoTime() + PATIENCE.toNanos();
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException | Error fault) { // a full heap, too, is not full for ever
        if (!recovered(fault)) return;
      }
    }
  }

  /** A store that cannot be reached comes back; one that was restored has another history. */
  private boolean recovered(Throwable fault) {
    if (isClosed()) return false;
    try {
      if (fault instanceof Refusal refused && refused.code() == Refusal.Code.CONFLICT) restart();
      else LOG.atWarn().setCause(fault).log("the journal cannot be followed; trying again");
      TimeUnit.MILLISECONDS.sleep(PATIENCE.toMillis());
      return true;
    } catch (InterruptedException stopped) {
      return false;
    } catch (RuntimeException | Error again) {
      return true;
    }
  }

  private void restart() {
    Position now = journal.end();
    lock.lock();
    try {
      newest.clear();
      bytes = 0;
      base = now;
      end = now;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void add(List<Placed> found) {
    if (found.isEmpty()) return;
    List<Shown> shown = found.stream().map(EventFeed::shown).toList();
    lock.lock();
    try {
      for (Shown each : shown) {
        if (each.stream().equals(Erasure.STREAM)) forget();
        newest.put(each.position(), each);
        bytes += each.frame().length;
        end = each.position();
      }
      while (newest.size() > entriesMax || bytes > FEED_BYTES_MAX) {
        Shown oldest = newest.pollFirstEntry().getValue();
        bytes -= oldest.frame().length;
        base = oldest.position();
      }
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What was read before something was erased is read again from the store. */
  private void forget() {
    newest.clear();
    bytes = 0;
    base = end;
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** What a reader gets next, and where it stands then. */
  record Part(List<Shown> entries, Position at) {}

  /**
   * What comes after a position, waiting for it if need be; nothing at all when the feed is closed
   * or the store has another history now.
   */
  Optional<Part> after(Position at, String streamOrAll, Duration wait) throws InterruptedException {
    Position reached;
    lock.lock();
    try {
      long left = wait.toNanos();
      while (!closed && ORDER.compare(at, end) >= 0 && left > 0) left = grown.awaitNanos(left);
      if (closed || !at.epoch().equals(base.epoch())) return Optional.empty();
      if (ORDER.compare(at, base) >= 0) return Optional.of(fromMemory(at, streamOrAll));
      reached = base;
    } finally {
      lock.unlock();
    }
    return Optional.of(fromStore(at, streamOrAll, reached));
  }

  private Part fromMemory(Position at, String stream) {
    List<Shown> next = newest.tailMap(at, false).values().stream().limit(ENTRIES_AT_ONCE).toList();
    Position then = next.isEmpty() ? at : next.get(next.size() - 1).position();
    if (stream.isEmpty()) return new Part(next, then);
    return new Part(next.stream().filter(each -> each.stream().equals(stream)).toList(), then);
  }

  /** A part that is not full has everything up to where the memory begins. */
  private Part fromStore(Position at, String stream, Position reached) {
    List<Placed> found = journal.after(at, stream.isEmpty() ? null : stream, ENTRIES_AT_ONCE);
    Position last = found.isEmpty() ? at : found.get(found.size() - 1).position();
    boolean more = found.size() == ENTRIES_AT_ONCE || ORDER.compare(last, reached) > 0;
    return new Part(found.stream().map(EventFeed::shown).toList(), more ? last : reached);
  }

  /** Where a reader begins: after a position of this history, or with what happens from now on. */
  Position begin(String positionOrNow) {
    Position now = journal.end();
    if (positionOrNow.isEmpty()) return now;
    if (positionOrNow.equals("start")) return new Position(now.epoch(), 0, 0);
    Position given = Position.parse(positionOrNow);
    given.expectEpoch(now.epoch());
    return new Position(now.epoch(), given.xid(), given.seq());
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
    tail.interrupt();
    try {
      tail.join(PATIENCE.toMillis());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
