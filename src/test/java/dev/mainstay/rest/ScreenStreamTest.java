package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Issued;
import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.rest.EventsTest.Listener;
import dev.mainstay.store.Raw;
import dev.mainstay.terminal.TmuxServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ScreenStreamTest extends OnScreens {
  private static final Duration LIMIT = Duration.ofMinutes(1);

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

  private static JsonObject told(Listener viewer, String event, String id) throws IOException {
    while (true) {
      Told told = next(viewer.in);
      JsonObject data = JsonText.object(told.data());
      if (told.event().equals(event) && data.text("terminal_id").equals(id)) return data;
    }
  }

  @Test
  void several_screens_come_over_one_connection_each_with_its_size_and_cursor() throws IOException {
    String one = launched(ECHO, "listening");
    String two = launched("printf 'red: '; " + ECHO, "listening");
    String path = "/screens?escapes=true&terminals=" + one + "," + two + ",nobody";
    try (Listener viewer = new Listener(server, person, path, "").begun()) {
      JsonObject screen = told(viewer, "screen", one);
      assertThat(screen.text("text")).isEqualTo("listening");
      assertThat(screen.number("columns")).isPositive();
      assertThat(screen.number("rows")).isPositive();
      assertThat(screen.number("column")).isZero();
      assertThat(screen.number("row")).isEqualTo(1);
      assertThat(told(viewer, "screen", two).text("text")).isEqualTo("red: listening");
      assertThat(told(viewer, "refused", "nobody").text("detail")).contains("nobody");
      type(two, "hello");
      assertThat(told(viewer, "output", two).text("text")).contains("hello");
      send("DELETE", "/terminals/" + one, "");
      told(viewer, "ended", one);
      type(two, "still there");
      assertThat(told(viewer, "output", two).text("text")).isNotEmpty();
      send("DELETE", "/terminals/" + two, "");
      told(viewer, "ended", two);
      assertThat(viewer.in.lines().filter(line -> line.startsWith("event:"))).isEmpty();
    }
  }

  /** tmux keeps a link to each window that is followed. */
  private List<String> followed(String id) {
    List<String> attach = get("/terminals/" + id + "/attach").json().texts("command");
    List<String> asked = new ArrayList<>(attach.subList(0, attach.indexOf("attach-session")));
    asked.addAll(List.of("list-windows", "-t", "=" + TmuxServer.CONTROL_SESSION + ":"));
    asked.addAll(List.of("-F", "#{window_name}"));
    return Programs.run(asked, LIMIT).orElseThrow().output().lines().toList();
  }

  @Test
  void a_wall_that_cannot_begin_leaves_nobody_following() throws IOException {
    String one = launched(ECHO, "listening");
    String two = launched(ECHO, "listening");
    String path = "/screens?terminals=" + one + "," + two;
    try (Listener viewer = new Listener(server, person, path, "").begun()) {
      told(viewer, "screen", two);
      assertThat(followed(one)).contains(one, two); // or the end of this test would show nothing
    }
    while (!Collections.disjoint(followed(one), List.of(one, two))) type(one, "still there?");
    Raw.run(store, "UPDATE terminals SET exit_code = 99999999999 WHERE id = '" + two + "'");
    assertThat(get(path).status()).isEqualTo(500);
    assertThat(followed(one)).doesNotContain(one, two);
    assertThat(server.screenReaders()).isZero();
  }

  @Test
  void a_screen_that_gets_another_size_is_shown_again() throws Exception {
    String id = launched(ECHO, "listening");
    String path = "/screens?escapes=true&terminals=" + id;
    try (Listener viewer = new Listener(server, person, path, "").begun()) {
      long columns = told(viewer, "screen", id).number("columns");
      List<String> attach = get("/terminals/" + id + "/attach").json().texts("command");
      List<String> resize = new ArrayList<>(attach.subList(0, attach.indexOf("attach-session")));
      resize.addAll(List.of("resize-window", "-t", attach.get(attach.size() - 1)));
      resize.addAll(List.of("-x", Long.toString(columns - 7)));
      assertThat(new ProcessBuilder(resize).inheritIO().start().waitFor()).isZero();
      assertThat(told(viewer, "screen", id).number("columns")).isEqualTo(columns - 7);
    }
  }

  @Test
  void a_wall_of_screens_has_its_limits() {
    assertThat(get("/screens").status()).isEqualTo(400);
    Answer many = get("/screens?terminals=a,b,c,d,e,f,g,h,i,j,k,l,m");
    assertThat(many.json().text("detail")).contains("at most 12 terminals");
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
      for (int seen = 0; tail.indexOf("all said", seen) < 0; ) {
        seen = Math.max(0, tail.length() - "all said".length());
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

  /** Each screen that is followed costs the same, however many come in one answer. */
  @Test
  void a_wall_counts_by_its_terminals() throws IOException {
    server.close();
    server = start(new ServerSettings.Readers(ServerSettings.READER_STALL_MAX, 3));
    String one = launched(ECHO, "listening");
    String two = launched(ECHO, "listening");
    String both = "/screens?terminals=" + one + "," + two;
    try (Listener wall = new Listener(server, person, both, "").begun()) {
      told(wall, "screen", two);
      assertThat(server.screenReaders()).isEqualTo(2);
      Answer second = get(both);
      assertThat(second.status()).isEqualTo(503);
      try (Listener single = watch(one, "")) {
        assertThat(next(single.in).event()).isEqualTo("screen");
        assertThat(server.screenReaders()).isEqualTo(3);
      }
    }
    while (server.screenReaders() > 0) type(one, "is somebody there?");
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
