import dev.mainstay.domain.Typed;
import dev.mainstay.process.Programs;
import dev.mainstay.terminal.Capture;
import dev.mainstay.terminal.Pane;
import dev.mainstay.terminal.PaneOrder;
import dev.mainstay.terminal.Panes;
import dev.mainstay.terminal.TmuxServer;
import dev.mainstay.terminal.TmuxSocket;
import dev.mainstay.terminal.Typing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Times of single commands to tmux: {@code TmuxCommands FOLDER TIMES}. */
public final class TmuxCommands {
  private static final int WARM_UP = 200;

  public static void main(String[] args) {
    Path folder = Path.of(args[0]);
    int times = Integer.parseInt(args[1]);
    String socket = folder.resolve("s").toString();
    List<String> process = List.of("tmux", "-S", socket, "display-message", "-p", "x");
    try (TmuxServer server = TmuxServer.open(TmuxSocket.at(Path.of(socket)))) {
      Panes panes = new Panes(server, folder.resolve("files"));
      Typing typing = new Typing(panes);
      Pane pane =
          panes.create(
              PaneOrder.of("bench", "one", folder, "sh", "-c", "stty raw -echo; cat >/dev/null"));
      Typed line = Typed.of("one line of text");
      String control = time(times, () -> server.ask("display-message", "-p", "x"));
      String each = time(times / 10, () -> Programs.run(process, Duration.ofSeconds(10)));
      String screen = time(times, () -> panes.capture(pane, Capture.visible()));
      String paste = time(times, () -> typing.paste(pane, line, Typing.Manner.KEYS));
      System.out.println(
          String.format(
              Locale.ROOT,
              "{\"control\":%s,%n \"process_each\":%s,%n \"screen\":%s,%n \"paste\":%s}",
              control,
              each,
              screen,
              paste));
    }
  }

  private static String time(int times, Runnable what) {
    for (int i = 0; i < Math.min(WARM_UP, times); i++) what.run();
    long[] nanos = new long[times];
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      what.run();
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return String.format(
        Locale.ROOT,
        "{\"p50_ms\":%.3f,\"p99_ms\":%.3f}",
        nanos[times / 2] / 1e6,
        nanos[times * 99 / 100] / 1e6);
  }
}
