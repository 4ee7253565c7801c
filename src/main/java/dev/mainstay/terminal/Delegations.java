package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Site;
import dev.mainstay.domain.Delegation.Wish;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Changes.News;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.store.Work;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Work for agents of a profile: noted at once, given to a terminal as soon as one is free or may be
 * started, and reported to whoever asked for it when it is over. Each is given to one terminal at a
 * time and reported once, however many processes of a host serve them.
 *
 * <p>Locks are taken in one order: tasks, delegations, terminals, messages.
 */
public final class Delegations {
  public static final int PAGE_MAX = 1_000;
  public static final Duration WAIT_MAX = Duration.ofDays(1);

  /** So many of a kind are looked at in one turn; the next turn comes soon. */
  private static final int AT_ONCE_MAX = 100;

  /** News of another process may get lost with its process; then a look finds it. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** On which host it serves, in which folder work is done unless told, and its terminals. */
  public record Setting(String host, Path folder, int terminalsMax) {}

  private final Store store;
  private final Launching launching;
  private final WorkPlaces places;
  private final Setting setting;
  private final Placing placing;
  private final Reporting reporting;

  public Delegations(
      Store store, Launching launching, WorkPlaces places, Artifacts artifacts, Setting setting) {
    this.store = store;
    this.launching = launching;
    this.places = places;
    this.setting = setting;
    this.placing = new Placing(store, launching, places, setting);
    this.reporting = new Reporting(store, places, artifacts);
  }

  /**
   * Notes that somebody wants a task done, a new one or one that nobody has, and returns at once. A
   * caller that is a terminal gets a message when it is over. An unknown profile or provider is
   * refused.
   */
  public Delegation assign(NewDelegation wanted, Call call) {
    launching.mustKnow(wanted.profile(), wanted.provider());
    Path folder = wanted.where().folder();
    if (wanted.worktree() && folder != null) places.mustServe(folder);
    return store.inTransaction(
        Once.of(
            call, "delegation.assign", wanted.toJson(), Delegation::toJson, Delegation::fromJson),
        tx -> {
          String caller = caller(tx, call.actor());
          Task task = task(tx, wanted.work(), call);
          Wish wish =
              new Wish(
                  wanted.profile(),
                  wanted.provider(),
                  site(tx, wanted.where(), caller),
                  wanted.worktree());
          Delegation noted = Delegation.wanted(task.id(), caller, wish, tx.now());
          tx.delegations().put(noted);
          return noted;
        });
  }

  private static String caller(Tx tx, Actor actor) {
    if (!actor.isAgent()) return actor.toString();
    if (!Message.isTerminal(actor.name())) {
      throw Refusal.invalid(
          Phrase.of(
              "%s cannot delegate, as it would be taken for somebody else; rename it",
              actor.name()));
    }
    tx.terminals().ensureExternal(actor.name());
    return actor.name();
  }

  private static Task task(Tx tx, NewDelegation.Work work, Call call) {
    TaskId existing = work.existing();
    if (work.task() != null) return Tasks.createIn(tx, work.task(), call);
    if (existing == null) throw new IllegalStateException("neither a new task nor one there is");
    Task task = tx.tasks().lock(existing);
    task.admit(call);
    boolean open =
        tx.delegations().find(existing).filter(each -> each.status().isOpen()).isPresent();
    if (open) {
      throw Refusal.conflict(
          Phrase.of("%s is delegated already; 'mainstay delegate list' shows to whom", existing));
    }
    if (task.status() == TaskStatus.PENDING) return task;
    throw Refusal.conflict(
        Phrase.of(
            "%s is %s; only a task that nobody has can be delegated%s",
            existing,
            task.status(),
            task.status().isEnded() ? ", so retry it first" : ", so let it be released first"));
  }

  /** Where the caller itself is, unless told otherwise: whoever was started here works there. */
  private Site site(Tx tx, NewDelegation.Where where, String caller) {
    Seat own =
        tx.terminals()
            .find(caller)
            .map(Terminal::seat)
            .filter(seat -> seat.window().host().equals(setting.host()))
            .orElse(null);
    String session = where.session();
    Path folder = where.folder();
    String usual = own == null ? LaunchOrder.SESSION : own.window().session();
    String home =
        own == null
            ? setting.folder().toAbsolutePath().normalize().toString()
            : own.begin().folder();
    return new Site(
        setting.host(),
        session == null ? usual : session,
        folder == null ? home : folder.toString());
  }

  /** Those after a task's number (0: from the first), in the order of their tasks. */
  public List<Delegation> list(boolean openOnly, long after, int limit) {
    checkLimit(limit);
    return store.reading(tx -> tx.delegations().list(openOnly, after, limit));
  }

  private static void checkLimit(int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", PAGE_MAX));
    }
  }

  /** The same with their tasks and workers, as of one moment. */
  public List<DelegationView> views(boolean openOnly, long after, int limit) {
    checkLimit(limit);
    return store.reading(
        tx ->
            tx.delegations().list(openOnly, after, limit).stream()
                .map(each -> DelegationView.in(tx, each.task()))
                .toList());
  }

  /** How it stands now. */
  public DelegationView show(TaskId task) {
    return store.reading(tx -> DelegationView.in(tx, task));
  }

  /**
   * Waits until the task is over, at most so long, and tells of each change on the way; how it
   * stands then. When the time is over the work goes on.
   */
  public DelegationView await(TaskId task, Duration atMost, Consumer<DelegationView> told) {
    if (atMost.isNegative() || atMost.compareTo(WAIT_MAX) > 0) {
      throw Refusal.invalid("a result is waited for between 0 seconds and 1 day");
    }
    long end = System.nanoTime() + atMost.toNanos();
    String last = "";
    while (true) {
      long seen = store.changes().seen(News.JOURNAL);
      DelegationView view = show(task);
      if (!view.line().equals(last)) told.accept(view);
      last = view.line();
      long left = end - System.nanoTime();
      if (view.isOver() || left <= 0 || Thread.currentThread().isInterrupted()) return view;
      Duration pause = Duration.ofNanos(Math.min(left, LOOK_EVERY.toNanos()));
      store.changes().await(News.JOURNAL, seen, pause);
    }
  }

  /** What to say to whoever waited too short. */
  public static String goesOn(TaskId task) {
    return Phrase.of(
        "%s is not done yet, and the work goes on; 'mainstay task show %s' tells how far it is",
        task, task);
  }

  /**
   * One turn for this host: reports what is over, takes back what its terminal lost, keeps what is
   * in good hands, and gives what waits to free terminals or new ones. How much there was to do.
   * What goes wrong with one keeps no other from its turn, and is thrown in the end.
   */
  public int serve() {
    if (!store.settings().isTrusted()) return 0; // wishes from elsewhere start no agent
    String host = setting.host();
    if (!store.reading(tx -> tx.delegations().isAnyOpen(host))) return 0; // costs no commit
    Turn turn = new Turn();
    look(turn, tx -> tx.delegations().ended(host, AT_ONCE_MAX), reporting::report);
    look(turn, tx -> tx.delegations().givenBack(host, AT_ONCE_MAX), reporting::takeBack);
    look(turn, tx -> tx.delegations().held(host, AT_ONCE_MAX), reporting::watch);
    placing.begin();
    look(turn, tx -> tx.delegations().ready(host, AT_ONCE_MAX), placing::place);
    if (turn.fault != null) throw turn.fault;
    return turn.done;
  }

  private void look(Turn turn, Work<List<Delegation>> found, Predicate<Delegation> work) {
    for (Delegation each : store.reading(found)) {
      try {
        if (work.test(each)) turn.done++;
      } catch (RuntimeException fault) {
        if (turn.fault == null) turn.fault = fault;
      }
    }
  }

  /** What one turn did and what went wrong first. */
  private static final class Turn {
    private int done;
    private @Nullable RuntimeException fault;
  }
}
