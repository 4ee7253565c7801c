package dev.mainstay.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server and passes requests on as a bad network does: some twice or
 * three times, some while others that came later go first, some once more long after they were
 * answered. A request with the header {@code Hold} is told to be lost, and passed on when somebody
 * lets it go. All answers of the server are kept by the key of the request.
 */
final class UnrulyProxy implements AutoCloseable {
  private static final List<String> PASSED_ON =
      List.of("Authorization", "Content-Type", "Idempotency-Key", "Mainstay-Fence");

  private static final long DELAY_NANOS_MAX = 30_000_000;
  private static final int LATE_MAX = 40;
  static final int LOST = 504;

  /** What a server said to one copy of a request. */
  record Said(int status, String body) {}

  private record Sent(String verb, URI path, Map<String, String> headers, String body) {}

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final HttpServer listener;
  private final String server;
  private final Random random;
  private final ExecutorService copies = Executors.newCachedThreadPool();
  private final Map<String, Queue<Said>> answers = new ConcurrentHashMap<>();
  private final Map<String, Sent> held = new ConcurrentHashMap<>();
  private final List<Sent> late = new ArrayList<>();
  final AtomicInteger repeated = new AtomicInteger();
  final AtomicInteger overtaken = new AtomicInteger();
  final AtomicInteger cameLate = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  UnrulyProxy(String server, long seed) throws IOException {
    this.server = server;
    this.random = new Random(seed);
    this.listener =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    listener.setExecutor(Executors.newCachedThreadPool());
    listener.createContext("/", this::take);
    listener.start();
  }

  String address() {
    return "http://127.0.0.1:" + listener.getAddress().getPort();
  }

  /** What was said to the copies of each request that has a key. */
  Map<String, Queue<Said>> answers() {
    return answers;
  }

  private synchronized int any(int bound) {
    return random.nextInt(bound);
  }

  private void take(HttpExchange http) throws IOException {
    try (http) {
      Sent sent = sent(http);
      String hold = http.getRequestHeaders().getFirst("Hold");
      if (hold != null) {
        held.put(hold, sent);
        answer(http, new Said(LOST, "{}"));
        return;
      }
      passLate();
      answer(http, passed(sent));
    } catch (InterruptedException | RuntimeException stopped) {
      throw new IOException(stopped);
    }
  }

  private static Sent sent(HttpExchange http) throws IOException {
    Map<String, String> headers = new ConcurrentHashMap<>();
    for (String name : PASSED_ON) {
      String value = http.getRequestHeaders().getFirst(name);
      if (value != null) headers.put(name, value);
    }
    String body = new String(http.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    return new Sent(http.getRequestMethod(), http.getRequestURI(), headers, body);
  }

  private static void answer(HttpExchange http, Said said) throws IOException {
    byte[] body = said.body().getBytes(StandardCharsets.UTF_8);
    http.getResponseHeaders().set("Content-Type", "application/json");
    http.sendResponseHeaders(said.status(), body.length == 0 ? -1 : body.length);
    http.getResponseBody().write(body);
  }

  /** The first answer is the client's; a copy comes at the same time, and one perhaps later. */
  private Said passed(Sent sent) throws IOException, InterruptedException {
    delay();
    if (!sent.headers().containsKey("Idempotency-Key")) return pass(sent);
    if (any(2) == 0) {
      repeated.incrementAndGet();
      copies.execute(() -> again(sent));
    }
    if (any(2) == 0) {
      synchronized (late) {
        late.add(sent);
      }
    }
    return pass(sent);
  }

  /** Requests that come in while others wait here go first, if they wait for less. */
  private void delay() {
    if (any(2) == 0) return;
    if (waiting.getAndIncrement() > 0) overtaken.incrementAndGet();
    LockSupport.parkNanos(any((int) DELAY_NANOS_MAX));
    waiting.decrementAndGet();
  }

  /** Some that were answered long ago arrive once more. */
  private void passLate() {
    while (true) {
      Sent sent;
      synchronized (late) {
        if (late.size() < LATE_MAX && any(4) > 0 || late.isEmpty()) return;
        sent = late.remove(any(late.size()));
      }
      cameLate.incrementAndGet();
      copies.execute(() -> again(sent));
    }
  }

  private void again(Sent sent) {
    try {
      pass(sent);
    } catch (IOException | InterruptedException gone) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lets go what was held back; null when nothing was. */
  @Nullable Said release(String hold) throws IOException, InterruptedException {
    Sent sent = held.remove(hold);
    return sent == null ? null : pass(sent);
  }

  private Said pass(Sent sent) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + sent.path()));
    sent.headers().forEach(request::setHeader);
    boolean bare = sent.body().isEmpty();
    request.method(
        sent.verb(), bare ? BodyPublishers.noBody() : BodyPublishers.ofString(sent.body()));
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    Said said = new Said(answer.statusCode(), answer.body());
    String key = sent.headers().get("Idempotency-Key");
    if (key != null) answers.computeIfAbsent(key, none -> new ConcurrentLinkedQueue<>()).add(said);
    return said;
  }

  /** Everything that is still to come late comes now. */
  void settle() throws InterruptedException {
    synchronized (late) {
      for (Sent each : late) copies.execute(() -> again(each));
      cameLate.addAndGet(late.size());
      late.clear();
    }
    copies.shutdown();
    if (!copies.awaitTermination(2, TimeUnit.MINUTES)) {
      throw new AssertionError("copies are still on their way");
    }
  }

  @Override
  public void close() {
    listener.stop(0);
    copies.shutdownNow();
  }
}
