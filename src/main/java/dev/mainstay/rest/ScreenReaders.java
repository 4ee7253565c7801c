package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.rest.ServerSettings.Readers;
import dev.mainstay.terminal.Capture;
import dev.mainstay.terminal.Following;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.Screens.Mode;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;

/**
 * Those who look at terminals over HTTP. Each sees the screen as it is, then all that is printed;
 * what is printed at the very moment of the look may come twice, and nothing is left out unsaid.
 */
final class ScreenReaders implements AutoCloseable {
  /** Each may have a mebibyte waiting for it. */
  static final int SCREEN_READERS_MAX = 100;

  private final Callers callers;
  private final Streams streams;
  private final Set<ScreenViewer> viewers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ScreenReaders(Callers callers, Readers limits, ExecutorService threads) {
    this.callers = callers;
    int max = Math.min(limits.max(), SCREEN_READERS_MAX);
    this.streams = new Streams(new Readers(limits.stall(), max), threads);
  }

  int count() {
    return streams.count();
  }

  /** Who wants to see which terminal, and whether with what only a terminal understands. */
  record Looking(Caller caller, String terminal, boolean escapes) {}

  /** Begins to follow; refused where nothing runs, and when as many look as may. */
  SystemRoutes.Streaming open(Screens screens, Looking looking) {
    if (closed) throw DoorRefusal.busy("the server stops; come again later");
    streams.refuseWhenFull();
    ScreenViewer viewer = new ScreenViewer(looking.escapes());
    Following following = screens.follow(looking.terminal(), viewer);
    return http -> begin(http, screens, looking, new Watched(viewer, following));
  }

  private record Watched(ScreenViewer viewer, Following following) {}

  private CompletableFuture<?> begin(
      Context http, Screens screens, Looking looking, Watched watched) {
    try {
      return streams.begin(http, out -> serve(out, screens, looking, watched));
    } catch (RuntimeException failed) {
      watched.viewer().leave();
      watched.following().close();
      throw failed;
    }
  }

  private void serve(ServletOutputStream out, Screens screens, Looking looking, Watched watched)
      throws IOException, InterruptedException {
    ScreenViewer viewer = watched.viewer();
    viewers.add(viewer);
    try {
      if (closed) return;
      Streams.send(out, Streams.ALIVE);
      Capture visible = Capture.visible();
      Capture wanted = looking.escapes() ? visible.withEscapes() : visible;
      viewer.show(out, screens.output(looking.terminal(), Mode.FULL, wanted));
      while (!viewer.awaitEnd(streams.heartbeat())) {
        if (!callers.isAlive(looking.caller())) return;
        viewer.beat();
      }
    } finally {
      viewers.remove(viewer);
      viewer.leave();
      watched.following().close();
      viewer.awaitWriter();
    }
  }

  /** Ends all streams; nobody is told that a program ended, since it did not. */
  @Override
  public void close() {
    closed = true;
    viewers.forEach(ScreenViewer::leave);
  }
}
