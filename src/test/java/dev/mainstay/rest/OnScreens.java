package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;

/** A server whose terminals are windows of a real tmux. */
abstract class OnScreens extends OnServer {
  /** Says when it listens, and answers each line. */
  static final String ECHO = "echo listening; while read line; do echo \"got $line\"; done";

  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final long PAUSE_NANOS = 20_000_000;

  OnScreens() {
    super(Databases.SQLITE);
  }

  @BeforeEach
  void needTmux() {
    TestRooms.assumeTmux();
  }

  static String order(String... program) {
    return JsonText.write(
        JsonObject.of("agent_profile", "developer", "provider", "shell")
            .with("program", List.of(program)));
  }

  /** The id of a program that runs, and has said so. */
  String launched(String script, String first) {
    Answer made = post("/terminals/launch", order("sh", "-c", script));
    String id = made.json().text("id");
    awaitShown(id, first);
    return id;
  }

  String shown(String id) {
    return get("/terminals/" + id + "/output").json().text("output");
  }

  void awaitShown(String id, String text) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    String few = "/terminals/" + id + "/output?lines=20";
    while (!get(few).json().text("output").contains(text)) {
      if (System.nanoTime() > end) throw new AssertionError(text + " is not in " + shown(id));
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  Answer type(String id, String text, String... headers) {
    return post(
        "/terminals/" + id + "/input", JsonText.write(JsonObject.of("text", text)), headers);
  }

  /** One event of a terminal, its data as the JSON it is. */
  record Told(String event, String data) {
    String text() {
      return JsonText.object("{\"text\": " + data + "}").text("text");
    }
  }

  static Told next(BufferedReader in) throws IOException {
    String event = "";
    while (true) {
      String line = in.readLine();
      if (line == null) throw new IOException("the stream ended");
      if (line.startsWith("event: ")) event = line.substring(7);
      if (line.startsWith("data: ")) return new Told(event, line.substring(6));
    }
  }

  /** All that is printed until something is in it. */
  static String heard(BufferedReader in, String wanted) throws IOException {
    StringBuilder all = new StringBuilder();
    while (all.indexOf(wanted) < 0) {
      Told told = next(in);
      if (told.event().equals("output")) all.append(told.text());
      if (told.event().equals("ended")) throw new IOException("it ended after " + all);
    }
    return all.toString();
  }
}
