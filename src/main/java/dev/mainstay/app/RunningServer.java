package dev.mainstay.app;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.mainstay.access.Callers;
import dev.mainstay.access.LocalToken;
import dev.mainstay.app.Configuration.Key;
import dev.mainstay.cli.Serving;
import dev.mainstay.dashboard.PageDoor;
import dev.mainstay.dashboard.PageFiles;
import dev.mainstay.domain.Refusal;
import dev.mainstay.mcp.HttpDoor;
import dev.mainstay.mcp.Registry;
import dev.mainstay.mcp.Rooms;
import dev.mainstay.rest.Mounted;
import dev.mainstay.rest.RestServer;
import dev.mainstay.rest.ServerLimits;
import dev.mainstay.rest.ServerSettings;
import dev.mainstay.rest.Surroundings;
import dev.mainstay.rest.Tls;
import dev.mainstay.store.StoreAddress;
import io.opentelemetry.api.OpenTelemetry;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The server with all it needs; stopping ends it in the order opposite to its beginning. */
final class RunningServer implements Serving {
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "::1", "[::1]");

  private static final List<String> EVERYWHERE = List.of("0.0.0.0", "::");

  private final RestServer server;
  private final Behind behind;
  private final LocalToken token;
  private final String shown;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private boolean closed;

  private RunningServer(RestServer server, Behind behind, LocalToken token, String shown) {
    this.server = server;
    this.behind = behind;
    this.token = token;
    this.shown = shown;
  }

  /** What stands behind the server, and ends after it. */
  private record Behind(
      Mainstay mainstay, OpenTelemetry tracing, Errands errands, SharedStore.Answering launchers) {
    void close() {
      launchers.close();
      errands.close();
      mainstay.close();
      Tracing.close(tracing);
    }
  }

  /** What the server is for: a store and its terminals, and what agents find there over MCP. */
  record Offered(Function<Rooms, Registry> offer, TerminalSetup setup, StoreAddress address) {
    HttpDoor mcp(Rooms rooms, Callers callers) {
      return new HttpDoor(
          offer.apply(rooms), Wiring.programVersion(), setup.root(), callers::isAlive);
    }
  }

  static RunningServer start(
      Configuration configuration, Offered offered, LocalToken token, Wanted wanted) {
    TerminalSetup setup = offered.setup();
    Tls tls = tls(wanted);
    ServerLog.configure();
    Thrift.begin();
    token.get(); // made before anybody can ask
    Mainstay mainstay = Mainstay.open(offered.address(), configuration.storeSettings(), setup);
    OpenTelemetry tracing = Tracing.to(configuration.get(Key.OTEL_ENDPOINT).text().strip());
    Path archive = setup.root().resolve(".mainstay").resolve("archive");
    Errands errands = Errands.start(mainstay, configuration.retentionAge().orElse(null), archive);
    var launchers = SharedStore.answerLaunchers(mainstay, setup.env());
    Behind behind = new Behind(mainstay, tracing, errands, launchers);
    try {
      var callers = new Callers(token, mainstay.access());
      var settings =
          ServerSettings.on(wanted.host(), wanted.port())
              .called(names(wanted.host(), configuration.get(Key.SERVE_HOSTS).text()))
              .with(ServerLimits.within(filesMax()))
              .with(tls);
      HttpDoor mcp = offered.mcp(mainstay, callers);
      var around = new Surroundings(mainstay.wakeups(), tracing, doors(mcp, setup));
      RestServer server = RestServer.start(mainstay, callers, settings, around);
      RunningServer running = new RunningServer(server, behind, token, shown(wanted, tls));
      Runtime.getRuntime().addShutdownHook(new Thread(running::close, "mainstay-stop"));
      if (tls == null) FirstLook.begin(wanted.host(), server.port(), token.get());
      return running;
    } catch (RuntimeException failed) {
      behind.close();
      throw failed;
    }
  }

  /** How many files this process may open, by {@code ulimit -n}. */
  private static long filesMax() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }

  /** What is answered beside the routes: agents over MCP, and the page. */
  private static List<Mounted> doors(HttpDoor mcp, TerminalSetup setup) {
    List<Mounted> doors = new ArrayList<>();
    doors.add(Mounted.forCallers(HttpDoor.PATH, mcp, mcp::close));
    String folder = setup.env().getOrDefault("MAINSTAY_PAGE", "");
    PageDoor page =
        new PageDoor(folder.isEmpty() ? PageFiles.built() : PageFiles.in(Path.of(folder)));
    for (String path : PageDoor.PATHS) doors.add(Mounted.forEverybody(path, page));
    return doors;
  }

  /** Beyond this machine a token would be read by others, unless it is sent over TLS. */
  private static @Nullable Tls tls(Wanted wanted) {
    Path certificate = wanted.certificate();
    Path key = wanted.key();
    if (certificate != null && key != null) return Tls.of(certificate, key);
    if (certificate != null || key != null) {
      throw Refusal.invalid("TLS needs both files; give --tls-cert and --tls-key");
    }
    if (LOOPBACK.contains(wanted.host())) return null;
    throw Refusal.invalid(
        wanted.host()
            + " can be reached from outside, where others could read a token; listen on 127.0.0.1, or give --tls-cert and --tls-key");
  }

  /** The server answers to the names of loopback anyway, and to those with its port alone. */
  private static List<String> names(String host, String commas) {
    Stream<String> named = Arrays.stream(commas.split(","));
    Stream<String> own = Stream.of(host).filter(name -> !LOOPBACK.contains(name));
    return Stream.concat(own, named).map(String::strip).filter(n -> !n.isEmpty()).toList();
  }

  /** An address that stands for all is shown as this machine's own. */
  private static String shown(Wanted wanted, @Nullable Tls tls) {
    String host = EVERYWHERE.contains(wanted.host()) ? "127.0.0.1" : wanted.host();
    boolean bare = host.contains(":") && !host.startsWith("[");
    return (tls == null ? "http://" : "https://") + (bare ? "[" + host + "]" : host);
  }

  @Override
  public String address() {
    return shown + ":" + server.port();
  }

  @Override
  public String link() {
    return address() + "/#token=" + token.get();
  }

  @Override
  public void await() {
    try {
      stopped.await();
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void close() {
    if (closed) return;
    closed = true;
    behind.mainstay().dispatcher().close(); // who waits for a task is answered, not broken off
    server.close();
    behind.close();
    stopped.countDown();
  }
}
