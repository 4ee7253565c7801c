package dev.mainstay.upkeep;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.ArchivedStreamTable.Archived;
import dev.mainstay.store.ClosedStream;
import dev.mainstay.store.ClosedStream.Kind;
import dev.mainstay.store.Durable;
import dev.mainstay.store.Hold;
import dev.mainstay.store.Once;
import dev.mainstay.store.OwnFolder;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.upkeep.Archive.Header;
import dev.mainstay.upkeep.Archive.Kept;
import dev.mainstay.upkeep.RetentionPlan.Limits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets what is over and old leave the store into an archive file. What is still referred to stays,
 * and nothing is deleted that was not read back from the file whole and unchanged since.
 */
public final class Retention {
  public static final Duration AGE = Duration.ofDays(30);
  public static final Duration AGE_MIN = Duration.ofSeconds(1);

  /** More ids than this are counted and not named. */
  public static final int SHOWN_MAX = 100;

  /** What is old and stays, and why. */
  public record Stays(String id, String why) {}

  /** What a run would do or did: up to when, what leaves, what stays, and whether there is more. */
  public record Report(
      Instant until, Leaving leaving, long staying, List<Stays> stays, boolean more) {}

  /**
   * What became of it: the file, if one was needed, and how many streams left. Those that changed
   * meanwhile are in the file and here.
   */
  public record Result(Report report, @Nullable Archive archive, long left, List<String> changed) {}

  /** The moments between which a run can be cut off. */
  enum Step {
    WRITTEN,
    PUBLISHED,
    VERIFIED,
    REMOVING,
    REMOVED
  }

  private record Found(
      Report report, List<List<ClosedStream>> groups, Position sealed, Instant until) {}

  /** Of a scheduled turn: what is still there then waits for the next. */
  private static final int FILES_A_TURN_MAX = 100;

  private static final Duration AFTER_FAULT = Duration.ofHours(1);

  private final Store store;
  private final Limits limits;
  private final Consumer<Step> steps;

  public Retention(Store store) {
    this(store, Limits.DEFAULT, step -> {});
  }

  Retention(Store store, Limits limits, Consumer<Step> steps) {
    this.store = store;
    this.limits = limits;
    this.steps = steps;
  }

  /** Tells what would leave and what would stay; changes nothing. */
  public Report plan(Duration age) {
    checkAge(age);
    return store.reading(
        tx -> {
          Instant until = tx.now().minus(age);
          return report(until, RetentionPlan.of(tx, until, tx.retention().settled(), limits));
        });
  }

  /** Lets it leave into this file, which must not exist; without anything to leave none is made. */
  public Result apply(Duration age, Path file) {
    checkAge(age);
    refuseExisting(file);
    store.seal(); // what was never sealed does not leave
    Path unfinished = file.toAbsolutePath().resolveSibling(unfinished(file));
    try {
      Found found = store.reading(tx -> write(tx, age, unfinished));
      if (found.groups().isEmpty()) return new Result(found.report(), null, 0, List.of());
      steps.accept(Step.WRITTEN);
      Durable.publishNew(unfinished, file);
      steps.accept(Step.PUBLISHED);
      Archive archive = readBack(file);
      steps.accept(Step.VERIFIED);
      return removed(archive, found);
    } catch (FileAlreadyExistsException taken) {
      throw exists(file);
    } catch (IOException fault) {
      throw unwritable(file, fault);
    } catch (UncheckedIOException fault) {
      throw unwritable(file, fault);
    } finally {
      discard(unfinished);
    }
  }

  /** The same into the next free file of a folder, which is made if need be. */
  public Result applyIn(Duration age, Path folder) {
    try {
      makeFolder(folder);
    } catch (IOException fault) {
      throw unwritable(folder, fault);
    }
    return apply(age, free(folder, store.reading(Tx::now)));
  }

  /**
   * The same until nothing is left to leave, but only when nobody did so for a while, whichever
   * server it was: the turn is taken in the store. How many streams each file took; nothing when it
   * was not this one's turn. After a fault the next turn comes sooner.
   */
  public Map<Path, Long> scheduled(Duration age, Duration every, Path folder) {
    checkAge(age);
    boolean turn =
        store.inTransaction(Once.unkeyed(), tx -> tx.retention().takeTurn(tx.now().minus(every)));
    Map<Path, Long> taken = new LinkedHashMap<>();
    if (!turn) return taken;
    try {
      while (taken.size() < FILES_A_TURN_MAX) {
        Result next = applyIn(age, folder);
        if (next.archive() == null || next.left() == 0) break;
        taken.put(next.archive().file(), next.left());
      }
      return taken;
    } catch (RuntimeException fault) {
      comeSooner(every, fault);
      throw fault;
    }
  }

  private void comeSooner(Duration every, RuntimeException fault) {
    Duration later = every.compareTo(AFTER_FAULT) < 0 ? every : AFTER_FAULT;
    try {
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.retention().passTurn(tx.now().minus(every).plus(later));
            return later;
          });
    } catch (RuntimeException second) {
      fault.addSuppressed(second);
    }
  }

  private static void checkAge(Duration age) {
    if (age.compareTo(AGE_MIN) < 0) {
      throw Refusal.invalid("an age is at least a second, such as 30d; give a longer one");
    }
  }

  private static Archive readBack(Path file) {
    try {
      return ArchiveFile.read(file, ArchiveFile.Reader.NOBODY);
    } catch (Refusal unsound) {
      throw Refusal.unavailable(
          Phrase.of(
              "what was written is not what can be read (%s); nothing was deleted: check the disk",
              unsound.getMessage()),
          unsound);
    }
  }

  /** One moment of the store; when the database is lost on the way, it is begun anew. */
  private Found write(Tx tx, Duration age, Path unfinished) {
    Instant until = tx.now().minus(age);
    Position sealed = tx.retention().sealed();
    RetentionPlan plan = RetentionPlan.of(tx, until, sealed, limits);
    Report report = report(until, plan);
    var found = new Found(report, plan.groups(), sealed, until);
    if (plan.groups().isEmpty()) return found;
    var header =
        new Header(tx.meta().epoch(), tx.now(), plan.leaving().size(), report.leaving().entries());
    try {
      Files.deleteIfExists(unfinished);
      try (ArchiveWriter writer = new ArchiveWriter(tx, unfinished, header)) {
        for (var group : plan.groups()) for (var closed : group) writer.stream(closed);
        writer.finish();
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    return found;
  }

  private static Report report(Instant until, RetentionPlan plan) {
    var leaving = plan.leaving();
    var counts =
        new Leaving.Counts(
            ids(leaving.keySet(), Kind.TASK).size(),
            ids(leaving.keySet(), Kind.EXECUTION).size(),
            ids(leaving.keySet(), Kind.TERMINAL).size());
    var size =
        new Leaving(
            counts,
            leaving.values().stream().mapToLong(chain -> chain.head().number()).sum(),
            leaving.values().stream().mapToLong(Chain::bytes).sum(),
            leaving.keySet().stream().limit(SHOWN_MAX).map(ClosedStream::toString).toList());
    var stays =
        plan.staying().entrySet().stream()
            .limit(SHOWN_MAX)
            .map(each -> new Stays(each.getKey().toString(), each.getValue()))
            .toList();
    return new Report(until, size, plan.staying().size(), stays, plan.hasMore());
  }

  /** A group after the other; what is deleted is what the file was found to have. */
  private Result removed(Archive archive, Found found) {
    Map<String, Kept> kept = new HashMap<>();
    for (Kept each : archive.streams()) kept.put(each.stream(), each);
    Set<ClosedStream> changed = new LinkedHashSet<>();
    long left = 0;
    for (List<ClosedStream> group : found.groups()) {
      Set<ClosedStream> gone =
          store.inTransaction(
              Once.unkeyed(), tx -> new Removal(tx, archive.name(), kept, found).of(group));
      steps.accept(Step.REMOVED);
      left += gone.size();
      for (ClosedStream each : group) if (!gone.contains(each)) changed.add(each);
    }
    var names = changed.stream().limit(SHOWN_MAX).map(ClosedStream::toString).toList();
    return new Result(found.report(), archive, left, names);
  }

  /** Looks at a group again under its locks and takes away what is as it was archived. */
  private final class Removal {
    private final Tx tx;
    private final String archive;
    private final Map<String, Kept> kept;
    private final Found found;

    Removal(Tx tx, String archive, Map<String, Kept> kept, Found found) {
      this.tx = tx;
      this.archive = archive;
      this.kept = kept;
      this.found = found;
    }

    Set<ClosedStream> of(List<ClosedStream> group) {
      Set<ClosedStream> gone = new LinkedHashSet<>();
      for (ClosedStream each : group) if (isGone(each)) gone.add(each);
      var tasks = ids(group, Kind.TASK);
      tx.retention().lockContents(tasks);
      Set<ClosedStream> going = new LinkedHashSet<>();
      for (Kind kind : Kind.values()) going.addAll(unneeded(kind, ids(group, kind)));
      going.removeIf(each -> !isUnchanged(each));
      var references = tx.retention().references(found.until(), tasks);
      boolean again = true;
      while (again) {
        again = false;
        for (var each : references) {
          if (!going.contains(new ClosedStream(Kind.TASK, each.from()))) {
            again |= going.remove(new ClosedStream(Kind.TASK, each.to()));
          }
        }
      }
      for (ClosedStream each : going) {
        Kept known = known(each);
        var record = new Archived(each.stream(), known.number(), known.hash(), archive, tx.now());
        tx.retention().remove(each, record);
      }
      steps.accept(Step.REMOVING);
      gone.addAll(going);
      return gone;
    }

    /** An earlier turn of this transaction was kept although its answer was lost. */
    private boolean isGone(ClosedStream closed) {
      return tx.archivedStreams()
          .find(closed.stream())
          .filter(done -> done.archive().equals(archive))
          .isPresent();
    }

    private Set<ClosedStream> unneeded(Kind kind, List<String> ids) {
      Set<String> old = tx.retention().lock(kind, ids, found.until());
      for (Hold hold : Hold.values()) {
        if (hold.kind() != kind || old.isEmpty()) continue;
        old.removeAll(tx.retention().held(hold, found.until(), found.sealed(), old));
      }
      Set<ClosedStream> free = new LinkedHashSet<>();
      for (String id : ids) if (old.contains(id)) free.add(new ClosedStream(kind, id));
      return free;
    }

    private boolean isUnchanged(ClosedStream closed) {
      Kept known = kept.get(closed.stream());
      if (known == null) return false;
      var head = tx.journal().head(closed.stream());
      if (head.number() != known.number() || !head.hash().equals(known.hash())) return false;
      MessageDigest hash = ArchiveRow.digest();
      tx.retention().eachRow(closed, (table, values) -> new ArchiveRow(table, values).addTo(hash));
      return ArchiveRow.hex(hash).equals(known.rowsHash());
    }

    private Kept known(ClosedStream closed) {
      Kept known = kept.get(closed.stream());
      if (known == null) throw new IllegalStateException(closed + " is not in the archive");
      return known;
    }
  }

  private static List<String> ids(Collection<ClosedStream> group, Kind kind) {
    return group.stream().filter(each -> each.kind() == kind).map(ClosedStream::id).toList();
  }

  private static void makeFolder(Path folder) throws IOException {
    if (!Files.isDirectory(folder))
      OwnFolder.make(folder); // archives hold recorded text: for their owner only
  }

  private static Path free(Path folder, Instant now) {
    LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
    for (int n = 1; ; n++) {
      Path file = folder.resolve(day + "-" + n + ".jsonl.gz");
      if (!Files.exists(file)) return file;
    }
  }

  private static String unfinished(Path file) {
    return "." + file.getFileName() + "." + UUID.randomUUID().toString().substring(0, 8) + ".part";
  }

  private static void refuseExisting(Path file) {
    if (Files.exists(file)) throw exists(file);
  }

  private static Refusal exists(Path file) {
    return Refusal.conflict("the file " + file + " exists already; name one that does not");
  }

  private static Refusal unwritable(Path file, Exception fault) {
    return Refusal.unavailable(
        Phrase.of(
            "the file %s cannot be written (%s) and nothing was deleted; choose a folder with room that you may write to",
            file, fault.getMessage()),
        fault);
  }

  private static void discard(Path unfinished) {
    try {
      Files.deleteIfExists(unfinished);
    } catch (IOException left) {
      return; // a leftover with .part in its name harms nobody
    }
  }
}
