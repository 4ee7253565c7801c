package dev.mainstay.session;

import dev.mainstay.domain.AgentSession;
import dev.mainstay.domain.AgentSession.Bond;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.AgentSession.Place;
import dev.mainstay.domain.AgentSession.Seen;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.state.Courses;
import dev.mainstay.state.ExecutionWriting;
import dev.mainstay.state.Executions;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Sessions of agents, and the task that each works on. Nobody makes that task by hand: the first
 * prompt in a place opens it, and the next session of the same agent there goes on with it.
 */
public final class Sessions {
  private final Store store;

  public Sessions(Store store) {
    this.store = store;
  }

  /** Opens a session, or finds the one that was opened before under the host's name for it. */
  public AgentSession open(Host host, Place place, Call call) {
    String id = UUID.randomUUID().toString();
    JsonObject asked =
        JsonObject.of("agent", host.agent(), "host_session_id", host.sessionId())
            .with("worktree", place.worktree())
            .with("branch", place.branch());
    return store.inTransaction(
        once(call, "session.open", asked),
        tx -> {
          tx.sessions().lockOpening();
          tx.sessions().find(host).ifPresent(seen -> Holding.lock(tx, seen));
          var known = tx.sessions().find(host);
          Seen seen = new Seen(tx.now(), tx.now(), JsonObject.EMPTY);
          AgentSession session =
              known.isEmpty()
                  ? new AgentSession(id, host, place, null, seen)
                  : moved(known.get(), host, place).seen(tx.now(), known.get().seen().fuse());
          if (session.bond() == null) session = inherited(tx, session);
          session = Holding.renewed(tx, session, call);
          if (known.isEmpty()) tx.sessions().insert(session);
          else tx.sessions().update(session);
          return session;
        });
  }

  /** In another place there is another task. */
  private static AgentSession moved(AgentSession known, Host host, Place place) {
    Bond bond = known.place().equals(place) ? known.bond() : null;
    return new AgentSession(known.id(), host, place, bond, known.seen());
  }

  private static AgentSession inherited(Tx tx, AgentSession session) {
    return tx.sessions()
        .working(session.host().agent(), session.place())
        .map(AgentSession::bond)
        .map(bond -> session.bound(new Bond(bond.task(), bond.fence())))
        .orElse(session);
  }

  public AgentSession show(String id) {
    return store.reading(tx -> tx.sessions().get(id));
  }

  /** The runs of a task, oldest first. */
  public List<RunRecord> runs(TaskId task) {
    return store.reading(
        tx -> {
          tx.tasks().get(task);
          return tx.runs().list(task);
        });
  }

  /** A prompt was given: where no task is under way, it opens one, and its words are the goal. */
  public AgentSession prompted(String id, String prompt, Call call) {
    String words = Redactor.DEFAULT.redact(prompt);
    return store.inTransaction(
        once(call, "session.prompted", JsonObject.of("session", id, "prompt", words)),
        tx -> {
          tx.sessions().lockOpening();
          AgentSession session = Holding.locked(tx, id);
          if (ended(tx, session)) session = session.bound(null);
          if (session.bond() == null) session = inherited(tx, session);
          if (session.bond() == null && !words.isBlank()) {
            session = session.bound(new Bond(newTask(tx, words, call), null));
          }
          session = Holding.renewed(tx, session, call);
          boolean begun = begin(tx, session, words, call);
          hear(tx, session, words, call);
          session = session.seen(tx.now(), begun ? JsonObject.EMPTY : session.seen().fuse());
          tx.sessions().update(session);
          return session;
        });
  }

  private static boolean ended(Tx tx, AgentSession session) {
    Bond bond = session.bond();
    return bond != null && tx.tasks().get(bond.task()).status().isEnded();
  }

  private static TaskId newTask(Tx tx, String words, Call call) {
    var created = new TaskEvent.Created(Brief.ofWords(words), null, null, List.of());
    return tx.tasks().create(tx.tasks().nextId(), created, 0, call).id();
  }

  /**
   * The first words about a task that has no run yet are its goal; after a run that ended, whoever
   * goes on tries for the same goal again.
   */
  private static boolean begin(Tx tx, AgentSession session, String words, Call call) {
    Bond bond = session.bond();
    if (bond == null || words.isBlank()) return false;
    Stored before = tx.dossiers().get(bond.task());
    TaskState state = before.dossier().state();
    if (state.run().phase().isLive()) return false;
    tx.tasks().get(bond.task()).admit(Holding.bound(call, bond));
    String first = Graphemes.cut(words.strip(), TaskState.GOAL_CHARS_MAX);
    String goal = state.isStarted() ? state.run().goal() : first;
    tx.dossiers().record(bond.task(), before, state.start(goal, List.of(), call.actor()), call);
    tx.runs().bind(bond.task(), session.id());
    return true;
  }

  /** Praise and complaint in a person's prompt are feedback to the execution under way. */
  private static void hear(Tx tx, AgentSession session, String words, Call call) {
    Bond bond = session.bond();
    if (bond == null || !call.actor().isPerson()) return;
    Stored before = tx.dossiers().get(bond.task());
    List<Event> heard = Executions.heard(before.dossier(), words);
    if (!heard.isEmpty()) ExecutionWriting.record(tx, bond.task(), before, heard, call);
  }

  /** A person wants something else: the run is given up and another begins. */
  public AgentSession newGoal(String id, String goal, Call call) {
    String words = Redactor.DEFAULT.redact(goal);
    return store.inTransaction(
        once(call, "session.new_goal", JsonObject.of("session", id, "goal", words)),
        tx -> {
          AgentSession session = Holding.locked(tx, id);
          Bond bond = session.bond();
          if (bond == null) throw Refusal.conflict("the session works on no task yet");
          tx.tasks().lock(bond.task()).admit(Holding.bound(call, bond));
          Stored before = tx.dossiers().get(bond.task());
          before = tx.dossiers().record(bond.task(), before, givenUp(tx, bond, before, call), call);
          TaskState state = before.dossier().state();
          tx.dossiers()
              .record(bond.task(), before, state.start(words, List.of(), call.actor()), call);
          tx.runs().bind(bond.task(), session.id());
          AgentSession after = session.seen(tx.now(), JsonObject.EMPTY);
          tx.sessions().update(after);
          return after;
        });
  }

  /** The end of the run, and of an execution that was for its goal. */
  private static List<Event> givenUp(Tx tx, Bond bond, Stored before, Call call) {
    String why = "another goal was set";
    Dossier dossier = before.dossier();
    List<Event> events = new ArrayList<>();
    if (dossier.execution().isLive()) {
      events.addAll(
          Courses.end(tx, bond.task(), dossier, new Courses.End(false, why, call.actor())));
      events.removeIf(event -> !(event instanceof ExecutionEvent));
    }
    TaskState state = dossier.state();
    if (state.run().phase().isLive()) events.addAll(state.end(RunPhase.ABANDONED, why));
    return events;
  }

  private static Once<AgentSession> once(Call call, String useCase, JsonObject asked) {
    return Once.of(call, useCase, asked, AgentSession::toJson, AgentSession::fromJson);
  }
}
