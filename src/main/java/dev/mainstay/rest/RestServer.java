package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Dispatcher;
import dev.mainstay.rest.Route.Verb;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The HTTP server: mounts every route, answers, and stops without breaking off what it does. */
public final class RestServer implements AutoCloseable {
  private static final int THREADS_MIN = 8;
  private static final int THREADS_MAX = Dispatcher.WAITING_MAX + 250;

  /** How long requests that are being answered may take when the server stops. */
  static final Duration STOP_MAX = Duration.ofSeconds(3);

  static final Duration IDLE_MAX = Duration.ofSeconds(120);

  /** Connections that may wait to be accepted; the default of 50 is too few for a crowd. */
  private static final int ACCEPT_QUEUE_MAX = 1_024;

  private final ServerSettings settings;
  private final Doorkeeper doorkeeper;
  private final Rooms rooms;
  private final EventFeed feed;
  private final ExecutorService readerThreads = Threads.perReader();
  private final EventReaders readers;
  private final ScreenReaders screenReaders;
  private final Telemetry telemetry;
  private final List<Route> routes;
  private final List<Mounted> doors;
  private final Connections connections;
  private final Request.Desk desk;
  private final Javalin javalin;
  private byte @Nullable [] description;

  private RestServer(Rooms rooms, Callers callers, ServerSettings settings, Surroundings around) {
    this.settings = settings;
    this.connections = new Connections(settings.limits());
    this.desk = new Request.Desk(settings.limits());
    this.doors = around.doors();
    SignIns signIns = new SignIns(callers);
    this.doorkeeper = new Doorkeeper(callers, signIns, settings.names());
    this.rooms = rooms;
    this.feed = new EventFeed(rooms.journal(), around.wakeups());
    this.readers = new EventReaders(feed, callers, settings.readers(), readerThreads);
    this.screenReaders = new ScreenReaders(callers, settings.readers(), readerThreads);
    this.telemetry = new Telemetry(around.tracing(), readers::count);
    var export = new JournalExport(rooms.journal(), callers, settings.readers());
    this.routes = routes(rooms, new SystemRoutes(rooms, callers, signIns), export);
    this.javalin = Javalin.create(this::configure);
  }

  /** Starts to answer; a port that is taken is refused. */
  public static RestServer start(
      Rooms rooms,
      Callers callers,
      ServerSettings settings,
      Wakeups wakeups,
      OpenTelemetry tracing) {
    return start(rooms, callers, settings, new Surroundings(wakeups, tracing, List.of()));
  }

  /** The same, with doors that others answer at. */
  public static RestServer start(
      Rooms rooms, Callers callers, ServerSettings settings, Surroundings around) {
    RestServer server = new RestServer(rooms, callers, settings, around);
    try {
      server.javalin.start();
      return server;
    } catch (JavalinBindException taken) {
      server.close();
      throw Refusal.invalid(
          Phrase.of(
              "%s:%d cannot be listened on; is another server running there? choose another port with --port",
              settings.host(), settings.port()));
    }
  }

  private List<Route> routes(Rooms rooms, SystemRoutes system, JournalExport export) {
    List<Route> all = new ArrayList<>();
    all.addAll(OverviewRoutes.of(rooms)); // the graph is no task, so it comes before them
    all.addAll(TaskRoutes.of(rooms));
    all.addAll(ClaimRoutes.of(rooms));
    all.addAll(AssignmentRoutes.of(rooms));
    all.addAll(TermsRoutes.of(rooms));
    all.addAll(TerminalRoutes.of(rooms));
    all.addAll(ScreenRoutes.of(rooms, screenReaders));
    all.addAll(InboxRoutes.of(rooms));
    all.addAll(FlowRoutes.of(rooms));
    all.addAll(DelegationRoutes.of(rooms));
    all.addAll(WorkflowRoutes.of(rooms));
    all.addAll(ExecutionRoutes.of(rooms));
    all.addAll(TypeRoutes.of(rooms));
    all.addAll(StateRoutes.of(rooms));
    all.addAll(PlanRoutes.of(rooms));
    all.addAll(TrailRoutes.of(rooms));
    all.addAll(CheckpointRoutes.of(rooms));
    all.addAll(JournalRoutes.of(rooms));
    all.add(export.route());
    all.addAll(ArtifactRoutes.of(rooms));
    all.addAll(WorkspaceRoutes.of(rooms));
    all.addAll(ReservationRoutes.of(rooms));
    all.addAll(RunRoutes.of(rooms));
    all.addAll(AccessRoutes.of(rooms));
    all.add(SystemRoutes.events(rooms, feed, readers));
    all.addAll(system.of(telemetry::scrape, this::description));
    return List.copyOf(all);
  }

  List<Route> routes() {
    return routes;
  }

  /** What the library really answers, by its own account. */
  Set<String> mounted() {
    return javalin.unsafe.internalRouter.allHttpHandlers().stream()
        .map(each -> each.endpoint.method.name() + " " + Route.Target.described(each.endpoint.path))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  JsonObject openApi() {
    String scheme = settings.tls() == null ? "http" : "https";
    return OpenApi.of(routes, new OpenApi.Place(scheme, settings.host(), port()));
  }

  /** Made once: it is large, and whoever asks for it and does not read it keeps nothing more. */
  synchronized byte[] description() {
    byte[] made = description;
    if (made == null) {
      description = made = JsonText.write(openApi()).getBytes(StandardCharsets.UTF_8);
    }
    return made;
  }

  public int port() {
    return javalin.port();
  }

  int readers() {
    return readers.count();
  }

  int largeBodies() {
    return desk.bodies().largeOnes();
  }

  int connections() {
    return connections.count();
  }

  int screenReaders() {
    return screenReaders.count();
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.concurrency.useVirtualThreads = Threads.areVirtual();
    // A claim that waits keeps its thread; those who come to end their work must not wait for it.
    if (!Threads.areVirtual()) {
      config.jetty.threadPool = new QueuedThreadPool(THREADS_MAX, THREADS_MIN);
    }
    config.http.prefer405over404 = true;
    config.http.compressionStrategy = CompressionStrategy.NONE;
    config.http.asyncTimeout = 0; // those who listen stay
    config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
    config.jetty.modifyServer(
        server -> {
          server.setStopTimeout(STOP_MAX.toMillis());
          server.setHandler(connections);
          server.setErrorHandler(new ProblemPages());
        });
    config.jetty.addConnector(
        (server, http) -> {
          ServerConnector connector = connector(server, http);
          connector.setHost(settings.host());
          connector.setPort(settings.port());
          connector.setIdleTimeout(IDLE_MAX.toMillis());
          connector.setAcceptQueueSize(ACCEPT_QUEUE_MAX);
          connector.addBean(connections); // told of each connection
          return connector;
        });
    config.jetty.modifyServletContextHandler(this::mount);
    for (Route route : routes) {
      config.routes.addEndpoint(
          new Endpoint(
              HandlerType.findOrCreate(route.target().verb().name()),
              route.target().mounted(),
              http -> serve(http, route)));
      if (route.target().verb() == Verb.GET) config.routes.addEndpoint(head(route));
    }
    config.routes.exception(HttpResponseException.class, this::unmatched);
    config.routes.exception(Exception.class, (fault, http) -> unmatched(http, fault));
  }

  private void mount(ServletContextHandler context) {
    for (Mounted door : doors) {
      var holder =
          new ServletHolder(
              new MountedDoor(
                  door, doorkeeper, telemetry, new MountedDoor.Place(this::port, desk.bodies())));
      holder.setAsyncSupported(true);
      context.addServlet(holder, door.path());
    }
  }

  /** HEAD is GET without its body, so it needs the same token; a stream has nothing without it. */
  private Endpoint head(Route route) {
    boolean stream = route.giving().mediaType().equals(ScreenRoutes.EVENT_STREAM);
    return new Endpoint(
        HandlerType.HEAD,
        route.target().mounted(),
        stream
            ? http -> unmatched(http, new MethodNotAllowedResponse())
            : http -> serve(http, route));
  }

  private ServerConnector connector(Server server, HttpConfiguration http) {
    Tls tls = settings.tls();
    if (tls == null) return new ServerConnector(server, new HttpConnectionFactory(http));
    // Which names are the server's is the doorkeeper's business, not the certificate's.
    http.addCustomizer(new SecureRequestCustomizer(false));
    return new ServerConnector(server, tls.factory(), new HttpConnectionFactory(http));
  }

  private void serve(Context http, Route route) {
    Telemetry.Watch watch = telemetry.watch(http, route);
    Caller caller = null;
    Throwable bug = null;
    try {
      Answers.headers(http);
      doorkeeper.checkPlace(http, port());
      caller = doorkeeper.admit(http, route);
      refuseUnusedMatch(http, route);
      try (Request request = new Request(http, route, caller, desk, rooms.tasks()::resolve)) {
        request.refuseUnusedBody();
        Answers.write(http, route.handling().handle(request));
      }
    } catch (Refusal refused) {
      if (caller != null) note(caller, refused);
      refuse(http, Problem.of(refused));
    } catch (DoorRefusal refused) {
      Caller agent = refused.agent();
      if (agent != null)
        note(agent, Refusal.conflict(route.target() + ": " + refused.getMessage()).reserved());
      refuse(http, Problem.of(refused));
    } catch (RuntimeException | Error fault) {
      bug = fault;
      refuse(http, Problem.bug());
    } finally {
      watch.end(http.statusCode(), caller == null ? null : caller.actor().toString(), bug);
    }
  }

  private void refuse(Context http, Problem problem) {
    if (!Answers.isUnread(http.req())) {
      Answers.write(http, problem);
      return;
    }
    http.header("Connection", "close");
    Answers.writeNow(http, problem);
    desk.bodies().drain(http.req());
  }

  private void note(Caller caller, Refusal refused) {
    if (refused.isReserved()) rooms.noteRefused(Call.by(caller.actor(), Request.SOURCE), refused);
  }

  /** A condition that nobody would check is not passed over in silence. */
  private static void refuseUnusedMatch(Context http, Route route) {
    if (http.header("If-Match") != null && !route.taking().matching()) {
      throw Refusal.invalid(Phrase.of("%s does not take If-Match; leave it out", route.target()));
    }
  }

  private void unmatched(HttpResponseException fault, Context http) {
    unmatched(http, fault);
  }

  /** What no route answers: a path or a method that is not there, or a request cut short. */
  private void unmatched(Context http, Exception fault) {
    Telemetry.Watch watch = telemetry.watch(http, null);
    Answers.headers(http);
    int status = fault instanceof HttpResponseException known ? known.getStatus() : 500;
    boolean broken = status >= 500;
    refuse(http, problem(http, status));
    watch.end(http.statusCode(), null, broken ? fault : null);
  }

  private Problem problem(Context http, int status) {
    try {
      doorkeeper.checkPlace(http, port());
    } catch (DoorRefusal refused) {
      return Problem.of(refused);
    }
    return switch (status) {
      case 404 -> Problem.of(DoorRefusal.noSuchPath(http.path()));
      case 405 -> Problem.of(DoorRefusal.method(http.req().getMethod(), http.path()));
      default ->
          status >= 500
              ? Problem.bug()
              : new Problem(status, "invalid", "the request is not one this server understands");
    };
  }

  /** Takes no more, lets what is being answered end, and ends the event streams. */
  @Override
  public void close() {
    feed.close();
    screenReaders.close();
    doors.forEach(door -> door.closing().run());
    try {
      connections.closeIdle();
      javalin.stop();
    } catch (JavalinException late) {
      // Who was not answered in time is cut off, and that is no fault of what is closed after this.
      if (!(late.getCause() instanceof TimeoutException)) throw late;
    } finally {
      readerThreads.shutdownNow();
    }
  }
}
