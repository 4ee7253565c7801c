package dev.mainstay.session;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedTurn;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.RepeatFuse.Verdict;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskState;
import dev.mainstay.state.ExecutionWriting;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is seen of agents at work. Progress comes from here and not from what a model says of
 * itself; and here it is noticed when an agent goes round in circles.
 */
public final class Turns {
  private final Store store;
  private final Set<String> polling;

  /** Tools that poll may give the same result again and again. */
  public Turns(Store store, Set<String> polling) {
    this.store = store;
    this.polling = Set.copyOf(polling);
  }

  /** What is to be done about repetition, and how often the same was done in a row. */
  public record Outcome(Verdict verdict, int repeats) {
    JsonObject toJson() {
      return JsonObject.of("verdict", verdict, "repeats", repeats);
    }

    static Outcome fromJson(JsonObject json) {
      return new Outcome(Verdict.valueOf(json.text("verdict")), json.integer("repeats"));
    }
  }

  /** One turn was seen: it is noted as one entry, and it may end a run that makes no progress. */
  public Outcome observed(String session, ObservedTurn turn, Call call) {
    String summary = Redactor.DEFAULT.redact(turn.summary());
    JsonObject asked = JsonObject.of("session", session, "turn", turn.hash());
    return store.inTransaction(
        Once.of(call, "turn.observed", asked, Outcome::toJson, Outcome::fromJson),
        tx -> {
          AgentSession working = working(tx, session, call);
          RepeatFuse fuse = turn.after(fuse(working), polling);
          note(tx, working, new Noted(summary, turn.spent(), fuse.verdict()), call);
          return kept(tx, working, fuse, fuse.verdict());
        });
  }

  /** What a turn came to, as it is noted. */
  private record Noted(String summary, Spent spent, Verdict verdict) {}

  /** A tool is about to run: says whether it should, and counts a call that should not. */
  public Outcome before(String session, String tool, String arguments, Call call) {
    String hash = JournalEntry.sha256(arguments);
    JsonObject asked = JsonObject.of("session", session, "tool", tool, "arguments", hash);
    return store.inTransaction(
        Once.of(call, "turn.before", asked, Outcome::toJson, Outcome::fromJson),
        tx -> {
          AgentSession working = working(tx, session, call);
          RepeatFuse fuse = fuse(working);
          Verdict verdict = fuse.before(tool, hash);
          boolean runs = verdict == Verdict.FINE || verdict == Verdict.NOTICE;
          if (runs) return kept(tx, working, fuse, verdict);
          note(tx, working, new Noted("", Spent.NOTHING, verdict), call);
          return kept(tx, working, fuse.afterRefused(tool, hash), verdict);
        });
  }

  private static AgentSession working(Tx tx, String session, Call call) {
    return Holding.renewed(tx, Holding.locked(tx, session), call);
  }

  private RepeatFuse fuse(AgentSession session) {
    return RepeatFuse.fromJson(session.seen().fuse(), polling);
  }

  private static void note(Tx tx, AgentSession session, Noted noted, Call call) {
    Bond bond = session.bond();
    if (bond == null) return;
    Task task = tx.tasks().get(bond.task());
    // After the end nobody holds it, and the turn that ended it is still to be noted.
    Call bound = task.status().isEnded() ? call.withFence(null) : session.fenced(call);
    task.admit(bound);
    Stored before = tx.dossiers().get(bond.task());
    TaskState state = before.dossier().state();
    List<Event> events = new ArrayList<>(state.noteActions(noted.summary()));
    boolean counts = before.dossier().execution().isLive() && !noted.spent().isNothing();
    if (counts) events.add(new ExecutionEvent.ToolsSeen(noted.spent(), noted.summary()));
    boolean over = noted.verdict() == Verdict.NO_PROGRESS;
    if (over && state.run().phase() == RunPhase.RUNNING) {
      String reason = "the same call with the same result %d times in a row";
      events.addAll(state.end(RunPhase.NO_PROGRESS, Phrase.of(reason, RepeatFuse.END_REPEATS)));
    }
    ExecutionWriting.record(tx, bond.task(), before, events, bound);
  }

  private static Outcome kept(Tx tx, AgentSession session, RepeatFuse fuse, Verdict verdict) {
    tx.sessions().seen(session.seen(tx.now(), fuse.toJson()));
    return new Outcome(verdict, fuse.repeats());
  }
}
