package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Issued;
import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.access.Callers;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoorkeeperTest extends OnServer {
  /** What a page keeps for itself. */
  private static final String KEY = "0123456789abcdef".repeat(2);

  DoorkeeperTest() {
    super(Databases.SQLITE);
  }

  private Answer bare(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private static String bearer(String secret) {
    return "Bearer " + secret;
  }

  /** It tells no more than GET would: without a token not even whether something is there. */
  @Test
  void head_needs_what_get_needs() {
    String id = send("POST", "/tasks", "{\"title\": \"one\"}").json().text("id");
    assertThat(send("HEAD", "/tasks/" + id, "").status()).isEqualTo(200);
    assertThat(send("HEAD", "/tasks/" + id, "").text()).isEmpty();
    assertThat(send("HEAD", "/tasks/T-999", "").status()).isEqualTo(404);
    assertThat(send("HEAD", "/tasks/" + id, "", "Authorization", "").status()).isEqualTo(401);
    assertThat(send("HEAD", "/events", "").status()).isEqualTo(405);
  }

  @Test
  void without_a_token_only_the_open_routes_answer() {
    for (Route route : server.routes()) {
      if (route.isOpen()) continue;
      String path = route.target().path().replaceAll("\\{[a-z]+}", "1");
      Answer answer =
          send(
              HttpRequest.newBuilder(uri(path))
                  .method(route.target().verb().name(), HttpRequest.BodyPublishers.noBody())
                  .build());
      assertThat(answer.status()).as(route.target().toString()).isEqualTo(401);
      assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }
    for (String open : new String[] {"/", "/health", "/ready"}) {
      assertThat(bare(open).status()).as(open).isEqualTo(200);
    }
  }

  @Test
  void a_wrong_token_is_refused_with_a_sentence() {
    Answer wrong = get("/tasks", "Authorization", bearer(person + "x"));
    assertThat(wrong.status()).isEqualTo(401);
    assertThat(wrong.json().text("detail")).contains("mainstay token issue");
    assertThat(get("/tasks", "Authorization", "Basic " + person).status()).isEqualTo(401);
    assertThat(get("/tasks", "Authorization", "").status()).isEqualTo(401);
  }

  @Test
  void a_viewer_looks_and_changes_nothing() {
    String viewer = bearer(token(Role.VIEWER));
    assertThat(get("/tasks", "Authorization", viewer).status()).isEqualTo(200);
    for (Route route : server.routes()) {
      if (!route.isWrite() || route.isOpen()) continue;
      String path = route.target().path().replaceAll("\\{[a-z]+}", "1");
      Answer answer = send(route.target().verb().name(), path, "", "Authorization", viewer);
      assertThat(answer.status()).as(route.target().toString()).isEqualTo(403);
    }
  }

  @Test
  void an_agent_writes_as_its_own_terminal_and_as_no_other() {
    task("one");
    String agent = bearer(token(Role.AGENT));
    Answer other = post("/tasks/claim", "{\"worker\": \"coder-2\"}", "Authorization", agent);
    assertThat(other.status()).isEqualTo(403);
    Answer terminal = post("/tasks/claim", "{\"terminal\": \"coder-2\"}", "Authorization", agent);
    assertThat(terminal.status()).isEqualTo(403);
    Answer own = post("/tasks/claim", "{\"worker\": \"coder-1\"}", "Authorization", agent);
    assertThat(own.json().objects("tasks").get(0).text("lease_holder")).isEqualTo("coder-1");
    assertThat(get("/tokens", "Authorization", agent).status()).isEqualTo(403);
    Answer binding =
        post(
            "/tasks/T-001/directives",
            "{\"text\": \"x\", \"binding\": true}",
            "Authorization",
            agent);
    assertThat(binding.status()).isEqualTo(409);
  }

  @Test
  void revoked_and_expired_tokens_end_at_once_and_so_do_their_sign_ins() {
    var wanted = new Wanted(Role.PERSON, "eve", null, Duration.ofMinutes(1));
    Issued revoked = rooms.access().issue(wanted, ADA);
    Issued expired = rooms.access().issue(wanted, ADA);
    String first = cookie(revoked.secret());
    String second = cookie(expired.secret());
    assertThat(withCookie("/tasks", first).status()).isEqualTo(200);
    rooms.access().revoke(revoked.token().id(), ADA);
    assertThat(get("/tasks", "Authorization", bearer(revoked.secret())).status()).isEqualTo(401);
    assertThat(withCookie("/tasks", first).status()).isEqualTo(401);
    assertThat(withCookie("/tasks", second).status()).isEqualTo(200);
    clock.advance(Duration.ofMinutes(1));
    assertThat(get("/tasks", "Authorization", bearer(expired.secret())).status()).isEqualTo(401);
    assertThat(withCookie("/tasks", second).status()).isEqualTo(401);
    clock.advance(Duration.ofDays(1));
    assertThat(get("/tasks", "Authorization", bearer(expired.secret())).status()).isEqualTo(401);
    assertThat(withCookie("/tasks", second).status()).isEqualTo(401);
  }

  private String cookie(String token) {
    Answer in = post("/sign-in", "{\"token\": \"" + token + "\", \"key\": \"" + KEY + "\"}");
    assertThat(in.status()).isEqualTo(200);
    return in.header("Set-Cookie");
  }

  private Answer withCookie(String path, String cookie) {
    return withCookie(path, cookie, SignIns.KEY, KEY);
  }

  private Answer withCookie(String path, String cookie, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    request.header("Cookie", cookie.split(";")[0]);
    if (headers.length > 0) request.headers(headers);
    return send(request.build());
  }

  @Test
  void a_sign_in_has_a_secret_of_its_own_that_scripts_and_other_sites_do_not_get() {
    String cookie = cookie(person);
    assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").doesNotContain(person);
    assertThat(withCookie("/tasks", cookie).status()).isEqualTo(200);
    assertThat(withCookie("/tasks", SignIns.cookie(server.port()) + "=made-up").status())
        .isEqualTo(401);
    signOut(cookie.split(";")[0]);
    assertThat(withCookie("/tasks", cookie).status()).isEqualTo(401);
    String madeUp = "{\"token\": \"made-up\", \"key\": \"" + KEY + "\"}";
    assertThat(post("/sign-in", madeUp).status()).isEqualTo(401);
  }

  private void signOut(String cookie) {
    send("DELETE", "/sign-in", "", "Cookie", cookie, SignIns.KEY, KEY);
  }

  /** A server on another port of this host is sent the cookie by the browser, and nothing else. */
  @Test
  void a_cookie_is_worth_nothing_without_the_key_that_the_page_keeps() {
    String cookie = cookie(person);
    assertThat(cookie).doesNotContain(KEY);
    assertThat(withCookie("/tasks", cookie, new String[0]).status()).isEqualTo(401);
    String other = KEY.replace('0', '1');
    assertThat(withCookie("/tasks", cookie, SignIns.KEY, other).status()).isEqualTo(401);
    send("DELETE", "/sign-in", "", "Cookie", cookie.split(";")[0]);
    assertThat(withCookie("/tasks", cookie).status()).as("nor does it sign out").isEqualTo(200);
    String guessed = "{\"token\": \"" + person + "\", \"key\": \"short\"}";
    assertThat(post("/sign-in", guessed).status()).isEqualTo(400);
  }

  @Test
  void what_another_site_asks_with_the_cookie_is_refused() {
    String cookie = cookie(person);
    for (String site : new String[] {"same-site", "cross-site"}) {
      Answer asked = withCookie("/tasks", cookie, SignIns.KEY, KEY, "Sec-Fetch-Site", site);
      assertThat(asked.status()).as(site).isEqualTo(403);
    }
    for (String site : new String[] {"same-origin", "none"}) {
      Answer asked = withCookie("/tasks", cookie, SignIns.KEY, KEY, "Sec-Fetch-Site", site);
      assertThat(asked.status()).as(site).isEqualTo(200);
    }
    assertThat(get("/tasks", "Sec-Fetch-Site", "cross-site").status()).as("a token").isEqualTo(200);
  }

  @Test
  void behind_a_proxy_that_speaks_tls_one_signs_in_under_a_name_of_the_server() throws IOException {
    server.close();
    var settings = ServerSettings.on("127.0.0.1", 0).called(List.of("state.example"));
    var callers = new Callers(local(), rooms.access());
    server = RestServer.start(rooms, callers, settings, Wakeups.polling(), OpenTelemetry.noop());
    String signedIn = signInBy("state.example", "https://state.example");
    assertThat(signedIn).contains(" 200 ").contains("; Secure");
    assertThat(signInBy("state.example", "https://evil.example")).contains(" 403 ");
    String loopback = "127.0.0.1:" + server.port();
    assertThat(signInBy(loopback, "https://" + loopback)).contains(" 403 ");
    assertThat(signInBy(loopback, "http://" + loopback))
        .contains(" 200 ")
        .doesNotContain("; Secure");
  }

  private String signInBy(String host, String origin) throws IOException {
    String body = "{\"token\": \"" + person + "\", \"key\": \"" + KEY + "\"}";
    return answerTo(
        "POST /sign-in HTTP/1.1\r\nHost: "
            + host
            + "\r\nOrigin: "
            + origin
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\nConnection: close\r\n\r\n"
            + body);
  }

  @Test
  void a_sign_in_outlives_the_server_and_a_made_up_one_does_not() {
    String pass = cookie(person).split(";")[0].split("=", 2)[1];
    server.close();
    server = start(ServerSettings.READER_STALL_MAX);
    String name = SignIns.cookie(server.port()) + "=";
    assertThat(withCookie("/tasks", name + pass).status()).isEqualTo(200);
    assertThat(withCookie("/sign-in", name + pass).json().text("name")).isEqualTo("ada");
    String[] parts = pass.split("\\.");
    String longer = "" + (Long.parseLong(parts[1]) + 1);
    String other = String.join(".", parts[0], longer, parts[2], parts[3], parts[4]);
    assertThat(withCookie("/tasks", name + other).status()).isEqualTo(401);
    signOut(name + pass);
    assertThat(withCookie("/tasks", name + pass).status()).isEqualTo(401);
    assertThat(withCookie("/tasks", cookie(person)).status()).isEqualTo(200);
  }

  @Test
  void a_pass_ends_at_its_moment() {
    var callers = new Callers(local(), rooms.access());
    var until = Instant.parse("2026-01-31T12:00:00Z");
    String pass = callers.pass(callers.who(person).orElseThrow(), KEY, until);
    assertThat(callers.byPass(pass, KEY, until.minusSeconds(1))).isPresent();
    assertThat(callers.byPass(pass, KEY, until)).isEmpty();
  }

  @Test
  void a_rotated_token_ends_without_a_restart() {
    String cookie = cookie(person);
    String old = person;
    person = local().rotate();
    assertThat(get("/tasks").status()).isEqualTo(200);
    assertThat(get("/tasks", "Authorization", bearer(old)).status()).isEqualTo(401);
    assertThat(withCookie("/tasks", cookie).status()).isEqualTo(401);
  }

  @Test
  void pages_of_other_origins_are_refused_and_told_nothing() {
    Answer other = get("/tasks", "Origin", "http://evil.example");
    assertThat(other.status()).isEqualTo(403);
    assertThat(get("/tasks", "Origin", "null").status()).isEqualTo(403);
    Answer own = get("/tasks", "Origin", "http://127.0.0.1:" + server.port());
    assertThat(own.status()).isEqualTo(200);
    for (Answer each : new Answer[] {other, own, send("OPTIONS", "/tasks", "")}) {
      assertThat(each.http().headers().map().keySet())
          .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }
    assertThat(own.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(own.header("Cache-Control")).isEqualTo("no-store");
    assertThat(own.header("Content-Security-Policy")).contains("frame-ancestors 'none'");
  }

  @Test
  void a_name_that_is_not_the_servers_is_refused() throws IOException {
    int port = server.port();
    assertThat(statusFor("127.0.0.1:" + port)).contains(" 200 ");
    assertThat(statusFor("localhost:" + port)).contains(" 200 ");
    assertThat(statusFor("[::1]:" + port)).contains(" 200 ");
    assertThat(statusFor("evil.example:" + port)).contains(" 403 ");
    assertThat(statusFor("127.0.0.1")).contains(" 403 ");
    assertThat(statusFor("127.0.0.1.evil.example:" + port)).contains(" 403 ");
  }

  private String statusFor(String host) throws IOException {
    return answerTo("GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
        .lines()
        .findFirst()
        .orElse("");
  }

  /** Read as what it is not, such a body would be stored as other text, or refused as no JSON. */
  @Test
  void a_body_that_is_compressed_or_not_in_utf_8_is_refused() {
    String body = "{\"title\": \"one\"}";
    String type = "Content-Type";
    assertThat(post("/tasks", body, "Content-Encoding", "gzip").status()).isEqualTo(415);
    assertThat(post("/tasks", body, type, "application/json; charset=utf-16").status())
        .isEqualTo(415);
    assertThat(post("/tasks", body, type, "application/json;charset=\"ISO-8859-1\"").status())
        .isEqualTo(415);
    assertThat(get("/tasks").json().list("items")).isEmpty();
    assertThat(post("/tasks", body, "Content-Encoding", "identity").status()).isEqualTo(201);
    assertThat(post("/tasks", body, type, "application/json; charset=\"UTF-8\"").status())
        .isEqualTo(201);
  }

  @Test
  void what_the_http_library_refuses_is_a_problem_like_all_others() throws IOException {
    String host = "Host: 127.0.0.1:" + server.port() + "\r\n";
    String end = host + "Connection: close\r\n\r\n";
    Map<String, String> asked =
        Map.of(
            "GET /health\u0001 HTTP/1.1\r\n" + end, "400 invalid",
            "GET /health HTTP/1.1\r\n" + host + end, "400 invalid",
            "GET /health%2f..%00 HTTP/1.1\r\n" + end, "400 invalid",
            "GET /" + "x".repeat(9_000) + " HTTP/1.1\r\n" + end, "414 uri_too_long",
            "GET / HTTP/1.1\r\nX: " + "x".repeat(9_000) + "\r\n" + end, "431 headers_too_large",
            "GET / HTTP/3.0\r\n" + end, "505 version_not_supported");
    for (var each : asked.entrySet()) {
      String answer = answerTo(each.getKey());
      String shown = each.getKey().substring(0, 20);
      String[] parts = answer.split("\r\n\r\n", 2);
      assertThat(parts[0]).as(shown).contains("Content-Type: application/problem+json");
      JsonObject problem = JsonText.object(parts[1]);
      Conformance.check("a problem", Schemas.PROBLEM, problem);
      assertThat(problem.number("status") + " " + problem.text("code"))
          .as(shown)
          .isEqualTo(each.getValue());
    }
  }

  /** For requests that a library would put right. */
  private String answerTo(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
