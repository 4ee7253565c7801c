package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.store.Databases;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The stories of the orchestration document, told over HTTP. */
class ScenariosTest {
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

  abstract static class Contract extends OnServer {
    Contract(Databases database) {
      super(database);
    }

    /** The headers of an agent that works in a terminal. */
    private String bearer(String terminal) {
      var wanted = new Wanted(Role.AGENT, terminal, terminal, null);
      return "Bearer " + rooms.access().issue(wanted, ADA).secret();
    }

    private Answer as(String bearer, String verb, String path, Object... keysAndValues) {
      String body = verb.equals("GET") ? "" : JsonText.write(JsonObject.of(keysAndValues));
      // Nobody tries twice in these stories, so every fence is the first.
      return path.startsWith("/assignments/")
          ? send(verb, path, body, "Authorization", bearer, "Mainstay-Fence", "1")
          : send(verb, path, body, "Authorization", bearer);
    }

    private JsonObject good(Answer answer) {
      assertThat(answer.status()).as(answer.text()).isBetween(200, 201);
      return answer.json();
    }

    private JsonObject assigned(String bearer, String task, String terminal) {
      return good(as(bearer, "PUT", "/tasks/" + task + "/assign", "terminal", terminal));
    }

    private static String path(JsonObject assignment, String how) {
      return "/assignments/" + assignment.number("id") + "/" + how;
    }

    private List<String> ready() {
      return get("/tasks/ready").json().objects("items").stream().map(t -> t.text("id")).toList();
    }

    private static <T> List<T> allAtOnce(List<Callable<T>> work) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(work.size());
      CyclicBarrier together = new CyclicBarrier(work.size());
      try {
        List<Future<T>> running = new ArrayList<>();
        for (Callable<T> each : work) {
          running.add(
              threads.submit(
                  () -> {
                    together.await();
                    return each.call();
                  }));
        }
        List<T> all = new ArrayList<>();
        for (Future<T> each : running) all.add(each.get());
        return all;
      } finally {
        threads.shutdownNow();
      }
    }

    @Test
    void three_agents_take_three_tasks_and_the_fourth_waits_for_two_of_them() throws Exception {
      for (String title : List.of("login", "logout", "password reset")) task(title);
      good(post("/tasks", "{\"title\": \"document\", \"dependencies\": [\"T-001\", \"T-002\"]}"));
      List<String> agents = List.of(bearer("dev-1"), bearer("dev-2"), bearer("dev-3"));
      List<Callable<JsonObject>> claims = new ArrayList<>();
      for (String agent : agents) {
        claims.add(() -> good(as(agent, "POST", "/tasks/claim")).objects("tasks").get(0));
      }
      List<JsonObject> held = allAtOnce(claims);
      assertThat(held)
          .extracting(t -> t.text("id"))
          .containsExactlyInAnyOrder("T-001", "T-002", "T-003");
      assertThat(held)
          .extracting(t -> t.text("lease_holder"))
          .containsExactly("dev-1", "dev-2", "dev-3");
      for (String agent : agents) {
        assertThat(good(as(agent, "POST", "/tasks/claim")).list("tasks")).isEmpty();
      }
      finish(agents, held, "T-003");
      assertThat(ready()).isEmpty();
      finish(agents, held, "T-001");
      assertThat(ready()).isEmpty();
      finish(agents, held, "T-002");
      assertThat(ready()).containsExactly("T-004");
      assertThat(allClaiming(agents)).containsExactly("T-004");
    }

    private void finish(List<String> agents, List<JsonObject> held, String task) {
      for (int i = 0; i < held.size(); i++) {
        if (!held.get(i).text("id").equals(task)) continue;
        JsonObject mine = good(as(agents.get(i), "GET", "/terminals/dev-" + (i + 1) + "/task"));
        assertThat(mine.text("task_id")).isEqualTo(task);
        good(as(agents.get(i), "PUT", path(mine, "start")));
        JsonObject done = good(as(agents.get(i), "PUT", path(mine, "complete")));
        assertThat(done.object("task").text("status")).isEqualTo("COMPLETED");
      }
    }

    /** What all of them get when they claim at the same moment. */
    private List<String> allClaiming(List<String> agents) throws Exception {
      List<Callable<List<JsonObject>>> claims = new ArrayList<>();
      for (String agent : agents) {
        claims.add(() -> good(as(agent, "POST", "/tasks/claim")).objects("tasks"));
      }
      return allAtOnce(claims).stream().flatMap(List::stream).map(t -> t.text("id")).toList();
    }

    @Test
    void five_endpoints_are_built_in_parallel_and_then_reviewed() throws Exception {
      String supervisor = bearer("supervisor");
      List<String> endpoints =
          List.of(
              "GET /users", "POST /users", "PUT /users/:id", "DELETE /users/:id", "GET /users/:id");
      List<JsonObject> given = new ArrayList<>();
      for (String endpoint : endpoints) given.add(launched(supervisor, endpoint));
      List<String> ids = given.stream().map(a -> a.text("task_id")).toList();
      assertThat(ids).containsExactly("T-001", "T-002", "T-003", "T-004", "T-005");
      good(
          as(
              supervisor,
              "POST",
              "/tasks",
              "title",
              "Review",
              "task_type",
              "REVIEW",
              "dependencies",
              ids));
      assertThat(statuses(supervisor, ids)).containsOnly("ASSIGNED");

      List<Callable<JsonObject>> work = new ArrayList<>();
      for (int i = 0; i < given.size() - 1; i++) {
        JsonObject mine = given.get(i);
        String bearer = bearer(mine.text("terminal_id"));
        work.add(() -> developed(bearer, mine));
      }
      allAtOnce(work);
      assertThat(statuses(supervisor, ids))
          .containsExactly("COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "ASSIGNED");
      assertThat(ready()).isEmpty();
      developed(bearer("dev-5"), given.get(4));
      assertThat(statuses(supervisor, ids)).containsOnly("COMPLETED");
      reviewed(ids);
    }

    /** One task, and one terminal that begins with it. */
    private JsonObject launched(String supervisor, String endpoint) {
      String id =
          good(as(supervisor, "POST", "/tasks", "title", "Implement " + endpoint)).text("id");
      String terminal = "dev-" + TaskId.parse(id).number();
      good(
          as(
              supervisor,
              "POST",
              "/terminals",
              "id",
              terminal,
              "provider",
              "claude_code",
              "agent_profile",
              "developer",
              "initial_prompt",
              "You are {{name}}. Implement {{endpoint}}.",
              "variables",
              JsonObject.of("name", terminal, "endpoint", endpoint)));
      JsonObject prompt = good(as(supervisor, "GET", "/terminals/" + terminal + "/prompt"));
      assertThat(prompt.text("prompt"))
          .isEqualTo("You are " + terminal + ". Implement " + endpoint + ".");
      return assigned(supervisor, id, terminal);
    }

    /** What the supervisor sees when it looks at who was given what. */
    private List<String> statuses(String supervisor, List<String> ids) {
      List<String> all = new ArrayList<>();
      for (String id : ids) {
        var items = good(as(supervisor, "GET", "/tasks/" + id + "/assignments")).objects("items");
        assertThat(items).hasSize(1);
        all.add(items.get(0).text("status"));
      }
      return all;
    }

    private JsonObject developed(String bearer, JsonObject mine) {
      assertThat(good(as(bearer, "PUT", path(mine, "accept"))).text("status"))
          .isEqualTo("ACCEPTED");
      assertThat(good(as(bearer, "PUT", path(mine, "start"))).text("status"))
          .isEqualTo("IN_PROGRESS");
      good(as(bearer, "PUT", path(mine, "heartbeat"), "lease_seconds", 60));
      Call call =
          Call.by(Actor.agent(mine.text("terminal_id")), "test").withFence(mine.number("fence"));
      TaskId task = TaskId.parse(mine.text("task_id"));
      String code = "// " + mine.object("task").text("title");
      rooms.artifacts().add(task, NewArtifact.text(ArtifactType.CODE, code), call);
      JsonObject result = JsonObject.of("summary", "done by " + mine.text("terminal_id"));
      JsonObject done = good(as(bearer, "PUT", path(mine, "complete"), "result", result));
      assertThat(done.object("result")).isEqualTo(result);
      assertThat(done.has("completed_at")).isTrue();
      return done;
    }

    private void reviewed(List<String> ids) {
      var collected = rooms.artifacts().collect(ids.stream().map(TaskId::parse).toList(), null);
      assertThat(collected.counts().values()).containsExactly(1, 1, 1, 1, 1);
      String first =
          new String(
              rooms.artifacts().get(TaskId.of(1), collected.artifacts().get(0).id()).content(),
              StandardCharsets.UTF_8);
      assertThat(first).isEqualTo("// Implement GET /users");
      assertThat(ready()).containsExactly("T-006");
      String reviewer = bearer("reviewer");
      JsonObject claimed = good(as(reviewer, "POST", "/tasks/claim")).objects("tasks").get(0);
      assertThat(claimed.text("task_type")).isEqualTo("REVIEW");
      JsonObject mine = good(as(reviewer, "GET", "/terminals/reviewer/task"));
      assertThat(mine.object("task").with("assignment_id", mine.number("id"))).isEqualTo(claimed);
      good(as(reviewer, "PUT", path(mine, "start")));
      JsonObject approved = JsonObject.of("approved", true);
      good(as(reviewer, "PUT", path(mine, "complete"), "result", approved));
      assertThat(get("/tasks/T-006").json().text("status")).isEqualTo("COMPLETED");
      assertThat(get("/terminals/reviewer/task").status()).isEqualTo(404);
    }

    @Test
    void the_initial_prompt_of_the_database_wins_over_the_profiles() {
      good(post("/terminals", "{\"id\": \"dev-1\", \"variables\": {\"branch\": \"main\"}}"));
      String ask =
          "/terminals/dev-1/prompt?profile_prompt="
              + URLEncoder.encode("You work on {{branch}}.", StandardCharsets.UTF_8);
      assertThat(get("/terminals/dev-1/prompt").json().get("prompt")).isNull();
      assertThat(get(ask).json().text("prompt")).isEqualTo("You work on main.");
      String told = "{\"initial_prompt\": \"You are number 3 on {{branch}}.\"}";
      good(send("PATCH", "/terminals/dev-1/state", told));
      assertThat(get(ask).json().text("prompt")).isEqualTo("You are number 3 on main.");
      good(send("PATCH", "/terminals/dev-1/state", "{\"initial_prompt\": null}"));
      assertThat(get(ask).json().text("prompt")).isEqualTo("You work on main.");
    }

    @Test
    void a_supervisor_finds_or_makes_a_terminal_tells_it_its_task_and_assigns_it() {
      String supervisor = bearer("supervisor");
      String id = good(as(supervisor, "POST", "/tasks", "title", "factorial")).text("id");
      assertThat(as(supervisor, "GET", "/terminals/dev-1").status()).isEqualTo(404);
      Answer made =
          as(supervisor, "POST", "/terminals", "id", "dev-1", "agent_profile", "developer");
      assertThat(made.status()).isEqualTo(201);
      assertThat(made.header("Location")).isEqualTo("/terminals/dev-1");
      assertThat(as(supervisor, "POST", "/terminals", "id", "dev-1").status()).isEqualTo(409);
      assertThat(good(as(supervisor, "GET", "/terminals/dev-1")).text("agent_profile"))
          .isEqualTo("developer");
      JsonObject context = JsonObject.of("current_task_id", id);
      String prompt = "You have been assigned task " + id + ".";
      Answer told =
          as(
              supervisor,
              "PATCH",
              "/terminals/dev-1/state",
              "context_data",
              context,
              "initial_prompt",
              prompt);
      assertThat(good(told).object("context_data")).isEqualTo(context);
      assertThat(told.header("ETag")).isEqualTo("\"1\"");
      JsonObject given = assigned(supervisor, id, "dev-1");
      assertThat(given.number("fence")).isEqualTo(given.object("task").number("fence"));
      assertThat(good(get("/terminals/dev-1/task")).number("id")).isEqualTo(given.number("id"));
      assertThat(good(get("/terminals/dev-1/prompt")).text("prompt")).isEqualTo(prompt);
    }

    @Test
    void a_task_is_assigned_to_one_of_those_who_are_given_it_at_the_same_moment() throws Exception {
      String id = task("one");
      String supervisor = bearer("supervisor");
      List<Callable<Answer>> tries = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        String terminal = "dev-" + i;
        tries.add(() -> as(supervisor, "PUT", "/tasks/" + id + "/assign", "terminal", terminal));
      }
      assertThat(allAtOnce(tries))
          .extracting(Answer::status)
          .containsExactlyInAnyOrder(200, 409, 409);
      assertThat(get("/tasks/" + id + "/assignments").json().list("items")).hasSize(1);
    }

    @Test
    void three_tasks_are_assigned_to_three_terminals_at_once() throws Exception {
      String supervisor = bearer("supervisor");
      List<Callable<JsonObject>> work = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        String id = task("task " + i);
        String terminal = "dev-" + i;
        JsonObject context = JsonObject.of("current_task_id", id);
        work.add(
            () -> {
              good(
                  as(
                      supervisor,
                      "POST",
                      "/terminals",
                      "id",
                      terminal,
                      "context_data",
                      context,
                      "initial_prompt",
                      "Begin when ready."));
              return assigned(supervisor, id, terminal);
            });
      }
      for (JsonObject given : allAtOnce(work)) {
        String terminal = "/terminals/" + given.text("terminal_id");
        assertThat(get(terminal + "/task").json().text("task_id"))
            .isEqualTo(given.text("task_id"))
            .isEqualTo(
                get(terminal + "/state").json().object("context_data").text("current_task_id"));
      }
    }
  }
}
