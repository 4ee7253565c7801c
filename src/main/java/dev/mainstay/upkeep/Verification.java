package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.ArchivedStreamTable.Archived;
import dev.mainstay.store.Erasures;
import dev.mainstay.store.ExecutionReplay;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.Replay;
import dev.mainstay.store.Seals;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.store.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks a store against itself: every chain link by link, the seals against the chains, the tables
 * against the replay of the journal, and the file by the database's own means.
 */
public final class Verification {
  /** Where triggers and changed definitions are found; the rows can be whole all the same. */
  static final String SCHEMA = "the schema";

  /** More findings than this are counted but not kept: one fault can cause thousands. */
  public static final int FINDINGS_MAX = 1_000;

  /** Something that is not as it should be: where, and what. */
  public record Finding(String where, String problem) {}

  /** How much was looked at. */
  public record Extent(long entries, long streams, long seals, long erased) {}

  /** What was looked at and what was found; damaged streams are all named, however many. */
  public record Report(Extent extent, List<Finding> findings, long more, Set<String> damaged) {
    public boolean isClean() {
      return findings.isEmpty();
    }

    /** In one sentence: how much was looked at, and whether all is well. */
    public String sentence() {
      String size =
          Phrase.of("%,d entries in %,d streams, %,d seals", entries(), streams(), seals())
              + (erased() == 0
                  ? ""
                  : Phrase.of(", %,d entries with something forgotten", erased()));
      return isClean()
          ? "all is well: " + size + "; the tables equal the replay"
          : "not well: " + size + "; 'mainstay rebuild' makes a sound store beside this one";
    }

    public long entries() {
      return extent.entries();
    }

    public long streams() {
      return extent.streams();
    }

    public long seals() {
      return extent.seals();
    }

    /** Entries whose payload is another one since something was forgotten. */
    public long erased() {
      return extent.erased();
    }
  }

  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, SealedHead> sealed = new HashMap<>();
  private final Set<Long> snapshots = new TreeSet<>();
  private long more;
  private long entries;
  private long streams;
  private long seals;
  private long problems;
  private final Set<String> damaged = new HashSet<>();
  private final Erasures erasures;
  private long erased;
  private String current = "";
  private boolean afterUnreadable;
  private @Nullable JournalEntry previous;
  private @Nullable Replay replay;
  private @Nullable ExecutionReplay execution;

  private record SealedHead(long number, String hash) {}

  private Verification(Erasures erasures) {
    this.erasures = erasures;
  }

  /** Looks at one moment of the store while others go on. */
  public static Report of(Store store) {
    List<String> damaged = store.damagedPages();
    return store.reading(
        tx -> {
          Verification verification = new Verification(Erasures.of(tx));
          for (String problem : damaged) verification.found("the database file", problem);
          return verification.run(tx);
        });
  }

  private Report run(Tx tx) {
    for (String problem : tx.integrityProblems()) found("the database file", problem);
    for (String problem : tx.schemaProblems()) found(SCHEMA, problem);
    tx.journal().eachOf(Seals.STREAM, new Seen(this::readSeal, (stream, number) -> {}));
    tx.archivedStreams().each(this::acceptArchived);
    tx.journal().eachByStream(new Seen(entry -> check(tx, entry), (s, n) -> unreadable(tx, s, n)));
    endOfStream(tx);
    sealed.forEach(
        (stream, head) ->
            found(stream, Phrase.of("entry %d was sealed and is missing", head.number())));
    TableCheck.derived(tx).forEach(this::found);
    var extent = new Extent(entries, streams, seals, erased);
    return new Report(extent, List.copyOf(findings), more, Set.copyOf(damaged));
  }

  /** What to do with entries that can be read and with those that cannot. */
  private record Seen(Consumer<JournalEntry> readable, BiConsumer<String, Long> unreadable)
      implements JournalTable.Reader {
    @Override
    public void entry(JournalEntry entry) {
      readable.accept(entry);
    }

    @Override
    public void unreadable(String stream, long number) {
      unreadable.accept(stream, number);
    }
  }

  private void readSeal(JournalEntry seal) {
    seals++;
    try {
      JsonObject heads = JsonText.object(seal.content().payload()).object("heads");
      for (String stream : heads.asMap().keySet()) {
        List<?> head = heads.list(stream);
        long number = Long.parseLong(String.valueOf(head.get(0)));
        sealed.put(stream, new SealedHead(number, String.valueOf(head.get(1))));
      }
    } catch (RuntimeException unreadable) {
      found(Seals.STREAM, Phrase.of("seal %d cannot be read", seal.place().number()));
    }
  }

  /** What was sealed and then left into an archive is not missing, up to where it was archived. */
  private void acceptArchived(Archived archived) {
    SealedHead head = sealed.get(archived.stream());
    if (head == null || head.number() > archived.number()) return;
    sealed.remove(archived.stream());
    if (head.number() == archived.number() && !head.hash().equals(archived.hash())) {
      found(
          archived.stream(),
          Phrase.of("entry %d is not the one that was sealed", archived.number()));
    }
  }

  private void check(Tx tx, JournalEntry entry) {
    entries++;
    begin(tx, entry.place().stream());
    JournalEntry before = previous;
    previous = entry;
    boolean sound = afterUnreadable || checkLink(before, entry);
    afterUnreadable = false;
    checkSealed(entry);
    replay(tx, entry, sound);
  }

  private void unreadable(Tx tx, String stream, long number) {
    entries++;
    begin(tx, stream);
    found(stream, Phrase.of("entry %d cannot be read", number));
    replay = null;
    execution = null;
    afterUnreadable = true; // what the next one is chained to is not known
  }

  private void begin(Tx tx, String stream) {
    if (stream.equals(current)) return;
    endOfStream(tx);
    current = stream;
    streams++;
    previous = null;
    afterUnreadable = false;
    replay = Replay.isTask(stream) ? Replay.of(stream) : null;
    execution = ExecutionReplay.isExecution(stream) ? ExecutionReplay.of(stream) : null;
    snapshots.addAll(tx.snapshots().numbers(stream));
  }

  private boolean checkLink(@Nullable JournalEntry before, JournalEntry entry) {
    var place = entry.place();
    long expected = before == null ? 1 : before.place().number() + 1;
    String link = before == null ? JournalEntry.BEGINNING : before.seal().hash();
    long count = problems;
    if (place.number() != expected) {
      found(
          place.stream(),
          Phrase.of("entry %d follows where entry %d should be", place.number(), expected));
    } else if (!entry.seal().previousHash().equals(link)) {
      found(
          place.stream(),
          Phrase.of("entry %d is not chained to the one before it", place.number()));
    }
    var right =
        JournalEntry.hash(
            place,
            entry.origin(),
            entry.content().kind(),
            entry.seal().payloadHash(),
            entry.seal().previousHash());
    if (!right.equals(entry.seal().hash())) {
      found(
          place.stream(), Phrase.of("entry %d was changed: its hash does not fit", place.number()));
    }
    String left = erasures.of(place);
    if (left != null) erased++;
    if (!Chain.payloadFits(entry, left)) {
      found(
          place.stream(),
          Phrase.of("entry %d was changed: its payload does not fit its hash", place.number()));
    }
    return problems == count;
  }

  private void checkSealed(JournalEntry entry) {
    String stream = entry.place().stream();
    SealedHead head = sealed.get(stream);
    if (head == null || head.number() != entry.place().number()) return;
    sealed.remove(stream);
    if (!head.hash().equals(entry.seal().hash())) {
      found(stream, Phrase.of("entry %d is not the one that was sealed", head.number()));
    }
  }

  private void replay(Tx tx, JournalEntry entry, boolean sound) {
    if (!sound) {
      replay = null; // what comes of a damaged entry says nothing about the tables
      execution = null;
    }
    Replay current = replay;
    ExecutionReplay moved = execution;
    try {
      if (moved != null) moved.apply(entry);
      if (current == null) return;
      current.apply(entry);
      long number = entry.place().number();
      if (snapshots.remove(number)) {
        DossierCheck.snapshot(tx, current, number).ifPresent(this::found);
      }
    } catch (RuntimeException impossible) {
      replay = null;
      execution = null;
      found(
          entry.place().stream(),
          Phrase.of(
              "entry %d cannot be replayed: %s",
              entry.place().number(), Unreadable.why(impossible)));
    }
  }

  private void endOfStream(Tx tx) {
    Replay whole = replay;
    if (whole != null) {
      TableCheck.journaled(tx, whole).forEach(this::found);
      DossierCheck.journaled(tx, whole).forEach(this::found);
      for (long number : snapshots) {
        found("snapshots." + whole.id(), Phrase.of("there is no entry %d", number));
      }
    }
    ExecutionReplay moved = execution;
    if (moved != null) TableCheck.journaled(tx, moved).forEach(this::found);
    snapshots.clear();
    replay = null;
    execution = null;
  }

  private void found(String stream, String problem) {
    damaged.add(stream);
    found(new Finding(stream, problem));
  }

  private void found(Finding finding) {
    problems++;
    if (findings.size() < FINDINGS_MAX) findings.add(finding);
    else more++;
  }
}
