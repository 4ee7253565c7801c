package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.cli.Serving;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ServeTest {
  @TempDir Path folder;

  @BeforeEach
  void aRepository() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
  }

  private Serving serve(String host, int port) {
    var wiring = new Wiring(Map.of("USER", "ada"), folder);
    return wiring.serve(null, new Serving.Wanted(host, port, null, null));
  }

  @Test
  void the_link_lets_its_person_in_until_the_server_is_closed() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    URI tasks;
    try (Serving serving = serve("127.0.0.1", 0)) {
      String token = serving.link().replaceFirst(".*#token=", "");
      assertThat(token).isEqualTo(Files.readString(folder.resolve(".mainstay/token")).strip());
      tasks = URI.create(serving.address() + "/tasks");
      var request =
          HttpRequest.newBuilder(tasks).header("Authorization", "Bearer " + token).build();
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
    assertThatThrownBy(
            () -> client.send(HttpRequest.newBuilder(tasks).build(), BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
    try (Mainstay open = Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString())) {
      assertThat(open.access().list()).isEmpty();
    }
  }

  /** The very first page of a server would take long: classes, queries and files are met anew. */
  @Test
  void the_page_was_looked_at_before_anybody_comes_and_nothing_is_left_of_it() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    try (Serving serving = serve("127.0.0.1", 0)) {
      String token = serving.link().replaceFirst(".*#token=", "");
      var request =
          HttpRequest.newBuilder(URI.create(serving.address() + "/metrics"))
              .header("Authorization", "Bearer " + token)
              .build();
      String figures = "";
      while (!figures.contains("method=\"DELETE\",route=\"/sign-in\",status=\"200\"")) {
        figures = client.send(request, BodyHandlers.ofString()).body();
      }
      assertThat(figures).contains("route=\"/now\",status=\"200\"").doesNotContain("status=\"4");
    }
    try (Mainstay open = Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString())) {
      assertThat(open.journal().after(Position.BEGINNING, null, 10)).isEmpty();
    }
  }

  /** Without its port a name would stand for a server on port 80. */
  @Test
  void a_loopback_name_needs_the_port_and_an_origin_the_scheme() throws Exception {
    try (Serving serving = serve("127.0.0.1", 0)) {
      URI own = URI.create(serving.address());
      String host = "127.0.0.1:" + own.getPort();
      assertThat(status(own, host, "Origin: http://" + host)).isEqualTo("200");
      assertThat(status(own, "127.0.0.1", "X: y")).isEqualTo("403");
      assertThat(status(own, host, "Origin: https://" + host)).isEqualTo("403");
    }
  }

  private static String status(URI server, String host, String line) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      String head = "GET /health HTTP/1.1\r\nHost: " + host + "\r\n" + line;
      String request = head + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readAllBytes();
      return new String(answer, StandardCharsets.US_ASCII).split(" ")[1];
    }
  }

  @Test
  void a_server_whose_store_was_deleted_acknowledges_nothing_and_is_not_ready() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    try (Serving serving = serve("127.0.0.1", 0)) {
      var create =
          HttpRequest.newBuilder(URI.create(serving.address() + "/tasks"))
              .header("Authorization", "Bearer " + serving.link().replaceFirst(".*#token=", ""))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{\"title\": \"one\"}"))
              .build();
      assertThat(client.send(create, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
      try (Stream<Path> all = Files.list(folder.resolve(".mainstay"))) {
        for (Path file : all.filter(each -> each.toString().contains("sqlite3")).toList()) {
          Files.delete(file);
        }
      }
      for (int i = 0; i < 2; i++) {
        var refused = client.send(create, BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("store_unavailable", "was deleted");
      }
      var ready = HttpRequest.newBuilder(URI.create(serving.address() + "/ready")).build();
      assertThat(client.send(ready, BodyHandlers.ofString()).statusCode()).isEqualTo(503);
    }
    assertThat(folder.resolve(".mainstay/state.sqlite3")).doesNotExist();
  }

  @Test
  void a_port_that_is_taken_is_one_sentence() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CliRun run = CliRun.of(folder, "", "serve", "--port", Integer.toString(taken.getLocalPort()));
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("--port").hasLineCount(1);
    }
  }

  @Test
  void an_address_that_others_reach_is_refused() {
    assertThatThrownBy(() -> serve("0.0.0.0", 0))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("127.0.0.1");
    assertThat(CliRun.of(folder, "", "serve", "--port", "70000").code()).isEqualTo(1);
  }

  @Test
  void tokens_are_a_persons_business() {
    CliRun.of(folder, "", "task", "create", "one");
    CliRun issue = CliRun.of(folder, "", "token", "issue", "--role", "viewer", "--name", "wall");
    assertThat(issue.code()).isEqualTo(4);
    assertThat(issue.err()).contains("persons alone");
    assertThat(CliRun.of(folder, "", "token", "rotate").code()).isEqualTo(4);
    assertThat(CliRun.of(folder, "", "token", "list", "--json").out().strip())
        .isEqualTo("{\"tokens\":[]}");
    CliRun role = CliRun.of(folder, "", "token", "issue", "--role", "boss", "--name", "x");
    assertThat(role.code()).isEqualTo(1);
    assertThat(role.err()).contains("person, agent or viewer");
  }
}
