package dev.mainstay.access;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What agents asked for that is a person's alone, and were refused: noted in the journal in a
 * stream of its own, so that a person sees it. The same again within a minute is noted once, and of
 * each caller no more than some in an hour, so that nobody fills the journal by asking, or hides
 * behind another who does. Those that are not noted are counted, and the next entry tells how many.
 */
public final class RefusedAttempts {
  public static final String STREAM = "access/refused";
  public static final String KIND = "agent.refused";

  /** After so many in an hour one entry says that there were more. */
  static final int ATTEMPTS_OF_A_CALLER_MAX = 30;

  /**
   * Agents may name themselves, so of each door only so many have an hour's share of their own. All
   * who come later share one; who floods one door with names takes nothing from the other doors.
   */
  static final int CALLERS_OF_A_DOOR_MAX = 7;

  static final String MORE = "agent.refused_often";
  static final String UNNOTED = "agent.refused_unnoted";
  private static final String COUNTER = "refused_unnoted";
  private static final int DOORS_MAX = 4;
  private static final int ENTRIES_AN_HOUR_MAX =
      DOORS_MAX * (CALLERS_OF_A_DOOR_MAX + 1) * (ATTEMPTS_OF_A_CALLER_MAX + 1);
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final Duration AGAIN = Duration.ofMinutes(1);
  private static final int SENTENCE_CHARS_MAX = 300;

  private final Store store;

  public RefusedAttempts(Store store) {
    this.store = store;
  }

  /** What was refused, in the words of the refusal. */
  private record Refused(String sentence) implements Event {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("sentence", sentence);
    }
  }

  /** So many were not noted since this was last told, whoever they were of. */
  private record Unnoted(long attempts) implements Event {
    @Override
    public String kind() {
      return UNNOTED;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("attempts", attempts);
    }
  }

  /** What comes of this caller within the hour is not noted. */
  private record Often() implements Event {
    @Override
    public String kind() {
      return MORE;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.EMPTY;
    }
  }

  /** Notes it, if it is one of these; whatever becomes of that, the refusal stands. */
  public void note(Call call, Refusal refusal) {
    if (refusal.isReserved()) note(call, refusal.sentence());
  }

  public void note(Call call, String sentence) {
    if (!call.actor().isAgent()) return;
    var refused = new Refused(Graphemes.cut(Redactor.DEFAULT.redact(sentence), SENTENCE_CHARS_MAX));
    try {
      if (store.<Boolean>reading(tx -> isRepeated(tx, call, refused))) return;
      store.inTransaction(Once.unkeyed(), tx -> noted(tx, call, refused));
    } catch (Refusal unwritable) {
      return; // a store that takes nothing more has nothing to be guarded from
    }
  }

  private static boolean noted(Tx tx, Call call, Refused refused) {
    if (isRepeated(tx, call, refused)) return false;
    List<JournalEntry> share = shareOf(call, recent(tx));
    if (share.stream().anyMatch(entry -> entry.content().kind().equals(MORE))) {
      tx.meta().count(COUNTER);
      return false;
    }
    long unnoted = tx.meta().takeCount(COUNTER);
    if (unnoted > 0) {
      var own = Call.by(Actor.SYSTEM, call.source());
      tx.journal().append(STREAM, own, List.of(new Unnoted(unnoted)));
    }
    boolean full = share.size() >= ATTEMPTS_OF_A_CALLER_MAX;
    if (full) tx.meta().count(COUNTER);
    tx.journal()
        .append(STREAM, call.withKey(null).withFence(null), List.of(full ? new Often() : refused));
    return true;
  }

  /** What was noted of this caller, or of all those that came when the shares were given out. */
  private static List<JournalEntry> shareOf(Call call, List<JournalEntry> recent) {
    Map<Actor, List<JournalEntry>> shares = new HashMap<>();
    List<JournalEntry> others = new ArrayList<>();
    for (JournalEntry entry : recent) {
      if (!entry.origin().source().equals(call.source())) continue;
      Actor actor = entry.origin().actor();
      boolean own = shares.containsKey(actor) || shares.size() < CALLERS_OF_A_DOOR_MAX;
      if (own) shares.computeIfAbsent(actor, first -> new ArrayList<>()).add(entry);
      else others.add(entry);
    }
    List<JournalEntry> mine = shares.get(call.actor());
    if (mine != null) return mine;
    return shares.size() < CALLERS_OF_A_DOOR_MAX ? List.of() : others;
  }

  private static boolean isRepeated(Tx tx, Call call, Refused refused) {
    return recent(tx).stream()
        .filter(entry -> entry.origin().at().isAfter(tx.now().minus(AGAIN)))
        .filter(entry -> entry.origin().actor().equals(call.actor()))
        .filter(entry -> entry.origin().source().equals(call.source()))
        .anyMatch(entry -> tx.journal().isOf(entry, refused));
  }

  private static List<JournalEntry> recent(Tx tx) {
    return tx.journal().newestOfKinds(STREAM, List.of(KIND, MORE), ENTRIES_AN_HOUR_MAX).stream()
        .filter(entry -> entry.origin().at().isAfter(tx.now().minus(WINDOW)))
        .toList();
  }
}
