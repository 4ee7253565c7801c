package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Replay;
import dev.mainstay.store.Seals;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks a store against itself: every chain link by link, the seals against the chains, the tables
 * against the replay of the journal, and the file by the database's own means.
 */
public final class Verification {
  /** More findings than this are counted but not kept: one fault can cause thousands. */
  public static final int FINDINGS_MAX = 1_000;

  /** Something that is not as it should be: where, and what. */
  public record Finding(String where, String problem) {}

  /** What was looked at and what was found. */
  public record Report(long entries, long streams, long seals, List<Finding> findings, long more) {
    public boolean isClean() {
      return findings.isEmpty();
    }
  }

  private final List<Finding> findings = new ArrayList<>();
  private final Map<String, SealedHead> sealed = new HashMap<>();
  private final Set<Long> snapshots = new TreeSet<>();
  private long more;
  private long entries;
  private long streams;
  private long seals;
  private @Nullable JournalEntry previous;
  private @Nullable Replay replay;

  private record SealedHead(long number, String hash) {}

  private Verification() {}

  /** Looks at one moment of the store while others go on. */
  public static Report of(Store store) {
    return store.reading(tx -> new Verification().run(tx));
  }

  private Report run(Tx tx) {
    for (String problem : tx.integrityProblems()) found("the database file", problem);
    for (JournalEntry seal : tx.journal().stream(Seals.STREAM)) readSeal(seal);
    tx.journal().eachByStream(entry -> check(tx, entry));
    endOfStream(tx);
    sealed.forEach(
        (stream, head) ->
            found(stream, "entry %d was sealed and is missing".formatted(head.number())));
    TableCheck.derived(tx).forEach(this::found);
    return new Report(entries, streams, seals, List.copyOf(findings), more);
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
      found(Seals.STREAM, "seal %d cannot be read".formatted(seal.place().number()));
    }
  }

  private void check(Tx tx, JournalEntry entry) {
    entries++;
    String stream = entry.place().stream();
    JournalEntry before = previous;
    if (before == null || !before.place().stream().equals(stream)) {
      endOfStream(tx);
      streams++;
      before = null;
      replay = Replay.isTask(stream) ? Replay.of(stream) : null;
      snapshots.addAll(tx.snapshots().numbers(stream));
    }
    previous = entry;
    boolean sound = checkLink(before, entry);
    checkSealed(entry);
    replay(tx, entry, sound);
  }

  private boolean checkLink(@Nullable JournalEntry before, JournalEntry entry) {
    var place = entry.place();
    long expected = before == null ? 1 : before.place().number() + 1;
    String link = before == null ? JournalEntry.BEGINNING : before.seal().hash();
    int count = findings.size();
    if (place.number() != expected) {
      found(
          place.stream(),
          "entry %d follows where entry %d should be".formatted(place.number(), expected));
    } else if (!entry.seal().previousHash().equals(link)) {
      found(
          place.stream(), "entry %d is not chained to the one before it".formatted(place.number()));
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
          place.stream(), "entry %d was changed: its hash does not fit".formatted(place.number()));
    }
    if (!JournalEntry.sha256(entry.content().payload()).equals(entry.seal().payloadHash())) {
      found(
          place.stream(),
          "entry %d was changed: its payload does not fit its hash".formatted(place.number()));
    }
    return findings.size() == count;
  }

  private void checkSealed(JournalEntry entry) {
    String stream = entry.place().stream();
    SealedHead head = sealed.get(stream);
    if (head == null || head.number() != entry.place().number()) return;
    sealed.remove(stream);
    if (!head.hash().equals(entry.seal().hash())) {
      found(stream, "entry %d is not the one that was sealed".formatted(head.number()));
    }
  }

  private void replay(Tx tx, JournalEntry entry, boolean sound) {
    Replay current = replay;
    if (current == null) return;
    if (!sound) {
      replay = null; // what comes of a damaged entry says nothing about the tables
      return;
    }
    try {
      current.apply(entry);
      long number = entry.place().number();
      if (snapshots.remove(number)) {
        DossierCheck.snapshot(tx, current, number).ifPresent(this::found);
      }
    } catch (RuntimeException impossible) {
      replay = null;
      found(
          entry.place().stream(),
          "entry %d cannot be replayed: %s"
              .formatted(entry.place().number(), impossible.getMessage()));
    }
  }

  private void endOfStream(Tx tx) {
    Replay whole = replay;
    if (whole != null) {
      TableCheck.journaled(tx, whole).forEach(this::found);
      DossierCheck.journaled(tx, whole).forEach(this::found);
      for (long number : snapshots) {
        found("snapshots." + whole.id(), "there is no entry %d".formatted(number));
      }
    }
    snapshots.clear();
    replay = null;
  }

  private void found(String where, String problem) {
    found(new Finding(where, problem));
  }

  private void found(Finding finding) {
    if (findings.size() < FINDINGS_MAX) findings.add(finding);
    else more++;
  }
}
