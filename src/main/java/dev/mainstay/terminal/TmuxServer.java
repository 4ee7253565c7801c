package dev.mainstay.terminal;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Child;
import dev.mainstay.terminal.TmuxConnection.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A tmux server of Mainstay's own, spoken to through one connection in control mode. It and all its
 * windows outlive this object; a lost connection is made again, as long as the server lives at
 * once, and otherwise with the next command, which starts a new one.
 */
public final class TmuxServer implements AutoCloseable {
  /** The session that the connection is attached to; windows that are followed are linked to it. */
  public static final String CONTROL_SESSION = "mainstay-control";

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(1);
  private static final int RECONNECTS_MAX = 5;
  private static final long RECONNECT_PAUSE_MILLIS = 50;

  /**
   * A person's configuration is not read: what Mainstay relies on must not depend on it. Commands
   * are not kept in the log of messages, since environments are among them.
   */
  /** Every window inherits from tmux: what says which agent started it would be said of all. */
  private static final Set<String> NOT_INHERITED =
      Set.of(
          "TMUX",
          "TMUX_PANE",
          "CLAUDECODE",
          "CLAUDE_CODE_CHILD_SESSION",
          "CLAUDE_CODE_ENTRYPOINT",
          "CLAUDE_CODE_EXECPATH",
          "CLAUDE_CODE_SESSION_ID",
          "CLAUDE_PID",
          "CODEX_SANDBOX",
          "CODEX_THREAD_ID",
          "GEMINI_CLI",
          "GEMINI_SESSION_ID");

  private static final List<List<String>> SETTINGS =
      List.of(
          List.of("set-option", "-s", "message-limit", "0"),
          List.of("set-option", "-s", "set-clipboard", "off"),
          List.of("set-option", "-s", "escape-time", "0"),
          List.of("set-option", "-g", "default-terminal", "screen-256color"),
          List.of("set-option", "-g", "default-size", "200x50"),
          List.of("set-option", "-g", "history-limit", "20000"),
          List.of("set-option", "-gw", "automatic-rename", "off"),
          List.of("set-option", "-gw", "allow-rename", "off"),
          List.of("set-option", "-gw", "remain-on-exit", "on"),
          // Older ones do not know it; then one more line tells that the program has ended.
          List.of("set-option", "-gwq", "remain-on-exit-format", ""));

  /** Ends the control session where it is the only session, without other windows and clients. */
  private static final List<String> LEAVE =
      List.of(
          "if-shell",
          "-F",
          "#{&&:#{==:#{S:#{session_name}/},"
              + CONTROL_SESSION
              + "/},#{&&:#{==:#{session_windows},1},#{==:#{session_attached},1}}}",
          "kill-session -t =" + CONTROL_SESSION);

  /**
   * A connection, and which life of the server it reached: pane numbers begin anew in each.
   *
   * @param life process and start of the server
   */
  private record Live(TmuxConnection connection, String life) {}

  private final String program;
  private final TmuxSocket socket;
  private final List<TmuxListener> listeners = new CopyOnWriteArrayList<>();
  private final Object connecting = new Object();
  private volatile @Nullable Live live;
  private volatile boolean closed;

  private TmuxServer(String program, TmuxSocket socket) {
    this.program = program;
    this.socket = socket;
  }

  /** Connects to the server at a socket, which is started if need be. */
  public static TmuxServer open(TmuxSocket socket) {
    return open("tmux", socket);
  }

  static TmuxServer open(String program, TmuxSocket socket) {
    TmuxServer server = new TmuxServer(program, socket);
    server.live();
    return server;
  }

  /** Gives a command once; if the connection is lost meanwhile, nobody knows what became of it. */
  public List<String> tell(String... argv) {
    return tellAll(List.of(List.of(argv))).get(0);
  }

  /** Gives a command that changes nothing, a second time if the first was lost. */
  public List<String> ask(String... argv) {
    return askAll(List.of(List.of(argv))).get(0);
  }

  /** The same for several commands, which are all sent before the first answer is awaited. */
  public List<List<String>> askAll(List<List<String>> commands) {
    return askIn(null, commands);
  }

  List<List<String>> askIn(@Nullable String life, List<List<String>> commands) {
    try {
      return tellIn(life, commands);
    } catch (Refusal refusal) {
      if (refusal.code() != Refusal.Code.STORE_UNAVAILABLE || closed) throw refusal;
      return tellIn(life, commands);
    }
  }

  /** Gives several commands, all of them before the first answer; the first "no" is thrown. */
  public List<List<String>> tellAll(List<List<String>> commands) {
    return tellIn(null, commands);
  }

  /**
   * The same within one life of the server: the number of a pane means another pane in the next.
   */
  List<List<String>> tellIn(@Nullable String life, List<List<String>> commands) {
    Live now = live();
    if (life != null && !life.equals(now.life())) {
      throw Refusal.notFound("the window is gone, for tmux was started anew; start it again");
    }
    return answers(now.connection(), commands);
  }

  private static List<List<String>> answers(
      TmuxConnection connection, List<List<String>> commands) {
    List<List<String>> answers = new ArrayList<>();
    @Nullable Refusal no = null;
    var replies = connection.send(commands);
    for (int i = 0; i < commands.size(); i++) {
      Reply reply = await(connection, replies.get(i));
      answers.add(reply.lines());
      if (!reply.fine() && no == null) no = refusal(commands.get(i).get(0), reply.text());
    }
    if (no != null) throw no;
    return answers;
  }

  private static Refusal refusal(String command, String said) {
    String sentence = Phrase.of("tmux refused %s: %s", command, said);
    return said.startsWith("can't find") || said.startsWith("no such")
        ? Refusal.notFound(sentence)
        : Refusal.conflict(sentence);
  }

  private static Reply await(TmuxConnection connection, CompletableFuture<Reply> reply) {
    try {
      return reply.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException gone) {
      throw Refusal.unavailable(
          "the connection to tmux was lost; look what became of the command and try again", gone);
    } catch (TimeoutException late) {
      // A later answer would be taken for that of the next command.
      connection.close();
      throw Refusal.unavailable(
          Phrase.of("tmux did not answer within %d s; try again", ANSWER_LIMIT.toSeconds()), late);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw Refusal.unavailable("waiting for tmux was interrupted; try again", stop);
    }
  }

  /** Which life of the server is connected: another one has none of the windows of this. */
  public String life() {
    return live().life();
  }

  /** The process that holds the connection; for those who want to see it die. */
  public long clientPid() {
    return live().connection().pid();
  }

  public TmuxSocket socket() {
    return socket;
  }

  public void listen(TmuxListener listener) {
    listeners.add(listener);
  }

  public void forget(TmuxListener listener) {
    listeners.remove(listener);
  }

  private Live live() {
    Live now = live;
    if (now != null && !now.connection().isLost()) return now;
    synchronized (connecting) {
      Live current = live;
      if (current != null && !current.connection().isLost()) return current;
      boolean first = current == null;
      Live made = connect(true);
      if (!first) listeners.forEach(TmuxListener::reconnected);
      return made;
    }
  }

  private Live connect(boolean mayStart) {
    if (closed) throw Refusal.unavailable("the connection to tmux is closed", null);
    List<String> argv = new ArrayList<>(List.of(program, "-u"));
    argv.addAll(socket.flags());
    if (!mayStart) argv.add("-N");
    argv.addAll(List.of("-f", "/dev/null", "-C", "new-session", "-A", "-s", CONTROL_SESSION));
    argv.addAll(List.of("--", "tail", "-f", "/dev/null"));
    Child child =
        Child.start(argv, NOT_INHERITED)
            .orElseThrow(
                () ->
                    Refusal.unavailable(
                        "tmux is not installed; install it (apt-get install tmux, or brew install"
                            + " tmux) to have terminals, all else works without",
                        null));
    TmuxConnection connection = new TmuxConnection(child, new ToAll(), this::lost);
    try {
      Reply greeting = await(connection, connection.greeting());
      if (!greeting.fine()) throw refusal("new-session", greeting.text());
      answers(connection, SETTINGS);
      String life =
          answers(connection, List.of(List.of("display-message", "-p", "#{pid}-#{start_time}")))
              .get(0)
              .get(0);
      Live made = new Live(connection, life);
      live = made;
      return made;
    } catch (RuntimeException failed) {
      connection.close();
      throw failed;
    }
  }

  /** Called by the reader of a connection that ended; another thread brings the next one. */
  private void lost() {
    if (closed) return;
    Thread thread = new Thread(this::reconnect, "tmux-reconnect");
    thread.setDaemon(true);
    thread.start();
  }

  private void reconnect() {
    for (int i = 0; i < RECONNECTS_MAX && !closed; i++) {
      synchronized (connecting) {
        Live current = live;
        // The one who was still connecting when it was lost says so himself.
        if (current == null || !current.connection().isLost()) return;
        try {
          connect(false);
          listeners.forEach(TmuxListener::reconnected);
          return;
        } catch (Refusal notYet) {
          if (closed) return;
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(RECONNECT_PAUSE_MILLIS << i);
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  /** Hands every notice to whoever listens at that moment. */
  private final class ToAll implements TmuxListener {
    @Override
    public void output(String pane, byte[] bytes) {
      for (TmuxListener each : listeners) each.output(pane, bytes);
    }

    @Override
    public void notice(String kind, String rest) {
      for (TmuxListener each : listeners) each.notice(kind, rest);
    }
  }

  /** Ends the server with all windows and what runs in them. */
  public void killServer() {
    synchronized (connecting) {
      closed = true;
      Live now = live;
      if (now == null || now.connection().isLost()) return;
      // The answer may or may not come before the end does.
      var gone = now.connection().send(List.of(List.of("kill-server"))).get(0);
      try {
        gone.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException ended) {
        now.connection().close();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends the connection. The server goes on as long as it has a window or another client. */
  @Override
  public void close() {
    closed = true;
    Live now = live;
    if (now == null) return;
    if (!now.connection().isLost()) leave(now.connection());
    now.connection().close();
  }

  /** tmux decides in one step, so that no window of another process is lost. */
  private static void leave(TmuxConnection connection) {
    var left = connection.send(List.of(LEAVE)).get(0);
    try {
      left.get(LEAVE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException ended) {
      return; // the server ended before it answered, or is busy and stays
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
