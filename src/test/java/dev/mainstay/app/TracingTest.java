package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.Refusal;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spans as a collector on this machine gets them, by OTLP over HTTP. */
@Timeout(120)
class TracingTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  @TempDir Path folder;
  private HttpServer collector;
  private final BlockingQueue<String> bodies = new LinkedBlockingQueue<>();

  @BeforeEach
  void aCollector() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          // One byte, one character: what it says in plain text can be looked for.
          byte[] body = exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
          bodies.add(new String(body, StandardCharsets.ISO_8859_1));
        });
    collector.start();
  }

  @AfterEach
  void stopCollector() {
    collector.stop(0);
  }

  private String endpoint() {
    return "http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/traces";
  }

  private static void ask(Serving serving, String path) throws Exception {
    String token = serving.link().replaceFirst(".*#token=", "");
    var request =
        HttpRequest.newBuilder(URI.create(serving.address() + path))
            .header("Authorization", "Bearer " + token)
            .header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
    HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private Serving serve(Map<String, String> env) {
    return new Wiring(env, folder).serve(null, new Serving.Wanted("127.0.0.1", 0, null, null));
  }

  private static int count(String text, String part) {
    return (text.length() - text.replace(part, "").length()) / part.length();
  }

  @Test
  void each_request_is_a_span_of_its_callers_trace_without_what_was_in_its_address()
      throws Exception {
    var env = Map.of("USER", "ada", "MAINSTAY_OTEL_ENDPOINT", endpoint());
    StringBuilder all = new StringBuilder();
    try (Serving serving = serve(env)) {
      ask(serving, "/tasks/T-001");
      ask(serving, "/tasks/T-002?none=of-your-business");
      ask(serving, "/health");
      while (count(all.toString(), "http.response.status_code") < 3) all.append(bodies.take());
    }
    assertThat(count(all.toString(), "GET /tasks/{id}")).isEqualTo(2);
    assertThat(count(all.toString(), "GET /health")).isEqualTo(1);
    String trace = new String(HexFormat.of().parseHex(TRACE), StandardCharsets.ISO_8859_1);
    assertThat(count(all.toString(), trace)).isEqualTo(3);
    assertThat(all.toString())
        .contains("mainstay")
        .doesNotContain("T-001")
        .doesNotContain("of-your-business");
  }

  @Test
  void without_an_endpoint_nothing_is_sent() throws Exception {
    assertThat(Tracing.to("")).isSameAs(OpenTelemetry.noop());
    try (Serving serving =
        serve(Map.of("USER", "ada", "OTEL_EXPORTER_OTLP_ENDPOINT", endpoint()))) {
      ask(serving, "/health");
    }
    assertThat(bodies).isEmpty();
  }

  @Test
  void an_endpoint_that_is_no_address_is_refused() {
    assertThatThrownBy(() -> Tracing.to("nowhere"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("otel.endpoint");
  }
}
