package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rest.ServerSettings.Readers;
import dev.mainstay.terminal.Capture;
import dev.mainstay.terminal.Following;
import dev.mainstay.terminal.ScreenShape;
import dev.mainstay.terminal.Screens;
import dev.mainstay.terminal.Screens.Mode;
import io.javalin.http.Context;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Those who look at terminals over HTTP. Each sees the screen as it is, then all that is printed;
 * what is printed at the very moment of the look may come twice, and nothing is left out unsaid.
 */
final class ScreenReaders implements AutoCloseable {
  /** Of terminals that are looked at, each counted as often: a mebibyte may wait for each look. */
  static final int SCREEN_READERS_MAX = 100;

  /** How many terminals one answer tells of. */
  static final int SCREENS_AT_ONCE_MAX = 12;

  /** How soon a reader who draws a screen himself learns that it has another size. */
  private static final Duration RESIZED = Duration.ofSeconds(2);

  private final Callers callers;
  private final Streams streams;
  private final Set<Outlet> outlets = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ScreenReaders(Callers callers, Readers limits, ExecutorService threads) {
    this.callers = callers;
    int max = Math.min(limits.max(), SCREEN_READERS_MAX);
    this.streams = new Streams(new Readers(limits.stall(), max), threads);
  }

  /** How many looks at a terminal there are. */
  int count() {
    return streams.count();
  }

  /** Who wants to see which terminals, and whether with what only a terminal understands. */
  record Looking(Caller caller, List<String> terminals, boolean escapes) {}

  /** One answer, with those who write to it and what they follow. */
  private record Watched(
      Outlet outlet, Map<ScreenViewer, @Nullable Refusal> viewers, List<Following> followed) {
    void close() {
      outlet.leave();
      viewers.keySet().forEach(ScreenViewer::leave);
      followed.forEach(Following::close);
    }
  }

  /** Begins to follow one; refused where nothing runs, and when as many look as may. */
  SystemRoutes.Streaming open(Screens screens, Looking looking) {
    refuseWhenBusy(1);
    Outlet outlet = new Outlet(1);
    var viewer = new ScreenViewer(looking.terminals().get(0), looking.escapes(), false, outlet);
    Following following = screens.follow(viewer.terminal(), viewer);
    Map<ScreenViewer, @Nullable Refusal> viewers = new LinkedHashMap<>();
    viewers.put(viewer, null);
    return begun(screens, looking, new Watched(outlet, viewers, List.of(following)));
  }

  /** The same for several in one answer, where each event says of which it tells. */
  SystemRoutes.Streaming openAll(Screens screens, Looking looking) {
    refuseWhenBusy(looking.terminals().size());
    Outlet outlet = new Outlet(looking.terminals().size());
    Map<ScreenViewer, @Nullable Refusal> viewers = new LinkedHashMap<>();
    List<Following> followed = new ArrayList<>();
    Watched watched = new Watched(outlet, viewers, followed);
    try {
      for (String each : looking.terminals()) {
        ScreenViewer viewer = new ScreenViewer(each, looking.escapes(), true, outlet);
        viewers.put(viewer, follow(screens, viewer, followed));
      }
    } catch (RuntimeException failed) {
      watched.close(); // or those that are followed already would be for ever
      throw failed;
    }
    return begun(screens, looking, watched);
  }

  /** Why there is nothing to see, if so; the others are seen all the same. */
  private static @Nullable Refusal follow(
      Screens screens, ScreenViewer viewer, List<Following> followed) {
    try {
      followed.add(screens.follow(viewer.terminal(), viewer));
      return null;
    } catch (Refusal refused) {
      return refused;
    }
  }

  private void refuseWhenBusy(int terminals) {
    if (closed) throw DoorRefusal.busy("the server stops; come again later");
    streams.refuseWhenFull(terminals);
  }

  private SystemRoutes.Streaming begun(Screens screens, Looking looking, Watched watched) {
    return http -> begin(http, screens, looking, watched);
  }

  private CompletableFuture<?> begin(
      Context http, Screens screens, Looking looking, Watched watched) {
    try {
      int terminals = looking.terminals().size();
      return streams.begin(http, terminals, out -> serve(out, screens, looking, watched));
    } catch (RuntimeException failed) {
      watched.close();
      throw failed;
    }
  }

  private void serve(ServletOutputStream out, Screens screens, Looking looking, Watched watched)
      throws IOException, InterruptedException {
    Outlet outlet = watched.outlet();
    outlets.add(outlet);
    try {
      if (closed) return;
      Streams.send(out, Streams.ALIVE);
      outlet.begin(out);
      Sizes sizes = new Sizes(screens, looking);
      for (var each : watched.viewers().entrySet()) sizes.first(each.getKey(), each.getValue());
      while (!outlet.awaitEnd(sizes.pause(streams.heartbeat()))) {
        if (!callers.isAlive(looking.caller())) return;
        sizes.again();
        outlet.beat();
      }
    } finally {
      outlets.remove(outlet);
      watched.close();
      outlet.awaitWriter();
    }
  }

  /** Shows screens, and shows those again whose size has changed: their text is laid out anew. */
  private static final class Sizes {
    private final Screens screens;
    private final Capture wanted;
    private final boolean drawn;
    private final Map<ScreenViewer, ScreenShape> seen = new LinkedHashMap<>();

    Sizes(Screens screens, Looking looking) {
      this.screens = screens;
      Capture visible = Capture.visible();
      this.wanted = looking.escapes() ? visible.withEscapes() : visible;
      this.drawn = looking.escapes();
    }

    Duration pause(Duration heartbeat) {
      return seen.isEmpty() || heartbeat.compareTo(RESIZED) < 0 ? heartbeat : RESIZED;
    }

    void first(ScreenViewer viewer, @Nullable Refusal refused) {
      if (refused != null) {
        viewer.refuse(refused.sentence());
        return;
      }
      show(viewer, drawn && viewer.isNamed() ? screens.shape(viewer.terminal()) : null);
    }

    private void show(ScreenViewer viewer, @Nullable ScreenShape shape) {
      if (shape != null) seen.put(viewer, shape);
      viewer.show(screens.output(viewer.terminal(), Mode.FULL, wanted), shape);
    }

    void again() {
      for (var each : List.copyOf(seen.entrySet())) {
        try {
          ScreenShape now = screens.shape(each.getKey().terminal());
          if (!now.isAsLargeAs(each.getValue())) show(each.getKey(), now);
        } catch (Refusal over) {
          seen.remove(each.getKey()); // its end is told by who follows it
        }
      }
    }
  }

  /** Ends all streams; nobody is told that a program ended, since it did not. */
  @Override
  public void close() {
    closed = true;
    outlets.forEach(Outlet::leave);
  }
}
