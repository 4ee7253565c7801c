package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Branch;
import dev.mainstay.domain.Delegation.Notice;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.Delegation.Wish;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.TerminalEvent;
import dev.mainstay.domain.TerminalState;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.WorkPlaces.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds a terminal for what waits, or starts one. A terminal is started outside of any transaction,
 * by whoever has noted that he does so; it is given the task in one transaction, whoever found it.
 */
final class Placing {
  /**
   * As long as its terminal lives, the lease is renewed; a machine may sleep for less than this.
   */
  static final Duration LEASE = Duration.ofHours(1);

  /** Whoever starts a terminal has done so by then, or is dead. */
  private static final Duration START_MAX = Duration.ofMinutes(5);

  /** What was refused is tried again after so long. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private static final int DESCRIPTION_CHARS_MAX = Message.MESSAGE_CHARS_MAX - 2_000;
  private static final Set<Code> FAULTS_OF_HERE =
      EnumSet.of(Code.STORE_UNAVAILABLE, Code.STORE_FULL, Code.READ_ONLY);
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "delegation");

  private final Store store;
  private final Launching launching;
  private final WorkPlaces places;
  private final Delegations.Setting setting;

  /** Why nothing more is started in this turn; null while something may be. */
  private volatile @Nullable String full;

  /** No terminal can be started from here before then. */
  private volatile Instant startsAgain = Instant.MIN;

  Placing(Store store, Launching launching, WorkPlaces places, Delegations.Setting setting) {
    this.store = store;
    this.launching = launching;
    this.places = places;
    this.setting = setting;
  }

  /** A new turn; whether the house is full is looked at before anything is written. */
  void begin() {
    Optional<String> why =
        store.reading(
            tx ->
                tx.now().isBefore(startsAgain)
                    ? Optional.of("no terminal can be started just now")
                    : fullness(tx));
    full = why.orElse(null);
  }

  private Optional<String> fullness(Tx tx) {
    int running = tx.terminals().countLive() + tx.delegations().countTaken();
    if (running < setting.terminalsMax()) return Optional.empty();
    return Optional.of(
        Phrase.of(
            "as many terminals run as terminals.max allows (%d); it waits for a free one",
            setting.terminalsMax()));
  }

  /** Gives it to a terminal that is free, or to a new one; false when it has to wait on. */
  boolean place(Delegation waiting) {
    try {
      return giveToFree(waiting) || startFor(waiting);
    } catch (Refusal refused) {
      stuck(waiting.task(), refused.sentence());
      return false;
    }
  }

  private boolean giveToFree(Delegation waiting) {
    if (waiting.wish().worktree()) return false; // its folder is its own
    for (Terminal each : store.reading(tx -> candidates(tx, waiting))) {
      if (give(waiting, each.id(), null, false)) return true;
    }
    return false;
  }

  private boolean startFor(Delegation waiting) {
    if (full != null && mayStart() && retireOne()) begin();
    boolean taken = full == null && take(waiting.task());
    return taken ? start(waiting) : queued(waiting);
  }

  private boolean mayStart() {
    return !store.reading(Tx::now).isBefore(startsAgain);
  }

  /** Makes room in a full house: whoever was started for work that is done and idles may go. */
  private boolean retireOne() {
    Optional<String> idle =
        store.reading(
            tx -> tx.delegations().dispensable(setting.host(), tx.now().minus(Reporting.IDLE)));
    return idle.isPresent() && launching.retire(idle.get(), SYSTEM);
  }

  private List<Terminal> candidates(Tx tx, Delegation waiting) {
    return tx.terminals().live(setting.host()).stream()
        .filter(each -> isFree(tx, waiting, each))
        .toList();
  }

  /** Whether a terminal that was not started for it may get it. */
  private boolean isFree(Tx tx, Delegation waiting, Terminal terminal) {
    Seat seat = terminal.seat();
    Wish wish = waiting.wish();
    if (seat == null || !seat.status().takesInput() || !isOfKind(wish, terminal)) return false;
    if (!seat.window().session().equals(wish.site().session())) return false;
    if (terminal.id().equals(waiting.caller())) return false;
    String folder = seat.begin().folder();
    boolean apart = places.isPlace(Path.of(folder)) && !folder.equals(wish.site().folder());
    // Who had it before gave it back or lost it; somebody else may do better.
    boolean hadIt = tx.assignments().of(waiting.task(), terminal.id()).isPresent();
    return !apart && !hadIt && isIdle(tx, terminal.id());
  }

  private static boolean isOfKind(Wish wish, Terminal terminal) {
    String provider = wish.provider();
    return wish.profile().equals(terminal.profile())
        && (provider == null || provider.equals(terminal.provider()));
  }

  /** Whether a terminal has neither an open assignment nor a delegation. */
  static boolean isIdle(Tx tx, String terminal) {
    return tx.assignments().openOf(terminal).isEmpty() && !tx.delegations().isGiven(terminal);
  }

  /** It waits on, and whoever asks is told why. */
  private boolean queued(Delegation waiting) {
    if (full == null) begin(); // perhaps it was filled by this very turn
    String why = full;
    if (why == null || waiting.standing().notice().reason() != null) return false;
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Delegation locked = tx.delegations().lock(waiting.task());
          if (locked.status() == Status.WAITING) note(tx, locked, why);
          return false;
        });
  }

  /** Notes that a terminal is started for it from here; one process at a time does so. */
  private boolean take(TaskId task) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Delegation locked = tx.delegations().lock(task);
          boolean free = tx.delegations().takenUntil(task).isEmpty();
          if (locked.status() != Status.WAITING || !free || fullness(tx).isPresent()) return false;
          tx.delegations().take(task, tx.now().plus(START_MAX));
          return true;
        });
  }

  private static void note(Tx tx, Delegation locked, String reason) {
    Notice notice = new Notice(reason, locked.standing().notice().told());
    if (!notice.equals(locked.standing().notice())) {
      tx.delegations().moved(locked.noted(notice, tx.now()));
    }
  }

  private boolean start(Delegation waiting) {
    Wish wish = waiting.wish();
    Path folder = Path.of(wish.site().folder());
    Place place = wish.worktree() ? places.add(waiting.task().value(), folder) : null;
    if (place != null) {
      Optional<Terminal> there = inPlace(place);
      // Whoever started it died before it was told; or it still does something else.
      if (there.isPresent()) return given(waiting, there.get().id(), place);
    }
    var order =
        LaunchOrder.of(wish.profile(), place == null ? folder : place.folder())
            .on(wish.provider())
            .in(wish.site().session());
    Terminal started;
    try {
      started = launching.launch(order, Call.by(waiting.actor(), "delegation"));
    } catch (Refusal refused) {
      if (!isForLater(refused)) throw refused;
      later(waiting.task(), refused);
      return false;
    }
    return given(waiting, started.id(), place);
  }

  private Optional<Terminal> inPlace(Place place) {
    return store.reading(
        tx ->
            tx.terminals().live(setting.host()).stream()
                .filter(each -> each.seated().begin().folder().equals(place.folder().toString()))
                .findFirst());
  }

  /** Gives it to a terminal that was started for it; if that is not to be, others may try. */
  private boolean given(Delegation waiting, String terminal, @Nullable Place place) {
    boolean given = give(waiting, terminal, place, true);
    if (!given) untake(waiting.task());
    return given;
  }

  private void untake(TaskId task) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          tx.delegations().take(task, null);
          return 0;
        });
  }

  /** A full house, or one that cannot start anything just now, is no fault of the wish. */
  private static boolean isForLater(Refusal refused) {
    return refused.code() == Code.CONFLICT || FAULTS_OF_HERE.contains(refused.code());
  }

  private void later(TaskId task, Refusal refused) {
    full = refused.sentence();
    if (FAULTS_OF_HERE.contains(refused.code())) {
      startsAgain = store.reading(Tx::now).plus(AGAIN); // another process may be able to
    }
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Delegation locked = tx.delegations().lock(task);
          tx.delegations().take(task, null);
          if (locked.status() == Status.WAITING) note(tx, locked, refused.sentence());
          return 0;
        });
  }

  /** It cannot be placed as it was wished: the caller is told once, and it is tried again. */
  private void stuck(TaskId task, String why) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Delegation locked = tx.delegations().lock(task);
          if (locked.status() != Status.WAITING) return 0;
          tx.delegations().delay(task, tx.now().plus(AGAIN));
          if (!locked.standing().notice().told()) {
            Reporting.tell(
                tx,
                locked,
                Phrase.of(
                    "%s waits, as it could not be given to a terminal: %s\nIt is tried again; 'mainstay task cancel %s' ends it.",
                    task, why, task));
          }
          tx.delegations().moved(locked.noted(new Notice(why, true), tx.now()));
          return 0;
        });
  }

  /** Gives it in one transaction; false when somebody was quicker, or the terminal is not free. */
  private boolean give(
      Delegation waiting, String terminal, @Nullable Place place, boolean started) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Task task = tx.tasks().lock(waiting.task());
          Delegation locked = tx.delegations().lock(waiting.task());
          if (locked.status() != Status.WAITING || !task.isReady()) return false;
          boolean elsewhere = !started && tx.delegations().takenUntil(task.id()).isPresent();
          Terminal worker = tx.terminals().lock(terminal);
          boolean free =
              started ? worker.isLive() && isIdle(tx, terminal) : isFree(tx, locked, worker);
          if (elsewhere || !free) return false;
          Task held = Leases.holdIn(tx, task, terminal, LEASE, SYSTEM);
          setContext(tx, worker, locked);
          Message told = Inbox.sent(tx, locked.caller(), terminal, text(held), SYSTEM);
          Delegation branched =
              place == null
                  ? locked
                  : locked.on(new Branch(place.branch(), place.base()), tx.now());
          tx.delegations().moved(branched.given(terminal, told.id(), tx.now()));
          tx.delegations().started(task.id(), started);
          return true;
        });
  }

  /** What it works on, where, and for whom, beside what else it was told. */
  private static void setContext(Tx tx, Terminal worker, Delegation delegation) {
    TerminalState state = tx.terminalStates().of(worker);
    JsonObject context =
        state
            .told()
            .context()
            .with("current_task_id", delegation.task().value())
            .with("working_directory", worker.seated().begin().folder())
            .with("assigned_by", delegation.caller());
    JsonObject change = JsonObject.of("context_data", context);
    tx.terminalStates().put(state.told(state.told().with(change), tx.now()));
    tx.journal()
        .append(
            Terminal.stream(worker.id()), SYSTEM, List.of(new TerminalEvent.StateChanged(change)));
  }

  private static String text(Task held) {
    String description = held.brief().description();
    String shown = Graphemes.cut(description, DESCRIPTION_CHARS_MAX);
    String body =
        shown.isBlank()
            ? ""
            : shown.strip()
                + (shown.length() < description.length()
                    ? Phrase.of("\n(... 'mainstay task show %s' has the rest)", held.id())
                    : "")
                + "\n\n";
    return Phrase.of(
        "You have been assigned %s: %s\n\n%sYour fence is %d. When you are done:\n  mainstay task complete %s --fence %d --result '{\"summary\": \"...\"}'\nIf you cannot do it:\n  mainstay task fail %s --fence %d --error \"why\"",
        held.id(),
        held.title(),
        body,
        held.fence(),
        held.id(),
        held.fence(),
        held.id(),
        held.fence());
  }
}
