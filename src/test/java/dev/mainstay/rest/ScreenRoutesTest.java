package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ScreenRoutesTest extends OnScreens {
  private static final String PLAIN = "{\"agent_profile\": \"developer\", \"provider\": \"shell\"}";

  @TempDir Path elsewhere;

  private List<String> inSessions(String query) {
    return get("/sessions" + query).json().objects("items").stream()
        .flatMap(each -> each.objects("terminals").stream())
        .map(each -> each.text("id"))
        .toList();
  }

  private String known() {
    return get("/terminals").json().objects("items").toString();
  }

  @Test
  void a_terminal_lives_from_launch_to_restore_over_http() {
    Answer made = post("/terminals/launch", order("sh", "-c", ECHO));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    String id = made.json().text("id");
    String path = "/terminals/" + id;
    assertThat(made.header("Location")).isEqualTo(path);
    assertThat(made.json().text("caller_id")).isEqualTo("person:ada");
    assertThat(known()).contains(id);
    assertThat(inSessions("")).containsExactly(id);
    awaitShown(id, "listening");
    assertThat(type(id, "hello").json().text("outcome"))
        .isIn("SUBMITTED", "UNCONFIRMED"); // a busy machine is slow to echo
    awaitShown(id, "got hello");
    assertThat(get(path + "/output?lines=1").json().text("output")).isEqualTo("got hello");
    assertThat(get(path + "/attach").json().texts("command"))
        .contains("attach-session", "=mainstay:=" + id);
    assertThat(send("PUT", path + "/signal", "{\"signal\": \"working\"}").status()).isEqualTo(200);
    Answer stopped = send("DELETE", path, "");
    assertThat(stopped.json().text("status")).isEqualTo("STOPPED");
    assertThat(shown(id)).contains("got hello");
    assertThat(inSessions("")).isEmpty();
    assertThat(inSessions("?all=true")).containsExactly(id);
    Answer again = post(path + "/restore", "");
    assertThat(again.status()).as(again.text()).isEqualTo(200);
    assertThat(again.json().get("resumed")).isEqualTo(true);
    awaitShown(id, "listening");
    assertThat(post(path + "/restore", "").status()).isEqualTo(409);
  }

  @Test
  void text_may_wait_for_its_enter_and_a_key_is_no_text() {
    String id = launched(ECHO, "listening");
    String path = "/terminals/" + id + "/input";
    assertThat(post(path, "{\"text\": \"one \", \"enter\": false}").status()).isEqualTo(200);
    assertThat(post(path, "{\"text\": \"two\"}").status()).isEqualTo(200);
    awaitShown(id, "got one two");
    assertThat(post(path, "{\"text\": \"x\", \"enter\": false}").status()).isEqualTo(200);
    assertThat(post(path, "{\"key\": \"Enter\"}").json().text("outcome")).isEqualTo("PRESSED");
    awaitShown(id, "got x");
    for (String wrong :
        List.of(
            "{}",
            "{\"text\": \"x\", \"key\": \"Enter\"}",
            "{\"key\": \"Enter\", \"enter\": true}",
            "{\"key\": \"kill-server\"}",
            "{\"text\": \"x\", \"enter\": \"yes\"}")) {
      assertThat(post(path, wrong).status()).as(wrong).isEqualTo(400);
    }
    Answer keyed = type(id, "x", "Idempotency-Key", "k-1");
    assertThat(keyed.json().text("detail")).contains("takes no Idempotency-Key");
  }

  @Test
  void a_launch_that_is_repeated_under_its_key_starts_nothing_new() {
    Answer first = post("/terminals/launch", PLAIN, "Idempotency-Key", "k-1");
    Answer second = post("/terminals/launch", PLAIN, "Idempotency-Key", "k-1");
    assertThat(second.status()).isEqualTo(201);
    assertThat(second.json().text("id")).isEqualTo(first.json().text("id"));
    assertThat(inSessions("?all=true")).hasSize(1);
    Answer other = post("/terminals/launch", order("sh"), "Idempotency-Key", "k-1");
    assertThat(other.status()).isEqualTo(409);
  }

  @Test
  void a_program_is_words_that_a_program_can_be_given() {
    for (String[] words :
        List.of(
            new String[] {"\0"},
            new String[] {"sh", "-c", "echo a\0b"},
            new String[] {""},
            "x ".repeat(1_001).split(" "))) {
      Answer answer = post("/terminals/launch", order(words));
      assertThat(answer.status()).as(answer.text()).isIn(400, 413);
    }
    JsonObject prompt = JsonText.object(PLAIN).with("initial_prompt", "a\0b");
    Answer told = post("/terminals/launch", JsonText.write(prompt));
    assertThat(told.status()).as(told.text()).isEqualTo(400);
    assertThat(inSessions("")).isEmpty();
  }

  private Answer launchedIn(String workDir) {
    JsonObject body = JsonText.object(PLAIN).with("work_dir", workDir);
    return post("/terminals/launch", JsonText.write(body));
  }

  @Test
  void agents_are_started_in_the_project_and_nowhere_else() throws IOException {
    Files.createDirectories(folder.resolve("src/deep"));
    Files.createSymbolicLink(folder.resolve("out"), elsewhere);
    Files.createSymbolicLink(folder.resolve("src/in"), folder.resolve("src/deep"));
    Files.writeString(folder.resolve("file"), "");
    for (String hostile :
        List.of(
            "..",
            "../..",
            "src/../..",
            "out",
            "out/../" + elsewhere.getFileName(),
            "/",
            elsewhere.toString(),
            folder.toString(),
            "missing",
            "file",
            "\0",
            "#{pane_id}")) {
      Answer answer = launchedIn(hostile);
      assertThat(answer.status()).as(hostile + ": " + answer.text()).isEqualTo(400);
    }
    for (String outside : List.of("..", "out", elsewhere.toString(), "../none", "/none")) {
      assertThat(launchedIn(outside).json().text("detail"))
          .as("tells nothing of what lies elsewhere")
          .startsWith("there is no folder \"" + outside + "\" in the project");
    }
    assertThat(known()).isEqualTo("[]");
    String deep = folder.toRealPath().resolve("src/deep").toString();
    assertThat(launchedIn("src/deep").json().text("work_dir")).isEqualTo(deep);
    assertThat(launchedIn("src/in").json().text("work_dir")).isEqualTo(deep);
    String root = folder.toRealPath().toString();
    assertThat(post("/terminals/launch", PLAIN).json().text("work_dir")).isEqualTo(root);
  }

  /** A person's own choice, which an agent may start. */
  private String profileWithShell() {
    try {
      Path agents = Files.createDirectories(rooms.root().resolve(".mainstay/agents"));
      Files.writeString(
          agents.resolve("sheller.md"),
          "---\nname: sheller\ndescription: a shell\nprovider: shell\n---\n");
      return "{\"agent_profile\": \"sheller\"}";
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  @Test
  void an_agent_touches_what_it_started_and_nothing_else() {
    String[] agent = {"Authorization", "Bearer " + token(Role.AGENT)};
    String foreign = "/terminals/" + launched(ECHO, "listening");
    assertThat(post(foreign + "/input", "{\"text\": \"x\"}", agent).code()).isEqualTo("forbidden");
    assertThat(post(foreign + "/input", "{\"key\": \"C-c\"}", agent).status()).isEqualTo(403);
    assertThat(send("DELETE", foreign, "", agent).status()).isEqualTo(403);
    assertThat(send("PUT", foreign + "/signal", "{\"signal\": \"asking\"}", agent).status())
        .isEqualTo(403);
    assertThat(get(foreign + "/output", agent).json().text("output")).isEqualTo("listening");
    assertThat(send("DELETE", foreign, "").status()).isEqualTo(200);
    assertThat(post(foreign + "/restore", "", agent).status()).isEqualTo(403);

    assertThat(post("/terminals/launch", order("sh"), agent).code()).isEqualTo("forbidden");
    assertThat(post("/terminals/launch", PLAIN, agent).status()).isIn(400, 403);
    Answer made = post("/terminals/launch", profileWithShell(), agent);
    assertThat(made.json().text("caller_id")).isEqualTo("coder-1");
    String own = "/terminals/" + made.json().text("id");
    assertThat(post(own + "/input", "{\"text\": \"true\"}", agent).status()).isEqualTo(200);
    assertThat(send("PUT", own + "/signal", "{\"signal\": \"asking\"}", agent).status())
        .isEqualTo(403);
    assertThat(send("DELETE", own, "", agent).status()).isEqualTo(200);
    assertThat(post(own + "/restore", "", agent).status()).isEqualTo(200);
  }

  @Test
  void a_viewer_reads_and_changes_nothing() {
    String[] viewer = {"Authorization", "Bearer " + token(Role.VIEWER)};
    String path = "/terminals/" + launched(ECHO, "listening");
    assertThat(get(path + "/output", viewer).status()).isEqualTo(200);
    assertThat(get("/sessions", viewer).status()).isEqualTo(200);
    assertThat(post("/terminals/launch", PLAIN, viewer).status()).isEqualTo(403);
    assertThat(post(path + "/input", "{\"text\": \"x\"}", viewer).status()).isEqualTo(403);
    assertThat(post(path + "/restore", "", viewer).status()).isEqualTo(403);
    assertThat(send("DELETE", path, "", viewer).status()).isEqualTo(403);
    assertThat(send("PUT", path + "/signal", "{\"signal\": \"asking\"}", viewer).status())
        .isEqualTo(403);
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Test
  void names_that_mean_something_to_others_mean_nothing_here() {
    post("/terminals", "{\"id\": \"worker\"}");
    post("/terminals", "{\"id\": \"a; kill-server\"}");
    List<String> ids = List.of("nobody", "worker", "a; kill-server", "%0", "=mainstay:", "-t");
    for (String id : ids) {
      String path = "/terminals/" + encoded(id);
      List<Answer> all =
          List.of(
              get(path + "/output"),
              get(path + "/attach"),
              get(path + "/stream"),
              post(path + "/input", "{\"text\": \"x\"}"),
              post(path + "/input", "{\"key\": \"Enter\"}"),
              post(path + "/restore", ""),
              send("PUT", path + "/signal", "{\"signal\": \"asking\"}"),
              send("DELETE", path, ""));
      assertThat(all).as(id).allMatch(each -> each.status() == 404 || each.status() == 400);
    }
    for (String id : List.of("#{pane_id}", "\n", "\0", "\u202e", "..", "/", "x".repeat(3_000))) {
      int status = get("/terminals/" + encoded(id) + "/output").status();
      assertThat(status).as(id).isIn(400, 404);
    }
    for (String field : List.of("agent_profile", "provider", "session")) {
      for (String hostile : List.of("../x", "a;b", "#{x}", "=x:", "-x", "", "\0", "a\nb")) {
        String body =
            JsonText.write(JsonObject.of("agent_profile", "developer").with(field, hostile));
        Answer answer = post("/terminals/launch", body);
        assertThat(answer.status()).as(field + " " + body + answer.text()).isBetween(400, 404);
      }
    }
    assertThat(inSessions("?all=true")).isEmpty();
  }

  @Test
  void what_cannot_be_shown_is_refused() {
    String path = "/terminals/" + launched(ECHO, "listening") + "/output";
    for (String query :
        List.of(
            "mode=all", "lines=0", "lines=20001", "lines=x", "mode=last&lines=2", "escapes=1")) {
      assertThat(get(path + "?" + query).status()).as(query).isEqualTo(400);
    }
    assertThat(get(path + "?mode=last").status()).isEqualTo(200);
    assertThat(get("/sessions?all=maybe").status()).isEqualTo(400);
  }
}
