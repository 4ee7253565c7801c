package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkflowRoutesTest {
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

    private String[] agent() {
      return new String[] {"Authorization", "Bearer " + token(Role.AGENT)};
    }

    /** An execution of a workflow with a task and then a question. */
    private String started() {
      Answer taken = post("/workflows", WorkflowExamples.SHIP);
      assertThat(taken.status()).as(taken.text()).isEqualTo(201);
      Answer begun = post("/workflows/ship/executions", "{\"variables\": {\"branch\": \"main\"}}");
      assertThat(begun.status()).as(begun.text()).isEqualTo(201);
      assertThat(begun.header("Location")).isEqualTo("/executions/" + begun.json().text("id"));
      return begun.json().text("id");
    }

    private Answer shown(String id) {
      return get("/executions/" + id);
    }

    private void complete(String id) {
      WorkflowExamples.end(this, id, "complete", "{\"result\": {\"size\": 3}}");
    }

    @Test
    void an_export_is_the_bytes_of_the_file_in_utf_8() throws Exception {
      String named =
          Files.readString(Path.of("examples/release.bpmn"))
              .replaceFirst("name=\"[^\"]*\"", "name=\"Prüfen ✓ 日本\"");
      for (String xml : List.of(named, "\uFEFF" + named.replace("Prüfen", "Geprüft"))) {
        Answer taken = post("/workflows", JsonText.write(JsonObject.of("bpmn", xml)));
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        var request =
            HttpRequest.newBuilder(uri("/workflows/release/bpmn"))
                .header("Authorization", "Bearer " + person)
                .build();
        var answer = CLIENT.send(request, BodyHandlers.ofByteArray());
        assertThat(answer.body()).isEqualTo(xml.getBytes(StandardCharsets.UTF_8));
        assertThat(answer.headers().firstValue("Content-Type"))
            .contains("application/xml; charset=utf-8");
      }
    }

    /** The text of a Latin-1 file still says so when the file was read and decoded. */
    @Test
    void an_export_declares_the_encoding_in_which_it_is_sent() throws IOException {
      String xml = Files.readString(Path.of("examples/release.bpmn"));
      String declared = xml.replaceFirst("encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"");
      assertThat(declared).isNotEqualTo(xml);
      post("/workflows", JsonText.write(JsonObject.of("bpmn", declared)));
      assertThat(get("/workflows/release/bpmn").text()).isEqualTo(xml);
    }

    @Test
    void a_workflow_is_taken_in_shown_and_given_back() throws IOException {
      String xml = Files.readString(Path.of("examples/release.bpmn"));
      Answer taken = post("/workflows", JsonText.write(JsonObject.of("bpmn", xml)));
      assertThat(taken.status()).as(taken.text()).isEqualTo(201);
      assertThat(taken.header("Location")).isEqualTo("/workflows/WF-001");
      assertThat(get("/workflows/release/bpmn").text()).isEqualTo(xml);
      assertThat(get("/workflows/release/bpmn").header("Content-Type"))
          .startsWith("application/xml");
      JsonObject shown = get("/workflows/WF-001").json();
      assertThat(shown.objects("nodes").get(0).object("position").asMap()).containsKey("x");
      JsonObject again =
          JsonObject.of("name", "copy", "title", "", "nodes", shown.list("nodes"))
              .with("edges", shown.list("edges"));
      assertThat(post("/workflows", JsonText.write(again)).status()).isEqualTo(201);
      assertThat(get("/workflows/copy").json().list("edges")).isEqualTo(shown.list("edges"));
      JsonObject first = get("/workflows?limit=1").json();
      assertThat(first.objects("items").get(0).text("name")).isEqualTo("copy");
      assertThat(get("/workflows?cursor=" + first.text("next")).json().objects("items"))
          .extracting(each -> each.text("name"))
          .containsExactly("release");
      assertThat(get("/workflows/relase").status()).isEqualTo(404);
    }

    @Test
    void every_fault_of_a_drawing_is_told() {
      String bad = WorkflowExamples.SHIP.replace("== 'yes'", "== 'yes' +");
      Answer refused = post("/workflows", bad);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().text("detail")).contains("which_to_shipped: ");
      assertThat(get("/workflows").json().objects("items")).isEmpty();
      assertThat(post("/workflows", "{\"bpmn\": \"<a/>\", \"name\": \"a\"}").status())
          .isEqualTo(400);
      assertThat(post("/workflows", "{\"bpmn\": \"<a/>\"}").status()).isEqualTo(400);
    }

    @Test
    void a_drawing_is_checked_element_by_element_and_not_kept() throws IOException {
      String xml = Files.readString(Path.of("examples/release.bpmn"));
      JsonObject good = checked(xml);
      assertThat(good.get("runs")).isEqualTo(true);
      JsonObject bad = checked(xml.replace("approval.answer ==", "approval.answer == =="));
      assertThat(bad.get("runs")).isEqualTo(false);
      assertThat(bad.objects("problems"))
          .anySatisfy(each -> assertThat(each.text("element")).isEqualTo("approved-flow"))
          .anySatisfy(each -> assertThat(each.get("fatal")).isEqualTo(true));
      assertThat(get("/workflows").json().objects("items")).isEmpty();
      Answer unreadable = post("/workflows/check", "{\"bpmn\": \"<a\"}");
      assertThat(unreadable.status()).isEqualTo(400);
    }

    private JsonObject checked(String xml) {
      Answer answer = post("/workflows/check", JsonText.write(JsonObject.of("bpmn", xml)));
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      return answer.json();
    }

    @Test
    void an_execution_goes_to_its_end_by_a_task_and_a_persons_answer() {
      String id = started();
      assertThat(shown(id).header("ETag")).isNotEmpty();
      assertThat(shown(id).json().objects("waits_for").get(0).text("what")).isEqualTo("TASK");
      complete(id);
      JsonObject question = get("/questions").json().objects("items").get(0);
      String asking = question.text("execution_id");
      assertThat(get("/questions?execution=" + asking).json().list("items")).hasSize(1);
      assertThat(get("/questions?execution=exec-other").json().list("items")).isEmpty();
      assertThat(question.text("question")).isEqualTo("Ship main?");
      assertThat(question.texts("answers")).containsExactly("yes", "no");
      String path = "/executions/" + id;
      String yes = "{\"node\": \"sure\", \"answer\": \"yes\"}";
      assertThat(post(path + "/answer", yes, agent()).status()).isEqualTo(403);
      Answer other = post(path + "/answer", "{\"node\": \"sure\", \"answer\": \"maybe\"}");
      assertThat(other.status()).isEqualTo(400);
      assertThat(other.json().text("detail")).contains("yes, no");
      Answer ended = post(path + "/answer", yes, "Idempotency-Key", "k");
      assertThat(ended.json().text("status")).isEqualTo("COMPLETED");
      assertThat(post(path + "/answer", yes, "Idempotency-Key", "k").text())
          .isEqualTo(ended.text());
      assertThat(get(path + "/visits").json().objects("items"))
          .extracting(visit -> visit.text("node"))
          .containsExactly("start", "build", "sure", "which", "shipped");
      settle();
      assertThat(get(path + "/journal").json().objects("items"))
          .extracting(entry -> entry.text("kind"))
          .contains("workflow.started", "workflow.moved");
      assertThat(get("/executions/exec-none/journal").status()).isEqualTo(404);
    }

    @Test
    void what_went_wrong_is_tried_again_by_an_agent_and_skipped_by_a_person() {
      String id = started();
      String path = "/executions/" + id;
      WorkflowExamples.end(this, id, "fail", "{\"error\": \"no network\"}");
      assertThat(shown(id).json().objects("waits_for").get(0).text("what")).isEqualTo("INCIDENT");
      String other = "{\"node\": \"build\", \"variables\": {\"port\": 8081}}";
      assertThat(post(path + "/retry", other, agent()).status()).isEqualTo(409);
      assertThat(post(path + "/retry", "{\"node\": \"build\"}", agent()).status()).isEqualTo(200);
      WorkflowExamples.end(this, id, "fail", "{\"error\": \"no network\"}");
      Answer again = post(path + "/retry", other);
      assertThat(again.status()).as(again.text()).isEqualTo(200);
      assertThat(again.json().object("execution_data").object("variables").number("port"))
          .isEqualTo(8081);
      WorkflowExamples.end(this, id, "fail", "{\"error\": \"no network\"}");
      String skip = "{\"node\": \"build\", \"result\": {\"built\": false}}";
      assertThat(post(path + "/skip", skip, agent()).status()).isEqualTo(403);
      assertThat(post(path + "/skip", skip).json().text("current_node_id")).isEqualTo("sure");
    }

    @Test
    void executions_are_listed_in_parts_by_workflow_and_status() {
      String first = started();
      String second = post("/workflows/WF-001/executions", "", agent()).json().text("id");
      JsonObject page = get("/executions?limit=1").json();
      JsonObject rest = get("/executions?cursor=" + page.text("next")).json();
      // The clock stands still here, so either may be the newer.
      assertThat(
              Stream.of(page, rest)
                  .flatMap(part -> part.objects("items").stream())
                  .map(e -> e.text("id"))
                  .toList())
          .containsExactlyInAnyOrder(first, second);
      assertThat(post("/executions/" + first + "/cancel", "{}", agent()).status()).isEqualTo(403);
      assertThat(post("/executions/" + first + "/cancel", "").json().text("status"))
          .isEqualTo("CANCELLED");
      assertThat(get("/workflows/WF-001/executions?status=cancelled").json().objects("items"))
          .extracting(e -> e.text("id"))
          .containsExactly(first);
      assertThat(get("/executions?workflow=none").json().objects("items")).isEmpty();
      assertThat(get("/executions?status=runing").status()).isEqualTo(400);
    }

    @Test
    void one_is_paused_resumed_and_moved_to_another_version() {
      String id = started();
      String path = "/executions/" + id;
      assertThat(post(path + "/pause", "{}", agent()).status()).isEqualTo(403);
      assertThat(post(path + "/pause", "").json().text("status")).isEqualTo("PAUSED");
      complete(id);
      assertThat(get("/questions").json().objects("items")).isEmpty();
      assertThat(post(path + "/resume", "").json().text("current_node_id")).isEqualTo("sure");
      post("/workflows", WorkflowExamples.SHIP.replace("Ship it", "Ship it now"));
      assertThat(post(path + "/migrate", "{\"version\": 2}").json().text("workflow_id"))
          .isEqualTo("WF-002");
    }

    @Test
    void an_execution_that_changed_since_it_was_read_is_not_changed() {
      post("/workflows", WorkflowExamples.SHIP);
      String id =
          post("/workflows/ship/executions", "{\"variables\": {\"branch\": \"main\"}}")
              .json()
              .text("id");
      String pause = "/executions/" + id + "/pause";
      String resume = "/executions/" + id + "/resume";
      String read = get("/executions/" + id).header("ETag");
      Answer paused = send("POST", pause, "{}", "If-Match", read);
      assertThat(paused.status()).as(paused.text()).isEqualTo(200);
      Answer late = send("POST", resume, "", "If-Match", read);
      assertThat(late.status()).as(late.text()).isEqualTo(412);
      assertThat(get("/executions/" + id).json().text("status")).isEqualTo("PAUSED");
      Answer known = send("POST", resume, "", "If-Match", paused.header("ETag"));
      assertThat(known.status()).as(known.text()).isEqualTo(200);
      assertThat(get("/executions/" + id + "?wait=0").status()).isEqualTo(200);
      assertThat(get("/executions/" + id + "?wait=61").status()).isEqualTo(400);
    }

    @Test
    void what_starts_by_itself_is_shown_and_ended() {
      post("/workflows", WorkflowExamples.NIGHTLY);
      String schedule = "/workflows/release/schedule";
      assertThat(get(schedule).json().objects("items").get(0).text("next")).contains("T02:00:00");
      assertThat(post(schedule, "{\"on\": false}").json().objects("items")).isEmpty();
      assertThat(post(schedule, "{\"on\": false}").status()).isEqualTo(409);
      assertThat(post(schedule, "{\"on\": true}").json().objects("items")).hasSize(1);
      post("/messages", "{\"name\": \"built\", \"keep\": true}");
      assertThat(get("/messages").json().objects("items").get(0).text("name")).isEqualTo("built");
    }

    @Test
    void a_message_reaches_who_waits_or_is_kept() {
      post("/workflows", WorkflowExamples.HEARS);
      Answer nobody = post("/messages", "{\"name\": \"built\"}", agent());
      assertThat(nobody.status()).isEqualTo(409);
      String id = post("/workflows/hears/executions", "").json().text("id");
      Answer got = post("/messages", "{\"name\": \"built\", \"content\": {\"ok\": true}}", agent());
      assertThat(got.json().object("execution").text("id")).isEqualTo(id);
      assertThat(got.json().object("execution").text("status")).isEqualTo("COMPLETED");
      Answer kept = post("/messages", "{\"name\": \"built\", \"keep\": true}");
      assertThat(kept.json().get("kept")).isEqualTo(true);
    }
  }
}
