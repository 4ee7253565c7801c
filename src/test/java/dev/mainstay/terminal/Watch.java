package dev.mainstay.terminal;

import dev.mainstay.domain.Provider;
import dev.mainstay.domain.ScreenStatus;
import dev.mainstay.domain.Sighting;
import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Sighting.Screen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Looks at one pane again and again, and judges what is on it. */
final class Watch {
  private final Panes panes;
  private final Pane pane;
  private final Provider provider;
  private List<String> lines = List.of();
  private Instant unchangedSince = Instant.now();
  private Mark mark;

  Watch(Panes panes, Pane pane, Provider provider) {
    this.panes = panes;
    this.pane = pane;
    this.provider = provider;
  }

  /** From now on the question is whether this is answered. */
  void sent(String text) {
    mark = new Mark(text, Instant.now(), false);
  }

  ScreenStatus look() {
    List<String> now = panes.capture(pane, Capture.last(Screen.LINES_MAX)).lines().toList();
    Instant readAt = Instant.now();
    if (!now.equals(lines)) unchangedSince = readAt;
    lines = now;
    Screen screen = new Screen(lines, unchangedSince, readAt);
    if (mark != null) mark = mark.after(screen);
    return ScreenStatus.judge(provider, new Sighting(process(), null, screen, mark));
  }

  private Sighting.Process process() {
    Optional<PaneEnd> end = panes.end(pane);
    return end.map(e -> Sighting.Process.ended(e.exit())).orElse(Sighting.Process.ALIVE);
  }

  /** Looks until it stands like this. */
  ScreenStatus await(ScreenStatus.State state) {
    ScreenStatus[] last = {look()};
    OwnTmux.await(
        state + "; it is " + last[0],
        () -> {
          last[0] = look();
          return last[0].state() == state;
        });
    return last[0];
  }

  /** What it saw last. */
  boolean shows(String text) {
    return lines.stream().anyMatch(line -> line.contains(text));
  }
}
