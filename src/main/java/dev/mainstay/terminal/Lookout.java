package dev.mainstay.terminal;

import dev.mainstay.domain.Provider;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.ScreenStatus;
import dev.mainstay.domain.ScreenStatus.State;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Sighting;
import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Sighting.Screen;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.terminal.TerminalHost.Tmux;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks at terminals of this host and says how they stand. It remembers each screen, for only one
 * that stands still says anything, and what of ours the agent has yet to answer.
 */
final class Lookout {
  private static final int SCREEN_LINES = Screen.LINES_MAX;

  /**
   * What was seen.
   *
   * @param pane empty when there is no such window
   * @param exit how the program ended, if it did and anybody saw it
   * @param activeAt when the screen last changed
   */
  record Seen(Optional<Pane> pane, ScreenStatus status, @Nullable Integer exit, Instant activeAt) {}

  /** Of one window: whoever is started again owes no answer to what came before. */
  private record Memory(Pane pane, String text, Instant since, @Nullable Mark mark) {
    Memory with(@Nullable Mark newMark) {
      return new Memory(pane, text, since, newMark);
    }
  }

  private final TerminalHost host;
  private final Providers providers;
  private final Map<String, Memory> memories = new ConcurrentHashMap<>();

  Lookout(TerminalHost host, Providers providers) {
    this.host = host;
    this.providers = providers;
  }

  /** How a terminal with a seat here stands at this moment of the store's time. */
  Seen look(Terminal terminal, @Nullable Signal signal, Instant now) {
    Seat seat = host.seatHere(terminal);
    Tmux tmux = host.tmuxOf(seat.window());
    Optional<PaneView> found = tmux.panes().find(seat.window().session(), seat.window().name());
    if (found.isEmpty()) {
      var gone = new ScreenStatus(State.CRASHED, "its window is gone", List.of());
      return new Seen(Optional.empty(), gone, null, now);
    }
    Pane pane = found.get().pane();
    try {
      return seen(terminal, signal, now, tmux.panes(), found.get());
    } catch (Refusal refusal) {
      // It was closed between two questions, or tmux is away for a moment.
      if (refusal.code() != Refusal.Code.NOT_FOUND) throw refusal;
      var moving = new ScreenStatus(State.UNKNOWN, "its window is being closed", List.of());
      return new Seen(Optional.of(pane), moving, null, now);
    }
  }

  private Seen seen(
      Terminal terminal, @Nullable Signal signal, Instant now, Panes panes, PaneView view) {
    String text = panes.capture(view.pane(), Capture.last(SCREEN_LINES));
    Memory memory =
        memories.compute(
            terminal.id(),
            (id, before) ->
                before == null || !before.pane().equals(view.pane())
                    ? new Memory(view.pane(), text, now.minus(panes.quietFor(view.pane())), null)
                    : before.text().equals(text)
                        ? before
                        : new Memory(view.pane(), text, now, before.mark()));
    Screen screen = new Screen(text.lines().toList(), memory.since(), now);
    Mark mark = memory.mark() == null ? null : memory.mark().after(screen);
    if (mark != null && !mark.equals(memory.mark())) mark(terminal.id(), mark);
    PaneEnd end = view.alive() ? null : panes.end(view.pane()).orElse(null);
    Integer exit = end == null ? null : end.exit();
    var process = view.alive() ? Sighting.Process.ALIVE : Sighting.Process.ended(exit);
    var sighting = new Sighting(process, signal, screen, mark);
    ScreenStatus status = judged(terminal, sighting);
    return new Seen(Optional.of(view.pane()), status, exit, memory.since());
  }

  private ScreenStatus judged(Terminal terminal, Sighting sighting) {
    Provider provider;
    try {
      provider = providers.get(terminal.provider());
    } catch (Refusal unreadable) {
      if (!sighting.process().alive()) provider = providers.get(Provider.ANY);
      else return new ScreenStatus(State.UNKNOWN, unreadable.sentence(), List.of());
    }
    return ScreenStatus.judge(provider, sighting);
  }

  /** From now on this text is to be answered. */
  void mark(String terminal, Mark mark) {
    memories.computeIfPresent(terminal, (id, before) -> before.with(mark));
  }

  /** Forgets all but these. */
  void keepOnly(Set<String> terminals) {
    memories.keySet().retainAll(terminals);
  }

  void forget(String terminal) {
    memories.remove(terminal);
  }
}
