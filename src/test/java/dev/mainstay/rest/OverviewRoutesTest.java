package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PromptSize;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.store.Databases;
import dev.mainstay.store.PromptTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class OverviewRoutesTest {
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

    private JsonObject ok(String path) {
      Answer answer = get(path);
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      return answer.json();
    }

    private String after(String title, String field, Object other) {
      JsonObject body = JsonObject.of("title", title, field, other);
      return post("/tasks", JsonText.write(body)).json().text("id");
    }

    private static List<String> edges(JsonObject graph) {
      return graph.objects("edges").stream()
          .map(edge -> edge.text("from") + " " + edge.text("kind") + " " + edge.text("to"))
          .toList();
    }

    private static List<String> nodes(JsonObject graph) {
      return graph.objects("nodes").stream().map(node -> node.text("id")).sorted().toList();
    }

    @Test
    void a_graph_has_tasks_what_they_wait_for_and_their_parts() {
      String one = task("one");
      String two = after("two", "dependencies", List.of(one));
      String part = after("part", "parent_id", two);
      task("alone");
      JsonObject graph = ok("/tasks/graph");
      Conformance.check("the graph", OverviewSchemas.GRAPH, graph);
      assertThat(nodes(graph)).hasSize(4);
      assertThat(edges(graph))
          .containsExactlyInAnyOrder(one + " blocks " + two, part + " part " + two);
      assertThat(graph.number("left_out")).isZero();
    }

    @Test
    void a_graph_around_a_task_has_what_hangs_together_with_it() {
      String one = task("one");
      String two = after("two", "dependencies", List.of(one));
      String three = after("three", "dependencies", List.of(two));
      String part = after("part", "parent_id", three);
      task("alone");
      assertThat(nodes(ok("/tasks/graph?root=" + three))).containsExactly(one, two, three, part);
      JsonObject near = ok("/tasks/graph?limit=2&root=" + one);
      assertThat(nodes(near)).containsExactly(one, two);
      assertThat(near.number("left_out")).isEqualTo(1);
      assertThat(get("/tasks/graph?root=T-999").status()).isEqualTo(404);
    }

    @Test
    void a_graph_is_filtered_cut_and_limited() {
      for (String title : List.of("one", "two", "three")) task(title);
      assertThat(nodes(ok("/tasks/graph?search=two"))).containsExactly("T-002");
      JsonObject cut = ok("/tasks/graph?limit=1&status=PENDING");
      assertThat(nodes(cut)).containsExactly("T-003");
      assertThat(cut.number("left_out")).isEqualTo(2);
      assertThat(get("/tasks/graph?limit=5001").status()).isEqualTo(400);
      assertThat(get("/tasks/graph?limit=0").status()).isEqualTo(400);
    }

    @Test
    void a_prompt_comes_section_by_section_and_says_what_it_left_out() {
      String id = task("Add login");
      String path = "/tasks/" + id + "/prompt";
      post("/tasks/" + id + "/run", "{\"goal\": \"people can log in\"}");
      for (int i = 0; i < 30; i++) {
        String note = "decision " + i + " " + "word ".repeat(40);
        post("/tasks/" + id + "/state", JsonText.write(JsonObject.of("decisions", note)));
      }
      JsonObject whole = ok(path + "?sections=true&budget=100000");
      assertThat(whole.list("left_out")).isEmpty();
      assertThat(whole.text("prompt"))
          .isEqualTo(
              String.join(
                  "", whole.objects("sections").stream().map(s -> s.text("text")).toList()));
      JsonObject goal = whole.objects("sections").get(1);
      assertThat(goal.text("name")).isEqualTo("goal");
      assertThat(goal.get("stable")).isEqualTo(true);
      JsonObject cut = ok(path + "?sections=true&budget=400");
      assertThat(cut.number("size")).isLessThanOrEqualTo(400);
      assertThat(cut.number("budget")).isEqualTo(400);
      JsonObject missing = cut.objects("left_out").get(0);
      assertThat(missing.text("what")).isEqualTo("decisions");
      assertThat(missing.number("count")).isPositive();
      assertThat(missing.text("how")).startsWith("mainstay prompt " + id);
      assertThat(ok(path).has("sections")).isFalse();
    }

    @Test
    void the_files_that_a_task_changed_have_hashes() throws IOException {
      Path work = Files.createDirectories(folder.resolve("work"));
      String workspace = rooms.workspace(work).workspace().id();
      String id = task("write");
      String claim = post("/tasks/claim", "{\"worker\": \"coder-1\"}").text();
      long fence = JsonText.object(claim).objects("tasks").get(0).number("fence");
      String body = JsonText.write(JsonObject.of("content", "hello\n", "task", id));
      Answer written =
          send(
              "PUT",
              "/workspaces/" + workspace + "/files/a.txt",
              body,
              "Mainstay-Fence",
              Long.toString(fence));
      assertThat(written.status()).as(written.text()).isEqualTo(200);
      JsonObject file = ok("/tasks/" + id + "/files").objects("items").get(0);
      Conformance.check("the file", OverviewSchemas.FILE, file);
      assertThat(file.text("path")).isEqualTo("a.txt");
      assertThat(file.text("change")).isEqualTo("created");
      assertThat(file.number("size")).isEqualTo(6);
      assertThat(file.text("hash")).hasSize(64);
      assertThat(file.get("is_current")).isEqualTo(true);
      assertThat(get("/tasks/T-999/files").status()).isEqualTo(404);
    }

    @Test
    void writes_that_change_nothing_are_counted() throws IOException {
      Path work = Files.createDirectories(folder.resolve("work"));
      String workspace = rooms.workspace(work).workspace().id();
      for (int i = 0; i < 3; i++) {
        send("PUT", "/workspaces/" + workspace + "/files/a.txt", "{\"content\": \"same\"}");
      }
      List<JsonObject> writes = ok("/charts").objects("writes");
      assertThat(writes).hasSize(24);
      JsonObject now = writes.get(23);
      assertThat(now.number("changed")).isEqualTo(1);
      assertThat(now.number("noop")).isEqualTo(2);
      assertThat(writes.get(0).number("noop")).isZero();
    }

    @Test
    void charts_show_what_was_done_and_how_long_it_took() {
      String id = task("one");
      clock.advance(Duration.ofSeconds(60));
      long fence =
          post("/tasks/claim", "{\"worker\": \"coder-1\"}")
              .json()
              .objects("tasks")
              .get(0)
              .number("fence");
      String path =
          "/assignments/"
              + ok("/tasks/" + id + "/assignments").objects("items").get(0).number("id");
      clock.advance(Duration.ofSeconds(10));
      send("PUT", path + "/start", "{}", "Mainstay-Fence", Long.toString(fence));
      clock.advance(Duration.ofSeconds(30));
      Answer done = send("PUT", path + "/complete", "{}", "Mainstay-Fence", Long.toString(fence));
      assertThat(done.status()).as(done.text()).isEqualTo(200);
      JsonObject charts = ok("/charts?hours=2");
      Conformance.check("the charts", OverviewSchemas.CHARTS, charts);
      assertThat(charts.objects("done").get(1).number("completed")).isEqualTo(1);
      assertThat(charts.objects("status_time"))
          .extracting(line -> line.text("status") + " " + line.number("seconds"))
          .containsExactly("PENDING 60", "ASSIGNED 10", "IN_PROGRESS 30");
      assertThat(get("/charts?hours=0").status()).isEqualTo(400);
      assertThat(get("/charts?hours=100000").status()).isEqualTo(400);
    }

    @Test
    void prompts_that_agents_were_given_are_kept_in_number() {
      TaskId id = TaskId.parse(task("one"));
      rooms.prompts().given(id, PromptSize.of(900, 20_000), "hook");
      rooms.prompts().given(id, PromptSize.of(950), "mcp");
      while (ok("/charts").objects("prompts").size() < 2) Pause.briefly(); // nobody waits for it
      assertThat(ok("/charts").objects("prompts"))
          .extracting(
              p -> p.number("turn") + " " + p.number("tokens") + " " + p.get("transcript_tokens"))
          .containsExactly("1 900 20000", "2 950 null");
      given(
          tx -> {
            for (int i = 0; i < PromptTable.TURNS_KEPT_MAX; i++) {
              tx.promptsGiven().give(id, PromptSize.of(1), "mcp");
            }
          });
      List<JsonObject> kept = ok("/charts").objects("prompts");
      assertThat(kept).hasSize(PromptTable.TURNS_KEPT_MAX);
      assertThat(kept.get(0).number("turn")).isEqualTo(3);
    }

    @Test
    void a_proposal_is_listed_until_a_person_decides() {
      TaskId id = TaskId.parse(task("one"));
      post("/tasks/" + id + "/run", "{\"goal\": \"people can log in\"}");
      rooms.executions().begin(new Beginning(id, null, null, null), ADA);
      rooms.executions().set(id, Setting.MAX_FILE_OPERATIONS, 1_000, BOT);
      rooms.executions().set(id, Setting.MAX_FILE_OPERATIONS, 2_000, BOT);
      List<JsonObject> open = ok("/proposals").objects("items");
      assertThat(open).hasSize(2);
      Conformance.check("the proposal", OverviewSchemas.PROPOSAL, open.get(0));
      String path = "/tasks/" + id + "/proposals/";
      String agent = "Bearer " + token(Role.AGENT);
      assertThat(post(path + "1/accept", "", "Authorization", agent).status()).isEqualTo(403);
      assertThat(post(path + "1/decline", "").status()).isEqualTo(200);
      assertThat(post(path + "2/accept", "").status()).isEqualTo(200);
      assertThat(post(path + "9/accept", "").status()).isEqualTo(404);
      assertThat(ok("/proposals").list("items")).isEmpty();
      JsonObject settings = ok("/tasks/" + id + "/constraints").object("settings");
      assertThat(String.valueOf(settings.get("max_file_operations"))).isEqualTo("2000");
    }

    @Test
    void a_person_verifies_the_store_and_nobody_else() {
      task("one");
      Answer answer = post("/verify", "");
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      Conformance.check("the report", OverviewSchemas.VERIFIED, answer.json());
      assertThat(answer.json().get("sound")).isEqualTo(true);
      assertThat(answer.json().text("sentence")).startsWith("all is well");
      assertThat(post("/verify", "", "Authorization", "Bearer " + token(Role.AGENT)).status())
          .isEqualTo(403);
    }
  }
}
