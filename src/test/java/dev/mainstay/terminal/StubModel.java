package dev.mainstay.terminal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A model that is no model: it keeps what agents ask it and answers what the test says, when the
 * test says so. It speaks the streams of OpenAI (chat and responses) and Gemini, on loopback only,
 * and refuses to be a proxy to anywhere.
 */
final class StubModel implements AutoCloseable {
  private static final String ASIDE = "A title";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool(StubModel::daemon);
  private final List<List<String>> turns = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile String answer = "";

  StubModel() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private static Thread daemon(Runnable work) {
    Thread made = new Thread(work, "stub-model");
    made.setDaemon(true);
    return made;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What every turn is answered with from now on, but not before {@link #speak}. */
  void holdBack(String newAnswer) {
    gate.countDown();
    answer = newAnswer;
    gate = new CountDownLatch(1);
  }

  void speak() {
    gate.countDown();
  }

  /** Every text in each request of a turn, oldest turn first. */
  List<List<String>> turns() {
    return List.copyOf(turns);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = String.valueOf(exchange.getRequestURI().getPath());
      if (!exchange.getRequestMethod().equals("POST") || body.length == 0) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      JsonObject asked = JsonText.object(new String(body, StandardCharsets.UTF_8));
      // Only turns come with tools; what else is asked, such as for a title, waits for nobody.
      boolean turn = asked.has("tools");
      String said = ASIDE;
      if (turn) {
        CountDownLatch open = gate;
        said = answer;
        turns.add(texts(asked.asMap()));
        open.await();
      }
      send(exchange, events(path, said));
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<String> texts(Object value) {
    List<String> found = new ArrayList<>();
    collect(value, found);
    return List.copyOf(found);
  }

  private static void collect(@Nullable Object value, List<String> found) {
    if (value instanceof String text) found.add(text);
    if (value instanceof JsonObject object) collect(object.asMap().values(), found);
    if (value instanceof Map<?, ?> map) collect(map.values(), found);
    if (value instanceof Collection<?> some) some.forEach(each -> collect(each, found));
  }

  private static void send(HttpExchange exchange, List<JsonObject> events) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      for (JsonObject each : events) {
        String name = each.has("type") ? "event: " + each.text("type") + "\n" : "";
        String line = name + "data: " + JsonText.write(each) + "\n\n";
        out.write(line.getBytes(StandardCharsets.UTF_8));
      }
      out.flush();
    }
  }

  private static List<JsonObject> events(String path, String said) {
    if (path.endsWith("/responses")) return responses(said);
    if (path.endsWith("/chat/completions")) return chat(said);
    return List.of(gemini(said));
  }

  private static List<JsonObject> responses(String said) {
    JsonObject begun =
        JsonObject.of("type", "message", "id", "msg_1", "role", "assistant", "content", List.of());
    JsonObject text = JsonObject.of("type", "output_text", "text", said);
    JsonObject ended = begun.with("content", List.of(text));
    JsonObject usage = JsonObject.of("input_tokens", 1, "output_tokens", 1, "total_tokens", 2);
    return List.of(
        JsonObject.of("type", "response.created", "response", JsonObject.of("id", "resp_1")),
        JsonObject.of("type", "response.output_item.added", "output_index", 0, "item", begun),
        JsonObject.of("type", "response.output_text.delta", "item_id", "msg_1", "delta", said),
        JsonObject.of("type", "response.output_item.done", "output_index", 0, "item", ended),
        JsonObject.of(
            "type",
            "response.completed",
            "response",
            JsonObject.of("id", "resp_1", "usage", usage)));
  }

  private static List<JsonObject> chat(String said) {
    return List.of(
        chunk(JsonObject.of("role", "assistant", "content", said), null),
        chunk(JsonObject.EMPTY, "stop"));
  }

  private static JsonObject chunk(JsonObject delta, @Nullable String finish) {
    JsonObject choice = JsonObject.of("index", 0, "delta", delta, "finish_reason", finish);
    return JsonObject.of(
            "id", "c-1", "object", "chat.completion.chunk", "created", 1, "model", "stub")
        .with("choices", List.of(choice));
  }

  private static JsonObject gemini(String said) {
    JsonObject content =
        JsonObject.of("role", "model", "parts", List.of(JsonObject.of("text", said)));
    JsonObject candidate = JsonObject.of("index", 0, "content", content, "finishReason", "STOP");
    return JsonObject.of("candidates", List.of(candidate));
  }

  @Override
  public void close() {
    speak();
    server.stop(0);
    threads.shutdownNow();
  }
}
