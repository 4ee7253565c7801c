package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.Pause;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.store.Databases;
import io.opentelemetry.api.OpenTelemetry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that send slowly, or open many connections, and those who are served beside them. */
@Timeout(60)
class ServerLimitsTest extends OnServer {
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int RATE = ServerLimits.BODY_BYTES_PER_SECOND_MIN;
  private static final int MANY = 1_000;
  private static final int ANSWER_MILLIS_MAX = 30_000;
  private static final int DRIP_MILLIS = 20;

  private final List<Socket> open = new ArrayList<>();

  ServerLimitsTest() {
    super(Databases.SQLITE);
  }

  @AfterEach
  void closeSockets() throws IOException {
    for (Socket each : open) each.close();
  }

  private void limit(Duration head, Duration body, int connections, int byAddress) {
    server.close();
    var limits = new ServerLimits(head, body, RATE, connections, byAddress);
    server = start(ServerSettings.on("127.0.0.1", 0).with(limits));
  }

  private Socket connect(String from) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    socket.setSoTimeout(ANSWER_MILLIS_MAX);
    open.add(socket);
    return socket;
  }

  private Socket sent(String text) throws IOException {
    Socket socket = connect("127.0.0.1");
    send(socket, text);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n\r\n";
  }

  private String post(String token, int length) {
    return "POST /tasks HTTP/1.1\r\nHost: 127.0.0.1:"
        + server.port()
        + "\r\nAuthorization: Bearer "
        + token
        + "\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  /** Reads the answer to a request without a body whose answer has a length. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = socket.getInputStream().read();
      if (next < 0) return head.toString();
      head.append((char) next);
    }
    int length =
        Integer.parseInt(head.toString().replaceAll("(?si).*Content-Length: (\\d+).*", "$1"));
    return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
  }

  /** Sends a byte now and then until the server has had enough, and returns what it said. */
  private static String drip(Socket socket) throws IOException {
    socket.setSoTimeout(DRIP_MILLIS);
    StringBuilder said = new StringBuilder();
    while (true) {
      try {
        int next = socket.getInputStream().read();
        if (next < 0) return said.toString();
        said.append((char) next);
      } catch (SocketTimeoutException silent) {
        try {
          send(socket, "x");
        } catch (IOException closed) {
          return said.toString();
        }
      } catch (IOException reset) {
        return said.toString();
      }
    }
  }

  @Test
  void the_head_of_a_request_has_a_deadline_and_a_kept_connection_has_none() throws IOException {
    limit(SHORT, LONG, MANY, MANY);
    Socket kept = sent(get("/health"));
    assertThat(answer(kept)).contains(" 200 ");
    Socket second = sent(get("/health"));
    assertThat(answer(second)).contains(" 200 ");

    assertThat(drip(sent("GET /health HTTP/1.1\r\nX: "))).isEmpty();
    send(second, "GET /health HTTP/1.1\r\nX: ");
    assertThat(drip(second)).isEmpty();

    send(kept, get("/health"));
    assertThat(answer(kept)).contains(" 200 ");
    assertThat(connect("127.0.0.1").getInputStream().read()).as("one that is silent").isEqualTo(-1);
  }

  @Test
  void a_body_that_drips_or_stalls_is_given_up() throws IOException {
    limit(LONG, SHORT, MANY, MANY);
    String dripped = drip(sent(post(person, 1_000) + "{\"title\": \""));
    assertThat(dripped).startsWith("HTTP/1.1 408 ").contains("\"code\":\"request_timeout\"");
    assertThat(dripped).containsIgnoringCase("Connection: close");
    assertThat(answer(sent(post(person, 1_000)))).startsWith("HTTP/1.1 408 ");
    assertThat(post("/tasks", "{\"title\": \"" + "x".repeat(100) + "\"}").status()).isEqualTo(201);
  }

  /** MCP is answered by such a door. */
  @Test
  void the_body_of_a_mounted_door_has_the_same_deadline() throws IOException {
    server.close();
    var echo =
        new HttpServlet() {
          private static final long serialVersionUID = 1L;

          @Override
          protected void doPost(HttpServletRequest asked, HttpServletResponse answer)
              throws IOException {
            byte[] body = asked.getInputStream().readAllBytes();
            answer.setContentLength(body.length);
            answer.getOutputStream().write(body);
          }
        };
    var around =
        new Surroundings(
            Wakeups.polling(),
            OpenTelemetry.noop(),
            List.of(Mounted.forCallers("/door", echo, () -> {})));
    var limits = new ServerLimits(LONG, SHORT, RATE, MANY, MANY);
    var settings = ServerSettings.on("127.0.0.1", 0).with(limits);
    server = RestServer.start(rooms, new Callers(local(), rooms.access()), settings, around);
    String begin = post(person, 5).replace("/tasks", "/door");
    assertThat(answer(sent(begin + "hello"))).endsWith("\r\n\r\nhello");
    String dripped = drip(sent(begin.replace("Length: 5", "Length: 1000")));
    assertThat(dripped).startsWith("HTTP/1.1 408 ").containsIgnoringCase("Connection: close");
  }

  /** Else the connection would be reset, and the answer lost with it. */
  @Test
  void a_client_that_still_sends_gets_the_answer_to_a_body_that_nobody_reads() throws Exception {
    limit(LONG, LONG, MANY, MANY);
    String large = "x".repeat(1_000_000);
    Socket socket = sent(post("wrong", large.length()) + large);
    String refused = answer(socket);
    assertThat(refused).startsWith("HTTP/1.1 401 ").containsIgnoringCase("Connection: close");
    assertThat(socket.getInputStream().read()).as("closed, not reset").isEqualTo(-1);
    Socket half = sent(post("wrong", large.length()) + "x");
    assertThat(answer(half)).as("at once").startsWith("HTTP/1.1 401 ");
  }

  @Test
  void an_agent_that_sends_slowly_does_not_use_up_the_places_for_large_bodies() throws Exception {
    limit(LONG, LONG, MANY, MANY);
    String agent = token(Role.AGENT);
    String begin = "{\"title\": \"t\"" + " ".repeat(300_000);
    for (int i = 0; i < Bodies.LARGE_MAX; i++) sent(post(agent, 4_000_000) + begin);
    while (server.largeBodies() < Bodies.LARGE_BY_CALLER_MAX) Pause.briefly();
    Answer large = post("/tasks", begin + "}");
    assertThat(large.status()).as(large.text()).isEqualTo(201);
    assertThat(server.largeBodies()).isEqualTo(Bodies.LARGE_BY_CALLER_MAX);
  }

  @Test
  void when_there_are_too_many_connections_those_that_never_asked_are_closed() throws Exception {
    limit(LONG, LONG, 20, MANY);
    Socket kept = sent(get("/health"));
    assertThat(answer(kept)).contains(" 200 ");
    List<Socket> halfOpen = new ArrayList<>();
    for (int i = 0; i < 60; i++) halfOpen.add(sent("GET /health HTTP/1.1\r\nX: "));
    assertThat(answer(sent(get("/health")))).contains(" 200 ");
    awaitClosed(40, halfOpen);
    send(kept, get("/health"));
    assertThat(answer(kept)).contains(" 200 ");
  }

  @Test
  void one_address_does_not_use_up_the_connections_of_the_others() throws Exception {
    assumeThat(Files.exists(Path.of("/proc/self"))).as("127.0.0.2 is this host").isTrue();
    limit(LONG, LONG, MANY, 5);
    Socket other = sent("GET /health HTTP/1.1\r\n");
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Socket socket = connect("127.0.0.2");
      send(socket, "GET /health HTTP/1.1\r\n");
      crowd.add(socket);
    }
    awaitClosed(5, crowd);
    send(other, "Host: 127.0.0.1:" + server.port() + "\r\n\r\n");
    assertThat(answer(other)).contains(" 200 ");
    assertThat(server.connections()).isLessThanOrEqualTo(6);
  }

  private static void awaitClosed(int count, List<Socket> sockets) throws IOException {
    while (sockets.stream().filter(ServerLimitsTest::isClosed).count() < count) Pause.briefly();
  }

  private static boolean isClosed(Socket socket) {
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  void connections_leave_a_quarter_of_the_files_to_others() {
    assertThat(ServerLimits.within(4_096).connections()).isEqualTo(3_072);
    assertThat(ServerLimits.within(1_024).connections()).isEqualTo(768);
    assertThat(ServerLimits.within(1_048_576).connections())
        .isEqualTo(ServerLimits.CONNECTIONS_MAX);
    assertThat(ServerLimits.within(4_096).connectionsByAddress()).isEqualTo(768);
  }
}
