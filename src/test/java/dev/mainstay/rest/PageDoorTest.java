package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.access.Callers;
import dev.mainstay.dashboard.PageDoor;
import dev.mainstay.dashboard.PageFiles;
import dev.mainstay.store.Databases;
import io.opentelemetry.api.OpenTelemetry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The page's files as a browser gets them, from a real server. */
class PageDoorTest extends OnServer {
  private static final String SCRIPT = "// a script\n".repeat(100);

  PageDoorTest() {
    super(Databases.SQLITE);
  }

  @BeforeEach
  void startWithAPage() throws IOException {
    Path page = Files.createDirectories(folder.resolve("page/parts")).getParent();
    Files.writeString(page.resolve("index.html"), "<!doctype html><title>it</title>");
    Files.writeString(page.resolve("app.js"), SCRIPT);
    Files.writeString(page.resolve("parts/a.css"), "p {}");
    Files.writeString(page.resolve("icon.svg"), "<svg/>");
    Files.writeString(page.resolve("build"), "secret");
    Files.writeString(page.resolve(".npmrc"), "secret");
    Files.createDirectories(page.resolve("node_modules"));
    Files.writeString(page.resolve("node_modules/x.js"), "secret");
    Files.writeString(folder.resolve("outside.js"), "secret");
    Files.createSymbolicLink(page.resolve("link.js"), folder.resolve("outside.js"));
    with(PageFiles.in(page));
  }

  private void with(PageFiles files) {
    server.close();
    var callers = new Callers(local(), new AccessTokens(store));
    var door = new PageDoor(files);
    List<Mounted> doors = new ArrayList<>();
    for (String path : PageDoor.PATHS) doors.add(Mounted.forEverybody(path, door));
    var around = new Surroundings(Wakeups.polling(), OpenTelemetry.noop(), doors);
    server = RestServer.start(rooms, callers, ServerSettings.on("127.0.0.1", 0), around);
  }

  private Answer bare(String verb, String path, String... headers) {
    var request =
        HttpRequest.newBuilder(uri(path)).method(verb, HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    return send(request.build());
  }

  @Test
  void everybody_gets_the_page_and_nothing_but_the_page() {
    assertThat(bare("GET", "/").text()).contains("<title>it</title>");
    assertThat(bare("GET", "/page/app.js").text()).isEqualTo(SCRIPT);
    assertThat(bare("GET", "/page/parts/a.css").text()).isEqualTo("p {}");
    assertThat(bare("GET", "/tasks").status()).isEqualTo(401);
    assertThat(bare("GET", "/page").status()).isEqualTo(404);
  }

  @Test
  void every_file_has_its_type() {
    assertThat(bare("GET", "/").header("Content-Type")).startsWith("text/html;");
    assertThat(bare("GET", "/page/app.js").header("Content-Type")).startsWith("text/javascript;");
    assertThat(bare("GET", "/page/parts/a.css").header("Content-Type")).startsWith("text/css;");
    assertThat(bare("GET", "/page/icon.svg").header("Content-Type")).isEqualTo("image/svg+xml");
  }

  @Test
  void a_browser_is_told_to_run_nothing_else() {
    for (String path : List.of("/", "/page/app.js")) {
      Answer answer = bare("GET", path);
      assertThat(answer.header("Content-Security-Policy"))
          .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
          .contains("frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
      assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
    }
  }

  /** As they are sent: a client would tidy such addresses up. */
  @Test
  void no_address_leads_out_of_the_page() throws IOException {
    for (String path :
        List.of(
            "/page/../outside.js",
            "/page/%2e%2e/outside.js",
            "/page/..%2foutside.js",
            "/page/parts/../../outside.js",
            "/page/./app.js",
            "/page//app.js",
            "/page/app.js;x",
            "/page/app.js%00",
            "/page/link.js",
            "/page/build",
            "/page/.npmrc",
            "/page/node_modules/x.js",
            "/page/parts",
            "/page/parts/",
            "/page/")) {
      String answer = raw(path);
      assertThat(answer.lines().findFirst().orElse("")).as(path).containsPattern(" (400|404) ");
      assertThat(answer).as(path).doesNotContain("secret").doesNotContain("a script");
    }
  }

  private String raw(String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String request =
          "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\nConnection: close";
      socket.getOutputStream().write((request + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void other_names_and_other_pages_get_nothing() {
    Answer other = bare("GET", "/", "Origin", "http://evil.example");
    assertThat(other.status()).isEqualTo(403);
    assertThat(other.text()).doesNotContain("<title>");
    assertThat(bare("GET", "/page/app.js", "Origin", "null").status()).isEqualTo(403);
    String own = "http://127.0.0.1:" + server.port();
    assertThat(bare("GET", "/page/app.js", "Origin", own).status()).isEqualTo(200);
  }

  @Test
  void head_is_get_without_the_file_and_nothing_else_is_taken() {
    Answer head = bare("HEAD", "/page/app.js");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length")).isEqualTo("" + SCRIPT.length());
    assertThat(head.header("ETag")).isEqualTo(bare("GET", "/page/app.js").header("ETag"));
    assertThat(head.text()).isEmpty();
    for (String verb : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
      Answer refused = bare(verb, "/page/app.js");
      assertThat(refused.status()).as(verb).isEqualTo(405);
      assertThat(refused.header("Allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void a_browser_that_takes_less_is_sent_less() throws Exception {
    var request =
        HttpRequest.newBuilder(uri("/page/app.js")).header("Accept-Encoding", "br, gzip").build();
    HttpResponse<byte[]> answer = CLIENT.send(request, BodyHandlers.ofByteArray());
    assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
    assertThat(answer.headers().firstValue("Vary")).contains("Accept-Encoding");
    assertThat(answer.body().length).isLessThan(SCRIPT.length() / 5);
    try (var unzipped = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
      assertThat(new String(unzipped.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(SCRIPT);
    }
    for (String without : List.of("br", "gzip;q=0", "identity", "gzip; q=0.0")) {
      Answer plain = bare("GET", "/page/app.js", "Accept-Encoding", without);
      assertThat(plain.header("Content-Encoding")).as(without).isEmpty();
      assertThat(plain.text()).isEqualTo(SCRIPT);
    }
  }

  @Test
  void what_a_browser_has_already_is_not_sent_again_until_it_changed() throws IOException {
    Answer first = bare("GET", "/page/app.js");
    String tag = first.header("ETag");
    assertThat(first.header("Cache-Control")).isEqualTo("no-cache");
    Answer same = bare("GET", "/page/app.js", "If-None-Match", "\"x\", " + tag);
    assertThat(same.status()).isEqualTo(304);
    assertThat(same.text()).isEmpty();
    assertThat(same.header("ETag")).isEqualTo(tag);
    // The two forms are different bytes under one address.
    String small = bare("HEAD", "/page/app.js", "Accept-Encoding", "gzip").header("ETag");
    assertThat(small).isNotEqualTo(tag);
    Files.writeString(folder.resolve("page/app.js"), SCRIPT + "// more\n");
    assertThat(bare("GET", "/page/app.js", "If-None-Match", tag).status()).isEqualTo(200);
  }

  @Test
  void without_a_page_the_server_says_how_to_get_one() {
    with(PageFiles.in(folder.resolve("nowhere")));
    Answer answer = bare("GET", "/");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type")).startsWith("text/html");
    assertThat(answer.text()).contains("without its page").contains("npm").contains("build again");
    assertThat(bare("GET", "/page/app.js").status()).isEqualTo(404);
  }
}
