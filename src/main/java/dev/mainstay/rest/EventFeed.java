package dev.mainstay.rest;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.KeptEntries;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.ReadEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.upkeep.Journal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
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

  /** Readers that slept through more than so many begin again. */
  private static final int TURNS_MAX = 100;

  private static final int LOST_SHOWN = 20;

  /** The event that tells a reader that entries it was sent are gone. */
  static final String WENT_BACK = "journal.went_back";

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
  private final Deque<Turn> turns = new ArrayDeque<>();
  private Position base;
  private Position end;
  private long turn;
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
        if (isAfterFailover(found)) {
          lookBack();
          continue;
        }
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

  /** A store that cannot be reached comes back; in one that was restored much may be gone. */
  private boolean recovered(Throwable fault) {
    if (isClosed()) return false;
    try {
      if (fault instanceof Refusal refused && refused.code() == Refusal.Code.CONFLICT) lookBack();
      else LOG.atWarn().setCause(fault).log("the journal cannot be followed; trying again");
      TimeUnit.MILLISECONDS.sleep(PATIENCE.toMillis());
      return true;
    } catch (InterruptedException stopped) {
      return false;
    } catch (RuntimeException | Error again) {
      return true;
    }
  }

  /** A standby was promoted; it may have what was read last and still lack what came before. */
  private boolean isAfterFailover(List<Placed> found) {
    return !found.isEmpty() && end.isOfOtherTimeline(found.get(0).position().timeline());
  }

  /** A moment at which entries that readers may have been sent were gone. */
  private record Turn(@Nullable Position common, int lost) {}

  /** Looks for everything in memory, and goes on after what is still there. */
  private void lookBack() {
    List<ReadEntry> read = new ArrayList<>();
    read.add(new ReadEntry(base, ""));
    lock.lock();
    try {
      newest.values().forEach(each -> read.add(new ReadEntry(each.position(), each.stream())));
    } finally {
      lock.unlock();
    }
    KeptEntries kept = journal.kept(read);
    List<String> acknowledged = journal.lostWrites();
    Position common = kept.common();
    if (!acknowledged.isEmpty()) {
      LOG.atError()
          .addKeyValue("lost", acknowledged.size())
          .addKeyValue("first", String.join(", ", acknowledged.subList(0, shown(acknowledged))))
          .log("writes that this server acknowledged are lost with a primary that failed");
    }
    if (kept.lost() == 0 && common != null) {
      LOG.info("the database failed over; all that was read is still there");
    } else {
      LOG.atWarn()
          .addKeyValue("gone", kept.lost())
          .addKeyValue("after", String.valueOf(common))
          .log("the journal went back, as after a failover or a restore; readers are told");
    }
    goOn(kept, common == null ? journal.end() : common);
  }

  private static int shown(List<String> lost) {
    return Math.min(LOST_SHOWN, lost.size());
  }

  private void goOn(KeptEntries kept, Position from) {
    lock.lock();
    try {
      if (kept.common() == null) {
        newest.clear();
        bytes = 0;
        base = from;
      } else {
        var gone = newest.tailMap(from, false);
        for (Shown each : gone.values()) bytes -= each.frame().length;
        gone.clear();
        if (newest.isEmpty()) base = from;
      }
      end = from;
      if (kept.lost() > 0 || kept.common() == null) {
        turn++;
        turns.addLast(new Turn(kept.common(), kept.lost()));
        if (turns.size() > TURNS_MAX) turns.removeFirst();
      }
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

  /** Where a reader stands, and how often entries were gone before it came there. */
  record Place(Position at, long turn) {}

  /**
   * What a reader gets next, and where it stands then.
   *
   * @param notice says that entries it was sent are gone, and after which it is sent all again
   * @param over nothing can be sent after the notice: the reader begins again by itself
   */
  record Part(List<Shown> entries, Place place, byte @Nullable [] notice, boolean over) {
    Part(List<Shown> entries, Place place) {
      this(entries, place, null, false);
    }

    Position at() {
      return place.at();
    }
  }

  /** What comes after a place, waiting for it if need be; nothing at all when it is closed. */
  Optional<Part> after(Place place, String streamOrAll, Duration wait) throws InterruptedException {
    Position at = place.at();
    Position reached;
    lock.lock();
    try {
      long left = wait.toNanos();
      while (!closed && place.turn() == turn && ORDER.compare(at, end) >= 0 && left > 0)
        left = grown.awaitNanos(left);
      if (closed) return Optional.empty();
      if (place.turn() != turn) return Optional.of(turned(place));
      if (ORDER.compare(at, base) >= 0) return Optional.of(fromMemory(place, streamOrAll));
      reached = base;
    } finally {
      lock.unlock();
    }
    return Optional.of(fromStore(place, streamOrAll, reached));
  }

  /** One who stands before everything that is gone was sent nothing of it. */
  private Part turned(Place place) {
    Position common = place.at();
    int lost = 0;
    long missed = turn - place.turn();
    boolean known = missed <= turns.size();
    for (Turn each :
        List.copyOf(turns).subList(Math.max(0, turns.size() - (int) missed), turns.size())) {
      lost += each.lost();
      if (each.common() == null) known = false;
      else if (ORDER.compare(each.common(), common) < 0) common = each.common();
    }
    Place next = new Place(common, turn);
    if (known && common.equals(place.at())) return new Part(List.of(), next);
    return new Part(List.of(), next, notice(known ? common : null, lost), !known);
  }

  private static byte[] notice(@Nullable Position common, int lost) {
    String advice =
        common == null
            ? "read the journal from its beginning"
            : "what came after the position in after is not valid; what the journal has instead follows";
    JsonObject data =
        JsonObject.of("kind", WENT_BACK, "lost", lost)
            .with("after", common == null ? null : common.toString())
            .with(
                "detail",
                "the store's history went back, as after a failover or a restore; " + advice);
    String id = common == null ? "" : "id: " + common + "\n";
    String frame = id + "event: " + WENT_BACK + "\ndata: " + JsonText.write(data) + "\n\n";
    return frame.getBytes(StandardCharsets.UTF_8);
  }

  private Part fromMemory(Place place, String stream) {
    List<Shown> next =
        newest.tailMap(place.at(), false).values().stream().limit(ENTRIES_AT_ONCE).toList();
    Position then = next.isEmpty() ? place.at() : next.get(next.size() - 1).position();
    Place after = new Place(then, place.turn());
    if (stream.isEmpty()) return new Part(next, after);
    return new Part(next.stream().filter(each -> each.stream().equals(stream)).toList(), after);
  }

  /** A part that is not full has everything up to where the memory begins. */
  private Part fromStore(Place place, String stream, Position reached) {
    Position at = place.at();
    List<Placed> found = journal.after(at, stream.isEmpty() ? null : stream, ENTRIES_AT_ONCE);
    Position last = found.isEmpty() ? at : found.get(found.size() - 1).position();
    boolean more = found.size() == ENTRIES_AT_ONCE || ORDER.compare(last, reached) > 0;
    Place then = new Place(more ? last : reached, place.turn());
    return new Part(found.stream().map(EventFeed::shown).toList(), then);
  }

  /** Where a reader begins: after a position of this history, or with what happens from now on. */
  Place begin(String positionOrNow) {
    long before = turn();
    return new Place(beginAt(positionOrNow), before);
  }

  private Position beginAt(String positionOrNow) {
    if (positionOrNow.isEmpty()) return journal.end();
    if (positionOrNow.equals("start")) return journal.resume(Position.BEGINNING);
    return journal.resume(Position.parse(positionOrNow));
  }

  private long turn() {
    lock.lock();
    try {
      return turn;
    } finally {
      lock.unlock();
    }
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
