package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Issued;
import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers of a journal that is larger than what waits on the way to them. */
@Timeout(180)
class JournalExportTest extends OnServer {
  private static final int ENTRIES = 3_000;
  private static final int ENTRY_CHARS = 10_000;
  private static final long PAUSE_NANOS = 50_000_000;

  JournalExportTest() {
    super(Databases.SQLITE);
  }

  @BeforeEach
  void fill() {
    String id = task("one");
    var noise = new TaskEvent.Updated(JsonObject.of("description", "so ".repeat(ENTRY_CHARS / 3)));
    given(tx -> tx.journal().append("task/" + id, ADA, Collections.nCopies(ENTRIES, noise)));
    server.close();
    server = start(Duration.ofSeconds(2));
  }

  private Socket reader(String token) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(16 * 1024);
    socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
    String host = "Host: 127.0.0.1:" + server.port() + "\r\n";
    String asked =
        "GET /journal/export HTTP/1.1\r\n" + host + "Authorization: Bearer " + token + "\r\n\r\n";
    socket.getOutputStream().write(asked.getBytes(StandardCharsets.UTF_8));
    return socket;
  }

  /** It takes a byte now and then, so that no write fails of itself. */
  @Test
  void one_that_reads_byte_by_byte_gives_its_place_back() throws IOException {
    try (Socket one = reader(person);
        Socket two = reader(person)) {
      assertThat(one.getInputStream().read()).isEqualTo('H');
      assertThat(two.getInputStream().read()).isEqualTo('H');
      assertThat(get("/journal/export").status()).isEqualTo(503);
      while (send("GET", "/journal/export", "").status() == 503) {
        one.getInputStream().read();
        two.getInputStream().read();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  @Test
  void one_whose_token_is_revoked_reads_no_further() throws IOException {
    Issued guest = rooms.access().issue(new Wanted(Role.VIEWER, "guest", null, null), ADA);
    try (Socket socket = reader(guest.secret())) {
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      rooms.access().revoke(guest.token().id(), ADA);
      assertThat(read(in)).isLessThan((long) ENTRIES * ENTRY_CHARS);
    }
  }

  @Test
  void one_that_reads_steadily_gets_all_of_it() throws IOException {
    try (Socket socket = reader(person)) {
      socket.setSoTimeout(5_000);
      String end = "";
      byte[] part = new byte[256 * 1024];
      InputStream in = socket.getInputStream();
      while (!end.endsWith("\r\n0\r\n\r\n")) {
        int count = in.read(part);
        assertThat(count).isPositive();
        end += new String(part, 0, count, StandardCharsets.UTF_8);
        end = end.substring(Math.max(0, end.length() - 10));
        LockSupport.parkNanos(PAUSE_NANOS / 10);
      }
    }
  }

  /** So slowly that it would take minutes, and fast enough to be let. */
  private static long read(InputStream in) {
    byte[] part = new byte[16 * 1024];
    long all = 0;
    try {
      int count = in.read(part);
      while (count >= 0) {
        all += count;
        LockSupport.parkNanos(PAUSE_NANOS);
        count = in.read(part);
      }
    } catch (IOException cutOff) {
      return all;
    }
    return all;
  }
}
