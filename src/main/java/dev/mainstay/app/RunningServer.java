package dev.mainstay.app;

import dev.mainstay.access.Callers;
import dev.mainstay.access.LocalToken;
import dev.mainstay.app.Configuration.Key;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rest.RestServer;
import dev.mainstay.rest.ServerSettings;
import dev.mainstay.rest.Wakeups;
import dev.mainstay.store.StoreAddress;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The server with all it needs; stopping ends it in the order opposite to its beginning. */
final class RunningServer implements Serving {
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "::1", "[::1]");

  private final RestServer server;
  private final Mainstay mainstay;
  private final OpenTelemetry tracing;
  private final LocalToken token;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private boolean closed;

  private RunningServer(
      RestServer server, Mainstay mainstay, OpenTelemetry tracing, LocalToken token) {
    this.server = server;
    this.mainstay = mainstay;
    this.tracing = tracing;
    this.token = token;
  }

  static RunningServer start(
      Configuration configuration, StoreAddress address, LocalToken token, Wanted wanted) {
    refuseOpenNetwork(wanted);
    ServerLog.configure();
    token.get(); // made before anybody can ask
    Mainstay mainstay = Mainstay.open(address, configuration.storeSettings());
    OpenTelemetry tracing = Tracing.to(configuration.get(Key.OTEL_ENDPOINT).text().strip());
    try {
      var callers = new Callers(token, mainstay.access());
      var settings =
          ServerSettings.on(wanted.host(), wanted.port())
              .called(names(configuration.get(Key.SERVE_HOSTS).text()));
      RestServer server = RestServer.start(mainstay, callers, settings, Wakeups.polling(), tracing);
      RunningServer running = new RunningServer(server, mainstay, tracing, token);
      Runtime.getRuntime().addShutdownHook(new Thread(running::close, "mainstay-stop"));
      return running;
    } catch (RuntimeException failed) {
      mainstay.close();
      Tracing.close(tracing);
      throw failed;
    }
  }

  private static void refuseOpenNetwork(Wanted wanted) {
    if (wanted.certificate() != null || wanted.key() != null) {
      throw Refusal.invalid("TLS is not spoken yet; leave out --tls-cert and --tls-key");
    }
    if (!LOOPBACK.contains(wanted.host())) {
      throw Refusal.invalid(
          wanted.host()
              + " can be reached from outside, where a token would be read by others; listen on 127.0.0.1");
    }
  }

  private static List<String> names(String commas) {
    return Arrays.stream(commas.split(",")).map(String::strip).filter(n -> !n.isEmpty()).toList();
  }

  @Override
  public String address() {
    return "http://127.0.0.1:" + server.port();
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
    server.close();
    mainstay.close();
    Tracing.close(tracing);
    stopped.countDown();
  }
}
