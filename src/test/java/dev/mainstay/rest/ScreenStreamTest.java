package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Issued;
import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.rest.EventsTest.Listener;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ScreenStreamTest extends OnScreens {
  private Listener watch(String id, String query) throws IOException {
    return watch(id, query, person);
  }

  private Listener watch(String id, String query, String token) throws IOException {
    return new Listener(server, token, "/terminals/" + id + "/stream" + query, "").begun();
  }

  @Test
  void a_viewer_sees_the_screen_then_what_is_printed_then_the_end() throws IOException {
    String id = launched(ECHO, "listening");
    try (Listener viewer = watch(id, "", token(Role.VIEWER))) {
      Told screen = next(viewer.in);
      assertThat(screen.event()).isEqualTo("screen");
      assertThat(screen.text()).isEqualTo("listening");
      type(id, "hello");
      assertThat(heard(viewer.in, "got hello")).doesNotContain("listening");
      post("/terminals/" + id + "/input", "{\"key\": \"C-d\"}");
      Told last = next(viewer.in);
      while (last.event().equals("output")) last = next(viewer.in);
      assertThat(last).isEqualTo(new Told("ended", "null"));
    }
    Answer late = get("/terminals/" + id + "/stream");
    assertThat(late.status()).isEqualTo(404);
    assertThat(late.json().text("detail")).contains("has ended");
  }

  @Test
  void stopping_a_terminal_ends_its_stream() throws IOException {
    String id = launched(ECHO, "listening");
    try (Listener viewer = watch(id, "")) {
      assertThat(send("DELETE", "/terminals/" + id, "").status()).isEqualTo(200);
      Told last = next(viewer.in);
      while (!last.event().equals("ended")) last = next(viewer.in);
      assertThat(viewer.in.lines().filter(line -> line.startsWith("event:"))).isEmpty();
    }
  }

  @Test
  void escape_sequences_are_for_those_who_ask_for_them() throws IOException {
    String red = "printf '\\033[31mred\\033[0m\\n'";
    String id = launched(red + "; while read line; do " + red + "; done", "red");
    try (Listener plain = watch(id, "");
        Listener coloured = watch(id, "?escapes=true")) {
      assertThat(next(plain.in).text()).isEqualTo("red");
      assertThat(next(coloured.in).text()).contains("\033[31mred");
      type(id, "again");
      assertThat(heard(plain.in, "red")).doesNotContain("\033");
      assertThat(heard(coloured.in, "\033[0m")).contains("\033[31mred");
    }
    assertThat(get("/terminals/" + id + "/stream?escapes=yes").status()).isEqualTo(400);
  }

  @Test
  void one_who_reads_too_slowly_is_told_how_much_is_missing_and_sees_the_end() throws IOException {
    server.close();
    server = start(Duration.ofMinutes(10));
    String flood = "head -c 16000000 /dev/zero | tr '\\0' x | fold -w 100; echo; echo all said";
    String id = launched("echo ready; read line; " + flood + "; read line", "ready");
    try (Listener slow = watch(id, "")) {
      type(id, "go");
      awaitShown(id, "all said");
      long missed = 0;
      StringBuilder tail = new StringBuilder();
      while (tail.indexOf("all said") < 0) {
        Told told = next(slow.in);
        if (told.event().equals("missed")) missed += Long.parseLong(told.data());
        if (told.event().equals("output")) tail.append(told.text());
      }
      assertThat(missed).isPositive();
    }
  }

  @Test
  void no_more_look_on_than_may_and_one_who_left_makes_room() throws IOException {
    server.close();
    server = start(new ServerSettings.Readers(ServerSettings.READER_STALL_MAX, 1));
    String id = launched(ECHO, "listening");
    String path = "/terminals/" + id + "/stream";
    try (Listener one = watch(id, "")) {
      assertThat(next(one.in).event()).isEqualTo("screen");
      Answer second = get(path);
      assertThat(second.status()).isEqualTo(503);
      assertThat(second.json().text("detail")).contains("1 listen already");
      assertThat(send("HEAD", path, "").status()).isEqualTo(405);
    }
    while (server.screenReaders() > 0) type(id, "is somebody there?");
    try (Listener again = watch(id, "")) {
      assertThat(next(again.in).text()).contains("got is somebody there?");
    }
  }

  @Test
  void a_server_that_stops_ends_the_streams_and_leaves_the_programs() throws IOException {
    String id = launched(ECHO, "listening");
    try (Listener viewer = watch(id, "")) {
      next(viewer.in);
      server.close();
      assertThat(viewer.in.lines().filter(line -> line.startsWith("event:"))).isEmpty();
      assertThat(server.screenReaders()).isZero();
    }
    server = start(ServerSettings.READER_STALL_MAX);
    type(id, "hello");
    awaitShown(id, "got hello");
  }

  @Test
  void a_token_that_is_revoked_sees_no_more() throws IOException {
    server.close();
    server = start(Duration.ofSeconds(6));
    String id = launched(ECHO, "listening");
    Issued given = rooms.access().issue(new Wanted(Role.VIEWER, "guest", null, null), ADA);
    try (Listener guest = watch(id, "", given.secret())) {
      next(guest.in);
      rooms.access().revoke(given.token().id(), ADA);
      assertThat(guest.in.lines().filter(line -> line.startsWith("event:"))).isEmpty();
    }
    Answer late = get("/terminals/" + id + "/stream", "Authorization", "Bearer " + given.secret());
    assertThat(late.status()).isEqualTo(401);
  }
}
