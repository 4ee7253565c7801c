package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Pause;
import dev.mainstay.process.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A tmux server of a test's own, which ends with the test. */
final class OwnTmux implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final TmuxServer server;
  final Panes panes;
  final Typing typing;
  private final Path folder;

  OwnTmux(Path folder) {
    assumeThat(Programs.run(List.of("tmux", "-V"), PATIENCE))
        .as("tmux is installed; terminals cannot be tested without it")
        .isPresent();
    this.folder = folder;
    this.server = TmuxServer.open(socket());
    this.panes = new Panes(server, folder.resolve("tmux"));
    this.typing = new Typing(panes);
  }

  TmuxSocket socket() {
    return TmuxSocket.at(folder.resolve("s"));
  }

  Pane shell(String window, String script, String... arguments) {
    var argv = new java.util.ArrayList<>(List.of("sh", "-c", script, "test"));
    argv.addAll(List.of(arguments));
    return panes.create(new PaneOrder("test", window, argv, folder, java.util.Map.of()));
  }

  /** Each look goes to tmux and back, so this needs no pause. */
  static void await(String what, BooleanSupplier holds) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited too long for " + what).isLessThan(end);
      Pause.briefly();
    }
  }

  void awaitShown(Pane pane, String text) {
    await(text, () -> typing.shows(pane, text));
  }

  void awaitEnd(Pane pane) {
    await("the end", () -> !panes.isAlive(pane));
  }

  @Override
  public void close() {
    // By its socket alone, and whatever the test did to the connection.
    server.close();
    Programs.run(List.of("tmux", "-S", folder.resolve("s").toString(), "kill-server"), PATIENCE);
  }
}
