package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.LastAnswer;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Seat.Standing;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Typed;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.TerminalHost.Tmux;
import dev.mainstay.terminal.Typing.Manner;
import dev.mainstay.terminal.Typing.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What can be done with a terminal that runs here: type, read, follow, attach, stop. */
public final class Screens {
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(5);
  private static final Duration SETTLE_MORE = Duration.ofMillis(300);
  private static final long LOOK_MILLIS = 100;

  /** How much of a terminal's output is wanted. */
  public enum Mode {
    /** All that is kept of it. */
    FULL,
    /** What its agent said last. */
    LAST
  }

  private final Store store;
  private final TerminalHost host;
  private final Providers providers;

  public Screens(Store store, TerminalHost host, Providers providers) {
    this.store = store;
    this.host = host;
    this.providers = providers;
  }

  private Terminal get(String id) {
    return store.reading(tx -> tx.terminals().get(id));
  }

  /** Its window, which must be there. */
  private PaneView window(Terminal terminal) {
    Seat seat = host.seatHere(terminal);
    Optional<PaneView> found = Optional.empty();
    if (seat.isLive() || seat.status() != Status.GONE) {
      found = find(host.tmuxOf(seat.window()), seat);
    }
    return found.orElseThrow(
        () ->
            Refusal.notFound(
                Phrase.of(
                    "the window of %s is gone; 'mainstay terminal restore %s' makes it again",
                    terminal.id(), terminal.id())));
  }

  private static Optional<PaneView> find(Tmux tmux, Seat seat) {
    return tmux.panes().find(seat.window().session(), seat.window().name());
  }

  private Manner manner(Terminal terminal) {
    Provider provider = providers.get(terminal.provider());
    return provider.manners().bracketsPastes() ? Manner.BRACKETS : Manner.KEYS;
  }

  /** Types text, and Enter if wanted; says whether the screen moved after Enter. */
  public Outcome send(String id, String text, boolean enter, Call call) {
    Terminal terminal = get(id);
    refuseOthers(terminal, call.actor());
    Seat seat = host.seatHere(terminal);
    Typed typed = Typed.of(text);
    Tmux tmux = host.tmuxOf(seat.window());
    return host.inTurn(
        id,
        () -> {
          Pane pane = window(terminal).pane();
          refuseDialogs(terminal, call.actor());
          Signals.typing(store, id, typed, call);
          if (enter) return tmux.typing().submit(pane, typed, manner(terminal), null);
          tmux.typing().paste(pane, typed, manner(terminal));
          return Outcome.SUBMITTED;
        });
  }

  /** Presses one key, by its name in tmux. */
  public void press(String id, Key key, Call call) {
    Terminal terminal = get(id);
    refuseOthers(terminal, call.actor());
    Tmux tmux = host.tmuxOf(host.seatHere(terminal).window());
    host.inTurn(
        id,
        () -> {
          refuseDialogs(terminal, call.actor());
          tmux.typing().press(window(terminal).pane(), key);
          return key;
        });
  }

  /** An agent types only where it started somebody, and never an answer meant for a person. */
  private static void refuseOthers(Terminal terminal, Actor actor) {
    if (!actor.isAgent()) return;
    Seat seat = terminal.seated();
    if (!actor.name().equals(seat.begin().caller())) {
      throw Refusal.conflict(
          Phrase.of(
              "%s did not start %s and may not type there; 'mainstay inbox send %s' reaches it",
              actor.name(), terminal.id(), terminal.id()));
    }
  }

  /** As it stands now, and not as somebody noted it; a screen is given its time to settle. */
  private Status statusNow(Terminal terminal) {
    Lookout brief = new Lookout(host, providers);
    Signal signal = store.reading(tx -> tx.terminals().signal(terminal.id())).orElse(null);
    Duration settle = providers.get(terminal.provider()).manners().settle();
    long end = System.nanoTime() + settle.plus(SETTLE_MORE).toNanos();
    while (true) {
      var now = Status.of(brief.look(terminal, signal, store.reading(Tx::now)).status().state());
      boolean certain = now.takesInput() || now == Status.WAITING_FOR_PERSON || !now.isLive();
      if (certain || System.nanoTime() > end || !pause()) return now;
    }
  }

  private void refuseDialogs(Terminal terminal, Actor actor) {
    if (!actor.isAgent() || statusNow(terminal) != Status.WAITING_FOR_PERSON) return;
    throw Refusal.conflict(
        Phrase.of("%s waits for a person's answer; nothing was typed", terminal.id()));
  }

  /** What was printed: of one that is over, what was kept of it. */
  public String output(String id, Mode mode, Capture wanted) {
    Terminal terminal = get(id);
    Seat seat = host.seatHere(terminal);
    Optional<PaneView> found =
        seat.status() == Status.GONE || seat.status() == Status.STOPPED
            ? Optional.empty()
            : find(host.tmuxOf(seat.window()), seat);
    if (found.isEmpty()) return String.join("\n", seat.standing().lastLines());
    Panes panes = host.tmuxOf(seat.window()).panes();
    if (mode == Mode.FULL) return panes.capture(found.get().pane(), wanted);
    String all = panes.capture(found.get().pane(), Capture.full());
    var signs = providers.get(terminal.provider()).signs();
    return String.join("\n", LastAnswer.of(signs, all.lines().toList()));
  }

  /** How large its screen is, and where its cursor stands. */
  public ScreenShape shape(String id) {
    Terminal terminal = get(id);
    Pane pane = window(terminal).pane();
    return host.tmuxOf(terminal.seated().window()).panes().shape(pane);
  }

  /** Hands on what is printed from now on. */
  public Following follow(String id, FollowListener listener) {
    Terminal terminal = get(id);
    PaneView view = window(terminal);
    return host.tmuxOf(terminal.seated().window()).panes().follow(view.pane(), listener);
  }

  /** The command by which a person looks at a terminal. */
  public List<String> attach(String id) {
    Terminal terminal = get(id);
    Seat.Window window = host.seatHere(terminal).window();
    window(terminal);
    return TmuxSocket.parse(window.socket()).attach(window.session(), window.name());
  }

  /** What the agent says about itself by its hooks and calls; it wins over its screen. */
  public Terminal signal(String id, Signal.Kind kind, Call call) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Terminal terminal = tx.terminals().get(id);
          terminal.seated();
          Actor actor = call.actor();
          if (actor.isAgent() && !actor.name().equals(id)) {
            throw Refusal.conflict(actor.name() + " cannot speak for " + id);
          }
          tx.terminals().signal(id, kind);
          return terminal;
        });
  }

  /**
   * Ends a terminal: its agent is asked to leave if it takes input, and ended after a while. What
   * it held goes back to the queue, and its history stays.
   */
  public Terminal stop(String id, Call call) {
    Terminal terminal = get(id);
    refuseStopping(terminal, call.actor());
    Seat seat = host.seatHere(terminal);
    return host.inTurn(
        id,
        () -> {
          // Within the turn, or whoever looks after it would take it for a crash.
          List<String> last = seat.status() == Status.GONE ? List.of() : ended(terminal);
          String why = "stopped by " + call.actor();
          return store.inTransaction(
              Once.unkeyed(),
              tx ->
                  Endings.over(
                      tx, id, new Standing(Status.STOPPED, why, null, tx.now(), last), call));
        });
  }

  private List<String> ended(Terminal terminal) {
    Seat seat = terminal.seated();
    Tmux tmux = host.tmuxOf(seat.window());
    return find(tmux, seat).map(view -> end(terminal, tmux, view)).orElse(List.of());
  }

  private static void refuseStopping(Terminal terminal, Actor actor) {
    terminal.seated();
    if (!actor.isAgent() || actor.name().equals(terminal.seated().begin().caller())) return;
    throw Refusal.conflict(
        Phrase.of("%s did not start %s and may not stop it", actor.name(), terminal.id()));
  }

  private List<String> end(Terminal terminal, Tmux tmux, PaneView view) {
    Pane pane = view.pane();
    List<String> last = List.of();
    try {
      if (view.alive() && statusNow(terminal).takesInput()) {
        String leave = providers.get(terminal.provider()).manners().exitCommand();
        tmux.typing().submit(pane, Typed.of(leave), manner(terminal), null);
        awaitEnd(tmux.panes(), pane);
      }
      last = tmux.panes().capture(pane, Capture.last(Seat.LAST_LINES_MAX)).lines().toList();
    } catch (Refusal unheard) {
      // It is to end all the same, and so it does below; only its last lines are not kept.
      last = List.of();
    }
    tmux.panes().kill(pane);
    return last;
  }

  private static void awaitEnd(Panes panes, Pane pane) {
    long end = System.nanoTime() + LEAVE_LIMIT.toNanos();
    boolean waits = true;
    while (waits && panes.isAlive(pane)) waits = System.nanoTime() < end && pause();
  }

  private static boolean pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Terminals that share a session of tmux on one host. */
  public record Group(String session, String host, List<Terminal> terminals) {}

  /** Sessions with terminals that run; or all, also those whose terminals are over. */
  public List<Group> sessions(boolean all) {
    Map<String, List<Terminal>> bySession = new TreeMap<>();
    String after = "";
    for (List<Terminal> page = page(after); !page.isEmpty(); page = page(after)) {
      for (Terminal each : page) {
        after = each.id();
        @Nullable Seat seat = each.seat();
        if (seat == null || (!all && !seat.isLive())) continue;
        String key = seat.window().host() + "\n" + seat.window().session();
        bySession.computeIfAbsent(key, k -> new ArrayList<>()).add(each);
      }
    }
    return bySession.values().stream().map(Screens::group).toList();
  }

  private List<Terminal> page(String after) {
    return store.reading(tx -> tx.terminals().list(after, Terminals.PAGE_MAX));
  }

  private static Group group(List<Terminal> some) {
    Seat.Window window = some.get(0).seated().window();
    return new Group(window.session(), window.host(), List.copyOf(some));
  }
}
