package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NowRouteTest {
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

    private JsonObject now() {
      Answer answer = get("/now");
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      Conformance.check("the answer", OverviewSchemas.NOW, answer.json());
      return answer.json();
    }

    private JsonObject only(String list) {
      assertThat(now().objects(list)).hasSize(1);
      return now().objects(list).get(0);
    }

    private String dependent(String title, String on) {
      String body = "{\"title\": \"%s\", \"dependencies\": [\"%s\"]}".formatted(title, on);
      return post("/tasks", body).json().text("id");
    }

    private JsonObject claim(String worker) {
      return post("/tasks/claim", "{\"worker\": \"" + worker + "\"}")
          .json()
          .objects("tasks")
          .get(0);
    }

    private void fail(JsonObject held, String error) {
      String given = "/tasks/" + held.text("id") + "/assignments";
      long assignment = get(given).json().objects("items").get(0).number("id");
      String fence = Long.toString(held.number("fence"));
      String body = "{\"error\": \"" + error + "\"}";
      send("PUT", "/assignments/" + assignment + "/fail", body, "Mainstay-Fence", fence);
    }

    @Test
    void an_empty_store_has_nothing_going_on() {
      JsonObject now = now();
      assertThat(now.object("counts").asMap().values()).containsOnly(0L);
      assertThat(now.list("working")).isEmpty();
      assertThat(now.object("more").isEmpty()).isTrue();
    }

    @Test
    void every_task_is_counted_once() {
      String first = task("one");
      dependent("two", first);
      task("three");
      String gone = task("four");
      send("DELETE", "/tasks/" + gone, "");
      claim("coder-1");
      JsonObject counts = now().object("counts");
      assertThat(counts.asMap())
          .containsEntry("held", 1L)
          .containsEntry("ready", 1L)
          .containsEntry("waiting", 1L)
          .containsEntry("cancelled", 1L);
    }

    @Test
    void whoever_works_is_shown_with_his_step_and_what_he_last_did() {
      String id = task("Add login");
      post("/tasks/" + id + "/run", "{\"goal\": \"people can log in\"}");
      send("PUT", "/tasks/" + id + "/plan", "{\"steps\": [\"write tests\", \"pass them\"]}");
      post("/tasks/" + id + "/actions", "{\"summary\": \"wrote a test\"}");
      post("/terminals", "{\"id\": \"coder-1\", \"agent_profile\": \"developer\"}");
      claim("coder-1");
      JsonObject working = only("working");
      assertThat(working.text("terminal_id")).isEqualTo("coder-1");
      assertThat(working.text("task_id")).isEqualTo(id);
      assertThat(working.object("step").text("text")).isEqualTo("write tests");
      assertThat(working.object("step").number("of")).isEqualTo(2);
      assertThat(working.object("last_action").text("text")).isEqualTo("wrote a test");
      assertThat(working.object("last_action").text("at")).startsWith("20");
      assertThat(working.text("lease_until")).isGreaterThan(working.text("since"));
    }

    @Test
    void what_waits_says_for_whom() {
      String first = task("build");
      String second = dependent("deploy", first);
      JsonObject blocked = only("blocked");
      assertThat(blocked.text("task_id")).isEqualTo(second);
      assertThat(blocked.text("reason")).isEqualTo("waiting for 1 other task(s)");
      JsonObject cause = blocked.objects("waits_for").get(0);
      assertThat(cause.text("task_id")).isEqualTo(first);
      assertThat(cause.text("title")).isEqualTo("build");
      assertThat(cause.text("kind")).isEqualTo("blocks");
    }

    @Test
    void a_task_that_waits_for_its_parts_names_them() {
      String whole = task("whole");
      String body = "{\"title\": \"part\", \"parent_id\": \"" + whole + "\"}";
      String part = post("/tasks", body).json().text("id");
      JsonObject cause = only("blocked").objects("waits_for").get(0);
      assertThat(cause.text("task_id")).isEqualTo(part);
      assertThat(cause.text("kind")).isEqualTo("part");
    }

    @Test
    void what_failed_says_why() {
      String id = task("measure");
      fail(claim("coder-1"), "out of memory");
      JsonObject failed = only("failed");
      assertThat(failed.text("task_id")).isEqualTo(id);
      assertThat(failed.text("reason")).contains("out of memory");
    }

    @Test
    void what_holds_a_workflow_up_is_told_until_it_is_mended() throws IOException {
      String drawn = Files.readString(Path.of("examples/release.bpmn"));
      post("/workflows", JsonText.write(JsonObject.of("bpmn", drawn)));
      String started = "{\"variables\": {\"version\": \"1.4.0\"}}";
      String execution = post("/workflows/release/executions", started).json().text("id");
      assertThat(now().list("incidents")).isEmpty();
      fail(claim("coder-1"), "no network");
      JsonObject incident = only("incidents");
      assertThat(incident.text("execution_id")).isEqualTo(execution);
      assertThat(incident.text("title")).isEqualTo("Release with approval");
      assertThat(incident.text("node")).isEqualTo("build");
      assertThat(incident.text("problem")).isEqualTo("no network");
      post("/executions/" + execution + "/retry", "{\"node\": \"build\"}");
      assertThat(now().list("incidents")).isEmpty();
    }

    @Test
    void a_question_about_a_task_is_asked_until_it_is_answered() {
      String id = task("serve");
      post("/tasks/" + id + "/run", "{\"goal\": \"it serves\"}");
      post("/tasks/" + id + "/run/suspend", "{\"what\": \"Which port?\"}");
      JsonObject question = only("questions");
      assertThat(question.text("task_id")).isEqualTo(id);
      assertThat(question.text("text")).isEqualTo("Which port?");
      assertThat(question.text("since")).startsWith("20");
      post("/tasks/" + id + "/run/resume", "{\"answer\": \"7717\"}");
      assertThat(now().list("questions")).isEmpty();
    }

    @Test
    void a_message_is_undelivered_until_it_is_acknowledged() {
      post("/terminals", "{\"id\": \"coder-1\"}");
      Answer sent = post("/terminals/coder-1/inbox", "{\"message\": \"hello\"}");
      JsonObject message = only("undelivered");
      assertThat(message.number("message_id")).isEqualTo(sent.json().number("id"));
      assertThat(message.text("receiver")).isEqualTo("coder-1");
      assertThat(message.text("status")).isEqualTo("PENDING");
    }

    @Test
    void a_budget_in_use_has_a_line_for_each_unit() {
      post(
          "/tasks",
          "{\"title\": \"one\", \"terms\": {\"budget\": {\"tokens\": 9, \"cost\": \"1.50\"}}}");
      assertThat(now().list("budgets")).isEmpty();
      claim("coder-1");
      assertThat(now().objects("budgets"))
          .extracting(
              line -> line.text("unit") + " " + line.get("limit") + " " + line.get("reserved"))
          .containsExactly("tokens 9 9", "cost 1.500000 1.500000");
      assertThat(now().object("more").isEmpty()).isTrue();
    }

    @Test
    void a_list_is_cut_and_says_how_many_more_there_are() {
      for (int i = 0; i < 23; i++) task("task " + i);
      assertThat(now().list("ready")).hasSize(20);
      assertThat(now().object("more").number("ready")).isEqualTo(3);
      assertThat(now().object("more").has("blocked")).isFalse();
    }

    @Test
    void who_only_looks_may_look() {
      assertThat(get("/now", "Authorization", "Bearer " + token(Role.VIEWER)).status())
          .isEqualTo(200);
    }
  }
}
