package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.RefusedAttempts;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Every route of the router under requests that nobody who means well sends, as bytes on a socket:
 * a client library would put them right. Nothing may be answered that should not be, and nothing
 * may change.
 */
class RouteAttackTest extends OnServer {
  private static final int MILLIS_MAX = 60_000;
  private static final int STALLED = 200;

  RouteAttackTest() {
    super(Databases.SQLITE);
  }

  private static String path(Route route) {
    return route.target().path().replaceAll("\\{[a-z_]+}", "1");
  }

  private String place() {
    return "127.0.0.1:" + server.port();
  }

  /** The lines of a request's head; a body goes with those that take one. */
  private String request(Route route, String... lines) {
    Verb verb = route.target().verb();
    StringBuilder text = new StringBuilder(verb + " " + path(route) + " HTTP/1.1\r\n");
    for (String line : lines) text.append(line).append("\r\n");
    boolean body = verb != Verb.GET && verb != Verb.DELETE;
    if (body) text.append("Content-Type: application/json\r\nContent-Length: 2\r\n");
    return text.append("Connection: close\r\n\r\n").append(body ? "{}" : "").toString();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(MILLIS_MAX);
    return socket;
  }

  private String answer(String request) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return firstLine(new BufferedInputStream(socket.getInputStream()));
    }
  }

  private static String firstLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) line.append((char) c);
    return line.toString();
  }

  private int status(String request) throws IOException {
    String line = answer(request);
    assertThat(line).as(request).startsWith("HTTP/1.1 ");
    return Integer.parseInt(line.substring(9, 12));
  }

  private String token(String secret) {
    return "Authorization: Bearer " + secret;
  }

  @Test
  void no_route_answers_to_another_name_or_to_a_page_of_another_origin() throws IOException {
    String own = "Origin: http://" + place();
    String foreign = "Origin: http://evil.example";
    String host = "Host: " + place();
    List<String> before = Raw.dump(store);
    for (Route route : server.routes()) {
      String what = route.target().toString();
      String known = token(person);
      for (String[] lines :
          List.of(
              new String[] {"Host: evil.example", known},
              new String[] {"Host: 127.0.0.1.evil.example:" + server.port(), known},
              new String[] {host, foreign, known},
              new String[] {host, "Origin: null", known},
              new String[] {host, "Origin: https://" + place(), known},
              new String[] {host, own, foreign, known},
              new String[] {host, foreign, own, known},
              new String[] {host, own + ", http://evil.example", known})) {
        assertThat(status(request(route, lines))).as(what + " " + lines[1]).isEqualTo(403);
      }
      assertThat(status(request(route, host, "Host: evil.example", known))).as(what).isEqualTo(400);
      assertThat(status(request(route, known))).as(what + " without a name").isEqualTo(400);
    }
    assertThat(Raw.dump(store)).isEqualTo(before);
  }

  /** All there is, but for the note of what was refused and the count of commits. */
  private List<String> kept() {
    return Raw.dump(store).stream()
        .filter(row -> !row.contains("stream=" + RefusedAttempts.STREAM))
        .filter(row -> !row.startsWith("store_meta[name=last_commit"))
        .toList();
  }

  @Test
  void no_route_lets_in_who_has_no_token_or_one_of_another_role() throws IOException {
    String host = "Host: " + place();
    String viewer = token(Role.VIEWER);
    String agent = token(Role.AGENT);
    List<String> before = kept();
    for (Route route : server.routes()) {
      if (route.isOpen()) continue;
      String what = route.target().toString();
      for (String line :
          List.of(
              "X: y",
              "Authorization: Bearer ",
              "Authorization: Bearer " + person.toUpperCase(Locale.ROOT),
              "Authorization: Bearer " + person + "x",
              "Authorization: Basic " + person,
              "Authorization: " + person,
              "Cookie: mainstay=" + person,
              "X-Authorization: Bearer " + person)) {
        assertThat(status(request(route, host, line))).as(what + " " + line).isEqualTo(401);
      }
      String both = token(viewer) + "\r\n" + token(person);
      assertThat(status(request(route, host, both)))
          .as(what + " with two tokens")
          .isNotEqualTo(200);
      if (!route.about().roles().contains(Role.VIEWER)) {
        assertThat(status(request(route, host, token(viewer)))).as(what).isEqualTo(403);
      }
      if (!route.about().roles().contains(Role.AGENT)) {
        assertThat(status(request(route, host, token(agent)))).as(what).isEqualTo(403);
      }
    }
    assertThat(kept()).isEqualTo(before);
  }

  @Test
  void no_route_takes_a_body_that_is_no_json_or_too_large() throws IOException {
    String head = " HTTP/1.1\r\nHost: " + place() + "\r\n" + token(person) + "\r\n";
    for (Route route : server.routes()) {
      if (route.taking().body() == null) continue;
      // What the path names is not there, and some look for it before they read.
      String what = route.target().toString();
      String begin = route.target().verb() + " " + path(route) + head + "Connection: close\r\n";
      for (String type : List.of("text/plain", "application/x-www-form-urlencoded", "text/json;")) {
        String form = begin + "Content-Type: " + type + "\r\nContent-Length: 2\r\n\r\n{}";
        assertThat(status(form)).as(what + " as " + type).isIn(415, 404);
      }
      String json = begin + "Content-Type: application/json\r\n";
      assertThat(status(json + "Content-Length: 5\r\n\r\n{\"a\":")).as(what).isIn(400, 404);
      assertThat(status(json + "Content-Length: 999999999\r\n\r\n{")).as(what).isIn(413, 404);
    }
  }

  /** Who sends half a request and then nothing takes no place away from those who go on. */
  @Test
  void clients_that_stall_keep_nobody_else_waiting() throws IOException {
    List<Socket> stalled = new ArrayList<>();
    try {
      String half = "POST /tasks HTTP/1.1\r\nHost: " + place() + "\r\n" + token(person) + "\r\n";
      for (int i = 0; i < STALLED; i++) {
        Socket socket = connect();
        stalled.add(socket);
        String sent =
            i % 2 == 0
                ? half
                : half
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"title\": ";
        socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
      }
      for (int i = 0; i < 20; i++) assertThat(task("task " + i)).startsWith("T-");
    } finally {
      for (Socket each : stalled) each.close();
    }
    assertThat(get("/tasks").json().objects("items")).hasSize(20);
  }
}
