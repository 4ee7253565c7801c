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
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.queue.Leases;
import dev.mainstay.state.Courses;
import dev.mainstay.state.ExecutionWriting;
import dev.mainstay.state.Executions;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of agents, and the task that each works on. Nobody makes that task by hand: the first
 * prompt in a place opens it, and the next session of the same agent there goes on with it.
 */
public final class Sessions {
  private static final int BESIDE_MAX = 50;

  private final Store store;

  public Sessions(Store store) {
    this.store = store;
  }

  /** Opens a session, or finds the one that was opened before under the host's name for it. */
  public AgentSession open(Host asHost, Place place, Call call) {
    JsonObject asked =
        JsonObject.of("agent", asHost.agent(), "host_session_id", asHost.sessionId())
            .with("worktree", place.worktree())
            .with("branch", place.branch());
    return store.inTransaction(
        once(call, "session.open", asked),
        tx -> {
          tx.sessions().lockOpening();
          Host host = known(tx, asHost);
          tx.sessions().find(host).ifPresent(seen -> Holding.lock(tx, seen));
          var known = tx.sessions().find(host);
          Seen seen = new Seen(tx.now(), tx.now(), JsonObject.EMPTY);
          AgentSession session =
              known.isEmpty()
                  ? new AgentSession(UUID.randomUUID().toString(), host, place, null, seen)
                  : moved(tx, known.get(), host, place).seen(tx.now(), known.get().seen().fuse());
          session = Holding.renewed(tx, Holding.settled(tx, session), call);
          Holding.keepAll(tx, session);
          if (known.isEmpty()) tx.sessions().insert(session);
          else tx.sessions().update(session);
          return session;
        });
  }

  /**
   * A session that is known and of which opening would say nothing new: it is in the same place and
   * holds its task. For those who look often, and note what they saw at once.
   */
  public Optional<AgentSession> steady(Host asHost, Place place) {
    return store.reading(
        tx -> {
          Host host = known(tx, asHost);
          return tx.sessions()
              .find(host)
              .filter(session -> Objects.equals(session.host().terminal(), host.terminal()))
              .filter(session -> session.place().worktree().equals(place.worktree()))
              .filter(session -> session.place().branch().equals(place.branch()))
              .filter(session -> Holding.isSteady(tx, session));
        });
  }

  /**
   * In another place there is another task. But a session that holds its task and changes to
   * another branch goes on with it, and stays where it began: agents make branches for what they
   * do.
   */
  private static AgentSession moved(Tx tx, AgentSession known, Host host, Place place) {
    AgentSession here =
        new AgentSession(known.id(), host, known.place(), known.bond(), known.seen());
    if (known.place().equals(place)) return here;
    boolean branched = known.place().worktree().equals(place.worktree());
    if (branched && Holding.isSteady(tx, here)) return here;
    return new AgentSession(known.id(), host, place, null, known.seen());
  }

  /** A terminal that is not ours, or no longer, is none. */
  private static Host known(Tx tx, Host host) {
    boolean ours = host.terminal() != null && tx.terminals().find(host.terminal()).isPresent();
    return ours ? host : new Host(host.agent(), host.sessionId(), null);
  }

  /**
   * The session as it stands now, seen alive: on the task it was given meanwhile, if any, and with
   * its lease renewed; unless that was a moment ago, so that who reads often waits for no commit.
   */
  public AgentSession current(String id, Call call) {
    Optional<AgentSession> fresh =
        store.reading(
            tx -> Optional.of(tx.sessions().get(id)).filter(seen -> Holding.isFresh(tx, seen)));
    return fresh.orElseGet(() -> renewed(id, call));
  }

  private AgentSession renewed(String id, Call call) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          AgentSession session = Holding.settled(tx, Holding.locked(tx, id));
          session = Holding.renewed(tx, session, call).seen(tx.now(), session.seen().fuse());
          Holding.keepAll(tx, session);
          tx.sessions().update(session);
          return session;
        });
  }

  /**
   * The session begins to work on a task: one that it was given, or one that nobody holds. Where no
   * run is under way, the task's own words are the goal. What a person ordered in prompts until now
   * binds here, too.
   */
  public AgentSession work(String id, TaskId on, Call call) {
    return store.inTransaction(
        once(call, "session.work", JsonObject.of("session", id, "task", on.value())),
        tx -> {
          AgentSession session = tx.sessions().get(id);
          Task task = tx.tasks().lock(on);
          Task begun = begun(tx, task, session.holder(), call);
          Orders.follow(tx, session, on);
          session = session.bound(new Bond(on, begun.fence())).seen(tx.now(), JsonObject.EMPTY);
          begin(tx, session, begun.brief().inWords(), session.fenced(call));
          tx.sessions().update(session);
          tx.sessions().joinAll(session);
          return session;
        });
  }

  private static Task begun(Tx tx, Task task, String holder, Call call) {
    if (task.isReady()) {
      return Leases.takenIn(tx, task, holder, call)
          .orElseThrow(
              () ->
                  Refusal.conflict(
                      Phrase.of("the budget of %s is used up; take another task", task.id())));
    }
    boolean ours = task.lease().map(Lease::holder).filter(holder::equals).isPresent();
    if (!ours) {
      throw Refusal.conflict(
          Phrase.of("%s is %s and not yours; take another task", task.id(), task.standing()));
    }
    return task.status() == TaskStatus.ASSIGNED
        ? Leases.begunIn(tx, task, call.withFence(task.fence()))
        : task;
  }

  /** What the hooks of a session have to know at its next event, in place of what they knew. */
  public AgentSession remember(String id, JsonObject memory) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          AgentSession session = Holding.locked(tx, id).remembering(memory);
          tx.sessions().seen(session);
          return session;
        });
  }

  /** The other sessions of the same agent in the same place, last seen first. */
  public List<AgentSession> beside(String id) {
    return store.reading(
        tx -> tx.sessions().beside(tx.sessions().get(id)).stream().limit(BESIDE_MAX).toList());
  }

  /**
   * The session whose shell a command runs in: the one whose id the environment names. Where it
   * names none, the only one of the agent that is live in the worktree; of several none is guessed.
   * None once that session has ended, or was not seen for as long as a lease lasts.
   */
  public Optional<AgentSession> ofShell(String agent, @Nullable String hostSession, Place place) {
    return store.reading(
        tx -> {
          if (hostSession != null) {
            return tx.sessions()
                .find(new Host(agent, hostSession, null))
                .filter(session -> !session.hasEnded());
          }
          Instant since = tx.now().minus(Leases.LEASE);
          List<AgentSession> live =
              tx.sessions().in(agent, place.worktree()).stream()
                  .filter(session -> !session.hasEnded())
                  .filter(session -> session.host().terminal() == null) // its shell names that
                  .filter(session -> session.seen().lastSeen().isAfter(since))
                  .toList();
          return live.size() == 1 ? Optional.of(live.get(0)) : Optional.empty();
        });
  }

  /** The host said that a session is over, or that it was taken up again. */
  public AgentSession ended(String id, boolean over) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          AgentSession session = Holding.locked(tx, id);
          if (session.hasEnded() == over) return session;
          AgentSession after = session.ended(over);
          tx.sessions().seen(after);
          return after;
        });
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
          session = Holding.settled(tx, session);
          if (!Holding.isOpen(tx, session)) session = session.bound(null);
          boolean opens = session.bond() == null && !words.isBlank();
          if (opens) session = session.bound(new Bond(newTask(tx, words, call), null));
          session = Holding.renewed(tx, session, call);
          boolean begun = begin(tx, session, words, call);
          if (opens) Orders.holdInPlace(tx, session, call);
          hear(tx, session, words, call);
          session = session.seen(tx.now(), begun ? JsonObject.EMPTY : session.seen().fuse());
          tx.sessions().update(session);
          return session;
        });
  }

  /** Whether the task was opened by a prompt, and taken from no queue. */
  public static boolean isImplicit(Task task) {
    return task.brief().isOpenedByPrompt();
  }

  private static TaskId newTask(Tx tx, String words, Call call) {
    Brief brief = Brief.ofWords(words).openedByPrompt();
    var created = new TaskEvent.Created(brief, null, null, List.of());
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
    tx.tasks().get(bond.task()).admit(session.fenced(call));
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
          tx.tasks().lock(bond.task()).admit(session.fenced(call));
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
