package dev.mainstay.access;

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
import java.util.List;

/**
 * What agents asked for that is a person's alone, and were refused: noted in the journal in a
 * stream of its own, so that a person sees it. The same again within a minute is noted once, and no
 * more than some in an hour, so that nobody fills the journal by asking.
 */
public final class RefusedAttempts {
  public static final String STREAM = "access/refused";
  public static final String KIND = "agent.refused";

  /** After so many in an hour one entry says that there were more. */
  static final int ATTEMPTS_AN_HOUR_MAX = 60;

  static final String MORE = "agent.refused_often";
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

  /** What comes within the hour is not noted. */
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
      if (store.<Boolean>reading(tx -> isEnough(tx, call, refused))) return;
      store.inTransaction(Once.unkeyed(), tx -> noted(tx, call, refused));
    } catch (Refusal unwritable) {
      return; // a store that takes nothing more has nothing to be guarded from
    }
  }

  private static boolean noted(Tx tx, Call call, Refused refused) {
    if (isEnough(tx, call, refused)) return false;
    boolean full = recent(tx).size() >= ATTEMPTS_AN_HOUR_MAX;
    tx.journal()
        .append(STREAM, call.withKey(null).withFence(null), List.of(full ? new Often() : refused));
    return true;
  }

  private static boolean isEnough(Tx tx, Call call, Refused refused) {
    List<JournalEntry> recent = recent(tx);
    if (recent.stream().anyMatch(entry -> entry.content().kind().equals(MORE))) return true;
    return recent.stream()
        .filter(entry -> entry.origin().at().isAfter(tx.now().minus(AGAIN)))
        .filter(entry -> entry.origin().actor().equals(call.actor()))
        .filter(entry -> entry.origin().source().equals(call.source()))
        .anyMatch(entry -> tx.journal().isOf(entry, refused));
  }

  private static List<JournalEntry> recent(Tx tx) {
    return tx
        .journal()
        .newestOfKinds(STREAM, List.of(KIND, MORE), ATTEMPTS_AN_HOUR_MAX + 1)
        .stream()
        .filter(entry -> entry.origin().at().isAfter(tx.now().minus(WINDOW)))
        .toList();
  }
}
