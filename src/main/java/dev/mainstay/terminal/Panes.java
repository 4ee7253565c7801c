package dev.mainstay.terminal;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.ScreenText;
import dev.mainstay.store.LockFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Windows of tmux, with one program in each: start it, look at it, follow it, end it. What runs is
 * an argument list that no shell and no format of tmux ever reads.
 */
public final class Panes {
  private static final Duration KILL_GRACE = Duration.ofSeconds(2);
  private static final int LAST_LINES_MAX = 20;
  private static final String FIRST_WINDOW = "mainstay-first";

  /**
   * Runs a program in a folder and notes its exit code, which tmux itself forgets now and then. The
   * program does not learn of the tmux around it: what it would say to that concerns all others.
   * The moment at the end is for those who follow: with the last process of a pane tmux drops what
   * it has not told them yet.
   */
  private static final String WRAPPER =
      """
      trap : INT QUIT
      mainstay_end=${TMUX%,*}
      mainstay_end=$2/exit-${mainstay_end##*,}-${TMUX_PANE#%}
      unset TMUX TMUX_PANE
      cd -- "$1" || set -- "$1" "$2" false
      shift 2
      "$@"
      mainstay_code=$?
      umask 077
      echo "$mainstay_code" >"$mainstay_end.part" && mv -f "$mainstay_end.part" "$mainstay_end"
      sleep 0.2 2>/dev/null || sleep 1
      exit "$mainstay_code"
      """;

  private final TmuxServer server;
  private final TmuxFiles files;
  private final Follows follows;

  /**
   * The panes of a server.
   *
   * @param folder for what goes to tmux and comes from it; made if need be
   */
  public Panes(TmuxServer server, Path folder) {
    this.server = server;
    this.files = TmuxFiles.in(folder);
    this.follows = new Follows(server, this);
    files.forgetOtherLives(server.life());
  }

  TmuxServer server() {
    return server;
  }

  TmuxFiles files() {
    return files;
  }

  /** Starts a program in a window of its own; the session is made with its first window. */
  public synchronized Pane create(PaneOrder order) {
    if (find(order.session(), order.window()).isPresent()) {
      throw Refusal.conflict(
          Phrase.of(
              "the session %s has a window %s already; choose another name",
              order.session(), order.window()));
    }
    String life = server.life();
    boolean known = sessions().contains(order.session());
    // An environment given to a new session would be that of all its windows; so the session
    // begins with a window that does nothing.
    String first = known ? "" : emptySession(order.session());
    try {
      String said = server.tellIn(life, List.of(newWindow(order))).get(0).get(0);
      return new Pane(said.substring(2), life);
    } finally {
      if (!known) endFirst(life, first);
    }
  }

  private void endFirst(String life, String window) {
    try {
      close(life, List.of("kill-window", "-t", window));
    } catch (Refusal goneOrLeft) {
      // It does nothing and is in no list; a failure of what came before is the one to tell.
      return;
    }
  }

  private List<String> sessions() {
    return server.ask("list-sessions", "-F", "s #{session_name}").stream()
        .map(line -> line.substring(2))
        .toList();
  }

  private String emptySession(String name) {
    List<String> command = new ArrayList<>(List.of("new-session", "-d", "-s", name));
    command.addAll(List.of("-n", FIRST_WINDOW, "-P", "-F", "w #{window_id}"));
    command.addAll(List.of("--", "tail", "-f", "/dev/null"));
    return server.tellAll(List.of(command)).get(0).get(0).substring(2);
  }

  private List<String> newWindow(PaneOrder order) {
    List<String> command = new ArrayList<>(List.of("new-window", "-d"));
    command.addAll(List.of("-t", "=" + order.session() + ":", "-n", order.window()));
    command.addAll(List.of("-P", "-F", "p #{pane_id}"));
    for (Map.Entry<String, String> each : order.environment().entrySet()) {
      command.addAll(List.of("-e", each.getKey() + "=" + each.getValue()));
    }
    // tmux gives one argument to a shell and several to the kernel; there are always several. The
    // folder is one of them, for tmux would read -c as a format.
    command.addAll(List.of("--", "/bin/sh", "-c", WRAPPER, "mainstay-run"));
    command.addAll(List.of(order.folder().toString(), files.folder().toString()));
    command.addAll(order.argv());
    return command;
  }

  /** All windows but Mainstay's own, in the order of tmux. */
  public List<PaneView> list() {
    return list(server.life());
  }

  private List<PaneView> list(String life) {
    String format = "p:#{pane_id}:#{pane_pid}:#{pane_dead}:#{session_name}:#{window_name}";
    var rows = server.askIn(life, List.of(List.of("list-panes", "-a", "-F", format))).get(0);
    return rows.stream()
        .map(row -> row.split(":", 6))
        .filter(row -> !row[4].equals(TmuxServer.CONTROL_SESSION) && !row[5].equals(FIRST_WINDOW))
        .map(row -> view(row, life))
        .toList();
  }

  private static PaneView view(String[] row, String life) {
    boolean alive = !row[3].equals("1");
    return new PaneView(new Pane(row[1], life), row[4], row[5], Long.parseLong(row[2]), alive);
  }

  public Optional<PaneView> find(String session, String window) {
    return list().stream()
        .filter(each -> each.session().equals(session) && each.window().equals(window))
        .findFirst();
  }

  /** A window as it is now; empty once it is gone. */
  public Optional<PaneView> look(Pane pane) {
    try {
      return list(pane.life()).stream().filter(each -> each.pane().equals(pane)).findFirst();
    } catch (Refusal refusal) {
      if (refusal.code() != Refusal.Code.NOT_FOUND) throw refusal;
      return Optional.empty(); // tmux was started anew
    }
  }

  /** For how long nothing was printed in a window, as far as tmux counts: in whole seconds. */
  Duration quietFor(Pane pane) {
    String said =
        server
            .askIn(
                pane.life(),
                List.of(List.of("display-message", "-p", "-t", pane.id(), "a #{window_activity}")))
            .get(0)
            .get(0)
            .substring(2);
    if (!said.matches("[0-9]+")) return Duration.ZERO;
    // The second in which it last printed is not over before the next one begins.
    long seconds = Instant.now().getEpochSecond() - Long.parseLong(said) - 1;
    return Duration.ofSeconds(Math.max(0, seconds));
  }

  /** How large a window is, and where its cursor stands. */
  public ScreenShape shape(Pane pane) {
    String format = "s:#{pane_width}:#{pane_height}:#{cursor_x}:#{cursor_y}";
    String[] said =
        server
            .askIn(pane.life(), List.of(List.of("display-message", "-p", "-t", pane.id(), format)))
            .get(0)
            .get(0)
            .split(":", -1);
    return new ScreenShape(number(said[1]), number(said[2]), number(said[3]), number(said[4]));
  }

  private static int number(String said) {
    if (said.matches("[0-9]{1,6}")) return Integer.parseInt(said);
    throw Refusal.notFound("the window is gone; start it again");
  }

  public boolean isAlive(Pane pane) {
    return look(pane).filter(PaneView::alive).isPresent();
  }

  /** How the program ended; empty while it runs, and when its window is gone without a word. */
  public Optional<PaneEnd> end(Pane pane) {
    Optional<PaneView> now = look(pane);
    if (now.isPresent() && now.get().alive()) return Optional.empty();
    Optional<Integer> exit = files.exit(pane);
    if (now.isEmpty()) return exit.map(code -> new PaneEnd(code, List.of()));
    List<String> lines = capture(pane, Capture.last(LAST_LINES_MAX)).lines().toList();
    return Optional.of(new PaneEnd(exit.or(() -> seenByTmux(pane)).orElse(null), lines));
  }

  /** Of use where the wrapper itself was killed. */
  private Optional<Integer> seenByTmux(Pane pane) {
    String format = "e:#{pane_dead_status}:#{pane_dead_signal}";
    String[] said =
        server
            .askIn(pane.life(), List.of(List.of("display-message", "-p", "-t", pane.id(), format)))
            .get(0)
            .get(0)
            .split(":", -1);
    if (said[1].matches("[0-9]+")) return Optional.of(Integer.valueOf(said[1]));
    return said[2].matches("[0-9]+")
        ? Optional.of(128 + Integer.parseInt(said[2]))
        : Optional.empty();
  }

  /** What is on a screen and above it; lines that were wrapped for lack of room are whole again. */
  public String capture(Pane pane, Capture wanted) {
    String name = files.freshName();
    Path file = files.create(name);
    List<String> command = new ArrayList<>(List.of("capture-pane", "-b", name, "-t", pane.id()));
    command.add(wanted.escapes() ? "-e" : "-J");
    if (wanted.linesMax() > 0) command.addAll(List.of("-S", "-" + wanted.linesMax()));
    try {
      server.askIn(
          pane.life(),
          List.of(
              command,
              List.of("save-buffer", "-b", name, file.toString()),
              List.of("delete-buffer", "-b", name)));
      String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return tidy(wanted.escapes() ? text : ScreenText.of(text), wanted.linesMax());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    } finally {
      files.delete(file);
    }
  }

  /** Without the blanks that fill a screen up, and no more lines than wanted. */
  private static String tidy(String text, int linesMax) {
    List<String> lines = text.lines().map(String::stripTrailing).toList();
    int end = lines.size();
    while (end > 0 && lines.get(end - 1).isEmpty()) end--;
    int start = linesMax == 0 ? 0 : Math.max(0, end - linesMax);
    return String.join("\n", lines.subList(start, end));
  }

  /**
   * Closes one window after the other, whoever asks: tmux 3.3a dies with all windows when a session
   * loses its last one before it has told of the one before. Its answer comes after that.
   */
  void close(String life, List<String> command) {
    try (LockFile turn = LockFile.open(files.closing())) {
      turn.lock();
      try {
        server.askIn(life, List.of(command));
      } finally {
        turn.unlock();
      }
    } catch (IOException unusable) {
      throw TmuxFiles.unusable(files.folder(), unusable);
    } catch (Refusal refusal) {
      if (refusal.code() != Refusal.Code.NOT_FOUND) throw refusal; // else it is gone as it should
    }
  }

  /** Ends a window and all that runs in it, by force what does not go by itself. */
  public void kill(Pane pane) {
    Optional<PaneView> now = look(pane);
    if (now.isEmpty()) return;
    List<ProcessHandle> running =
        ProcessHandle.of(now.get().pid()).stream()
            .flatMap(each -> Stream.concat(Stream.of(each), each.descendants()))
            .filter(each -> now.get().alive())
            .toList();
    close(pane.life(), List.of("kill-pane", "-t", pane.id()));
    var all = running.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(all).get(KILL_GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException stubborn) {
      running.forEach(ProcessHandle::destroyForcibly);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Hands on what a program prints from now on, escape sequences and all, until it ends or the
   * following is closed. A listener that is slow misses the oldest, and is told how much. The last
   * words of a program that prints much and ends at once may be on its screen alone.
   */
  public Following follow(Pane pane, FollowListener listener) {
    return follows.follow(pane, listener);
  }
}
