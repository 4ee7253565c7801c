package dev.mainstay.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.OwnFolder;
import dev.mainstay.app.CliRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page of an attacker whose name begins to mean the victim's server: the browser sends it the
 * page's requests with the attacker's Host and Origin. The attacker's address answers with the page
 * once, and is the victim's server from then on; only the change of the DNS entry is a stand-in.
 */
class RebindingTest {
  private static final Map<String, String> PERSON = Map.of("USER", "ada");

  private static final String ASK =
      """
      const done = arguments[arguments.length - 1];
      fetch("/tasks", {headers: {Authorization: "Bearer " + arguments[0]}})
        .then(async (answer) => done(answer.status + " " + await answer.text()), (fault) => done("0 " + fault));
      """;

  @TempDir Path given;
  private Path evil;
  private String secret;
  private PageServer server;
  private ServerSocket attacker;

  @BeforeEach
  void prepare() throws IOException {
    evil = Files.createDirectories(given.toRealPath().resolve("evil"));
    OwnFolder.in(evil);
    assertThat(CliRun.byPerson(evil, PERSON, "task", "create", "stolen").code()).isZero();
    secret =
        CliRun.byPerson(evil, PERSON, "token", "issue", "--role", "person", "--name", "helper")
            .out()
            .strip();
    Files.writeString(evil.resolve(".mainstay/config.toml"), "[serve]\nhosts = \"evil.example\"\n");
    // As it comes out of an archive: nothing in it tells that it was made elsewhere.
    Files.delete(evil.resolve(".mainstay/mark"));
  }

  @AfterEach
  void stop() throws IOException {
    if (attacker != null) attacker.close();
    if (server != null) server.stop();
  }

  /** What the attacker's page is answered by the victim's server. */
  private String stolen() throws IOException {
    server = PageServer.start(evil);
    int port = URI.create(server.address()).getPort();
    attacker = new ServerSocket();
    attacker.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), port));
    Thread rebinding = new Thread(() -> rebind(port), "attacker");
    rebinding.setDaemon(true);
    rebinding.start();
    Browser browser = Browser.shared();
    browser.open("http://evil.example:" + port + "/");
    String answer = String.valueOf(browser.runLater(ASK, secret));
    browser.leave();
    return answer;
  }

  private void rebind(int port) {
    try {
      boolean isFirst = true;
      while (true) {
        Socket browser = attacker.accept();
        if (isFirst && isPage(browser)) {
          isFirst = false;
          continue;
        }
        Socket victim = new Socket("127.0.0.1", port);
        pipe(browser, victim);
        pipe(victim, browser);
      }
    } catch (IOException over) {
      return;
    }
  }

  /** Answers one request with the page, and closes, so that the next one is a new connection. */
  private static boolean isPage(Socket browser) throws IOException {
    byte[] some = new byte[8_192];
    if (browser.getInputStream().read(some) <= 0) {
      browser.close();
      return false;
    }
    String page = "<!doctype html><title>harmless</title>";
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: "
            + page.length()
            + "\r\n\r\n";
    try (browser) {
      browser.getOutputStream().write((head + page).getBytes(StandardCharsets.US_ASCII));
    }
    return true;
  }

  private static void pipe(Socket from, Socket to) {
    Thread thread =
        new Thread(
            () -> {
              try (InputStream in = from.getInputStream();
                  OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
              } catch (IOException closed) {
                return;
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void a_rebound_page_reads_nothing_from_a_folder_that_came_from_elsewhere() throws IOException {
    assertThat(stolen()).startsWith("403 ").doesNotContain("stolen");
  }

  /** The attack is real: it works where a person believes everything. */
  @Test
  void a_rebound_page_reads_the_tasks_where_a_person_believed_everything() throws IOException {
    assertThat(CliRun.byPerson(evil, PERSON, "trust", "--all").code()).isZero();
    assertThat(stolen()).startsWith("200 ").contains("stolen");
  }
}
