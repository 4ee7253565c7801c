package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Databases;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EventsTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  /** One event as it came. */
  record Event(String id, String kind, JsonObject data) {}

  /** One who listens, over a plain socket. */
  static final class Listener implements AutoCloseable {
    private final Socket socket = new Socket();
    final BufferedReader in;

    Listener(RestServer server, String token, String path, String lastId) throws IOException {
      socket.setReceiveBufferSize(8_192); // so that one who does not read is noticed soon
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      String last = lastId.isEmpty() ? "" : "Last-Event-ID: " + lastId + "\r\n";
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: 127.0.0.1:"
              + server.port()
              + "\r\nAuthorization: Bearer "
              + token
              + "\r\n"
              + last
              + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Waits until it is let in. */
    Listener begun() throws IOException {
      String line = in.readLine();
      assertThat(line).contains(" 200 ");
      while (!line.startsWith(": alive")) line = in.readLine();
      return this;
    }

    Event next() throws IOException {
      String id = "";
      String kind = "";
      while (true) {
        String line = in.readLine();
        if (line == null) throw new IOException("the stream ended");
        if (line.startsWith("id: ")) id = line.substring(4);
        if (line.startsWith("event: ")) kind = line.substring(7);
        if (line.startsWith("data: ")) {
          StringBuilder data = new StringBuilder(line.substring(6));
          return new Event(id, kind, JsonText.object(data.toString()));
        }
      }
    }

    List<String> ids(int count) throws IOException {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < count; i++) ids.add(next().id());
      return ids;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  abstract static class Contract extends OnServer {
    Contract(Databases database) {
      super(database);
    }

    Listener listen(String path, String lastId) throws IOException {
      return new Listener(server, person, path, lastId).begun();
    }

    @Test
    void a_reader_who_comes_again_anywhere_misses_nothing_and_gets_nothing_twice()
        throws IOException {
      for (int i = 0; i < 4; i++) task("before " + i);
      server.close();
      settle();
      server = start(ServerSettings.READER_STALL_MAX); // these are in the store alone
      for (int i = 0; i < 4; i++) task("while nobody listens " + i);
      List<String> all;
      try (Listener listener = listen("/events?after=start", "")) {
        all = listener.ids(8);
      }
      assertThat(all).doesNotHaveDuplicates();
      for (int seen = 1; seen <= 8; seen++) {
        String marker = task("marker " + seen);
        try (Listener again = listen("/events", all.get(seen - 1))) {
          assertThat(again.ids(all.size() - seen)).isEqualTo(all.subList(seen, all.size()));
          Event next = again.next();
          assertThat(next.data().text("stream")).isEqualTo("task/" + marker);
          all.add(next.id());
        }
      }
    }

    @Test
    void an_event_is_the_journals_entry_and_comes_as_it_happens() throws IOException {
      try (Listener listener = listen("/events", "")) {
        String id = task("now");
        Event event = listener.next();
        assertThat(event.kind()).isEqualTo("task.created");
        settle();
        assertThat(event.data())
            .isEqualTo(get("/tasks/" + id + "/journal").json().objects("items").get(0));
        assertThat(event.id()).isEqualTo(event.data().text("position"));
      }
    }

    @Test
    void one_who_listens_to_a_task_hears_of_no_other() throws IOException {
      String mine = task("mine");
      settle();
      try (Listener listener = listen("/events?task=" + mine, "")) {
        task("other");
        send("PATCH", "/tasks/" + mine, "{\"priority\": 2}");
        Event event = listener.next();
        assertThat(event.kind()).isEqualTo("task.updated");
        assertThat(event.data().text("stream")).isEqualTo("task/" + mine);
      }
      assertThat(get("/events?task=T-999").status()).isEqualTo(404);
    }

    @Test
    void a_position_of_another_history_is_refused() {
      assertThat(get("/events", "Last-Event-ID", "00000000.0.1").status()).isEqualTo(409);
      assertThat(get("/events", "Last-Event-ID", "nonsense").status()).isEqualTo(400);
    }
  }

  @Nested
  class Readers extends OnServer {
    Readers() {
      super(Databases.SQLITE);
    }

    @Test
    void one_more_than_may_listen_is_told_to_come_again() throws IOException {
      server.close();
      server = start(new ServerSettings.Readers(ServerSettings.READER_STALL_MAX, 2));
      try (Listener one = new Listener(server, person, "/events", "").begun();
          Listener two = new Listener(server, person, "/events", "").begun()) {
        assertThat(one).isNotSameAs(two);
        Answer third = get("/events");
        assertThat(third.status()).isEqualTo(503);
        assertThat(third.json().text("detail")).contains("2 listen already");
        assertThat(get("/tasks").status()).isEqualTo(200);
      }
    }

    @Test
    void one_who_takes_nothing_is_cut_off_and_holds_up_nobody() throws IOException {
      server.close();
      server = start(Duration.ofSeconds(2));
      Brief large = new Brief("large", "x".repeat(60_000), TaskType.CODE, 0, JsonObject.EMPTY);
      try (Listener slow = new Listener(server, person, "/events", "").begun()) {
        List<Listener> quick = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          quick.add(new Listener(server, person, "/events", "").begun());
        }
        for (int i = 0; i < 200; i++) {
          String id =
              rooms
                  .tasks()
                  .create(new NewTask(large, null, null, List.of(), Terms.NONE), ADA)
                  .id()
                  .value();
          for (Listener each : quick) {
            assertThat(each.next().data().text("stream")).isEqualTo("task/" + id);
          }
        }
        while (server.readers() != quick.size()) Pause.briefly();
        for (Listener each : quick) each.close();
        assertThat(slow.next().data().text("stream")).isEqualTo("task/T-001");
      }
    }

    @Test
    void a_server_that_stops_ends_all_streams() throws IOException {
      List<Listener> listeners = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        listeners.add(new Listener(server, person, "/events", "").begun());
      }
      assertThat(server.readers()).isEqualTo(20);
      server.close();
      for (Listener each : listeners) {
        String line = each.in.readLine();
        while (line != null && (line.isBlank() || line.matches("[0-9a-f]+|: alive"))) {
          line = each.in.readLine();
        }
        assertThat(line).isNull();
        each.close();
      }
      assertThat(server.readers()).isZero();
    }
  }
}
