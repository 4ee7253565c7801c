package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Talks to a door over streams, with raw messages. */
final class StdioClient implements AutoCloseable {
  private static final int SECONDS_MAX = 20;

  final StdioDoor door;
  final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private final PipedOutputStream in = new PipedOutputStream();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private volatile boolean readerGone;
  private volatile Consumer<String> seen = line -> {};

  StdioClient(Registry registry) throws IOException {
    this(registry, new Origin("T1", Path.of("/project"), true));
  }

  StdioClient(Registry registry, Origin origin) throws IOException {
    door =
        new StdioDoor(registry, "1.2.3", origin, new PipedInputStream(in, 1 << 16), new Answers());
    Thread thread =
        new Thread(
            () -> {
              try {
                ended.complete(door.serve());
              } catch (InterruptedException told) {
                ended.completeExceptionally(told);
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private final class Answers extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    @Override
    public void write(int b) throws IOException {
      if (readerGone) throw new IOException("Broken pipe");
      if (b != '\n') {
        line.write(b);
        return;
      }
      String whole = line.toString(StandardCharsets.UTF_8);
      line.reset();
      answers.add(whole);
      seen.accept(whole);
    }
  }

  /** Is told of each line while its sender still writes it. */
  void whenWritten(Consumer<String> told) {
    seen = told;
  }

  void readNoMore() {
    readerGone = true;
  }

  void send(String text) {
    send((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  void send(byte[] bytes) {
    try {
      in.write(bytes);
      in.flush();
    } catch (IOException broken) {
      throw new java.io.UncheckedIOException(broken);
    }
  }

  void request(int id, String method, JsonObject params) {
    send(
        JsonText.write(
            JsonObject.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
  }

  void notice(String method, JsonObject params) {
    send(JsonText.write(JsonObject.of("jsonrpc", "2.0", "method", method, "params", params)));
  }

  JsonObject next() {
    try {
      String line = answers.poll(SECONDS_MAX, TimeUnit.SECONDS);
      assertThat(line).as("an answer").isNotNull();
      return JsonText.object(line);
    } catch (InterruptedException told) {
      throw new IllegalStateException(told);
    }
  }

  JsonObject ask(int id, String method, JsonObject params) {
    request(id, method, params);
    JsonObject answer = next();
    assertThat(answer.get("id")).isEqualTo((long) id);
    return answer;
  }

  JsonObject call(int id, String tool, JsonObject more) {
    JsonObject params = JsonObject.of("name", tool, "arguments", JsonObject.of("words", "hi"));
    return ask(id, "tools/call", params.with("_meta", more.isEmpty() ? null : more));
  }

  /** The handshake of the revisions that have one. */
  StdioClient begun(String version) {
    JsonObject client = JsonObject.of("name", "codex-mcp-client", "version", "1");
    JsonObject answer =
        ask(
            0,
            "initialize",
            JsonObject.of("protocolVersion", version, "capabilities", JsonObject.EMPTY)
                .with("clientInfo", client));
    assertThat(answer.object("result").text("protocolVersion")).isEqualTo(version);
    notice("notifications/initialized", JsonObject.EMPTY);
    return this;
  }

  void end() throws IOException {
    in.close();
  }

  boolean awaitEnd() throws Exception {
    return ended.get(SECONDS_MAX, TimeUnit.SECONDS);
  }

  /** What was written that nobody has taken yet. */
  int left() {
    return answers.size();
  }

  @Override
  public void close() throws IOException {
    end();
  }
}
