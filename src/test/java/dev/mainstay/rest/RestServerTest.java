package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.store.Databases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RestServerTest {
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

    @Test
    void a_task_is_made_shown_changed_and_cancelled() {
      Answer made = post("/tasks", "{\"title\": \"Add login\", \"priority\": 5}");
      assertThat(made.status()).isEqualTo(201);
      assertThat(made.header("Location")).isEqualTo("/tasks/T-001");
      assertThat(made.header("ETag")).isEqualTo("\"1\"");
      Answer shown = get("/tasks/T-001");
      assertThat(shown.json()).isEqualTo(TaskJson.write(rooms.tasks().show(TaskId.of(1))));
      Answer changed = send("PATCH", "/tasks/T-001", "{\"priority\": 9}");
      assertThat(changed.json().number("priority")).isEqualTo(9);
      Answer gone = send("DELETE", "/tasks/T-001?reason=enough", "");
      assertThat(gone.json().text("status")).isEqualTo("CANCELLED");
      assertThat(gone.json().text("reason")).isEqualTo("enough");
    }

    @Test
    void a_version_that_is_no_longer_there_is_not_changed() {
      String id = task("one");
      String etag = get("/tasks/" + id).header("ETag");
      String change = "{\"priority\": 2}";
      assertThat(send("PATCH", "/tasks/" + id, change, "If-Match", etag).status()).isEqualTo(200);
      Answer late = send("PATCH", "/tasks/" + id, "{\"priority\": 3}", "If-Match", etag);
      assertThat(late.status()).isEqualTo(412);
      assertThat(late.code()).isEqualTo("precondition_failed");
      assertThat(get("/tasks/" + id).json().number("priority")).isEqualTo(2);
      assertThat(send("DELETE", "/tasks/" + id, "", "If-Match", etag).status()).isEqualTo(400);
    }

    @Test
    void the_same_key_gets_the_same_answer_and_another_request_is_a_conflict() {
      String body = "{\"title\": \"once\"}";
      Answer first = post("/tasks", body, "Idempotency-Key", "k-1");
      Answer again = post("/tasks", body, "Idempotency-Key", "k-1");
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(again.status()).isEqualTo(201);
      Answer other = post("/tasks", "{\"title\": \"twice\"}", "Idempotency-Key", "k-1");
      assertThat(other.status()).isEqualTo(409);
      assertThat(get("/tasks").json().list("items")).hasSize(1);
    }

    @Test
    void a_repeated_key_is_answered_although_the_version_went_on() {
      String id = task("one");
      String[] headers = {"If-Match", "\"1\"", "Idempotency-Key", "k-2"};
      Answer first = send("PATCH", "/tasks/" + id, "{\"priority\": 2}", headers);
      send("PATCH", "/tasks/" + id, "{\"priority\": 3}");
      Answer again = send("PATCH", "/tasks/" + id, "{\"priority\": 2}", headers);
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.text()).isEqualTo(first.text());
    }

    @Test
    void lists_come_in_parts_that_follow_each_other() {
      for (int i = 0; i < 5; i++) task("t" + i);
      List<String> seen = new ArrayList<>();
      String path = "/tasks?limit=2";
      while (!path.isEmpty()) {
        Answer part = get(path);
        for (JsonObject item : part.json().objects("items")) seen.add(item.text("title"));
        String link = part.header("Link");
        assertThat(link.isEmpty()).isEqualTo(part.json().get("next") == null);
        path = link.replaceAll("^<|>; rel=\"next\"$", "");
      }
      assertThat(seen).containsExactly("t0", "t1", "t2", "t3", "t4");
    }

    @Test
    void the_journal_comes_in_parts_too() {
      for (int i = 0; i < 3; i++) task("t" + i);
      settle();
      Answer first = get("/journal?limit=2");
      Answer rest = get("/journal?limit=2&cursor=" + first.json().text("next"));
      assertThat(first.json().list("items")).hasSize(2);
      assertThat(rest.json().list("items")).hasSize(1);
      assertThat(get("/tasks/T-002/journal").json().objects("items"))
          .extracting(entry -> entry.text("stream"))
          .containsExactly("task/T-002");
    }

    @Test
    void a_stale_fence_is_a_lost_lease_and_changes_nothing() {
      String id = task("one");
      String agent = "Bearer " + token(Role.AGENT);
      Answer claimed = post("/tasks/claim", "{}", "Authorization", agent);
      JsonObject held = claimed.json().objects("tasks").get(0);
      assertThat(held.text("lease_holder")).isEqualTo("coder-1");
      String fence = Long.toString(held.number("fence"));
      String note = "{\"decisions\": [\"use SQLite\"]}";
      String path = "/tasks/" + id + "/state";
      Answer without = post(path, note, "Authorization", agent);
      assertThat(without.status()).isEqualTo(409);
      assertThat(without.code()).isEqualTo("lease_lost");
      Answer stale = post(path, note, "Authorization", agent, "Mainstay-Fence", "99");
      assertThat(stale.code()).isEqualTo("lease_lost");
      Answer good = post(path, note, "Authorization", agent, "Mainstay-Fence", fence);
      assertThat(good.status()).isEqualTo(200);
      var entries = get("/tasks/" + id + "/state/history").json().objects("items");
      assertThat(entries).extracting(e -> e.text("actor")).containsExactly("agent:coder-1");
    }

    @Test
    void what_is_known_is_read_as_it_is_and_as_it_was() {
      String id = task("one");
      post("/tasks/" + id + "/state", "{\"decisions\": [\"first\"]}");
      post("/tasks/" + id + "/checkpoints", "{\"name\": \"here\"}");
      post("/tasks/" + id + "/state", "{\"decisions\": [\"second\"]}");
      Answer now = get("/tasks/" + id + "/state");
      assertThat(now.json()).isEqualTo(rooms.notebooks().known(TaskId.parse(id)).toJson());
      Answer then = get("/tasks/" + id + "/state?at=here");
      assertThat(then.json().object("notebook").texts("decisions")).containsExactly("first");
    }

    @Test
    void each_refusal_is_a_problem_with_its_own_status() {
      Answer missing = get("/tasks/T-999");
      assertThat(missing.status()).isEqualTo(404);
      assertThat(missing.header("Content-Type")).startsWith("application/problem+json");
      assertThat(missing.json().text("instance")).isEqualTo("/tasks/T-999");
      assertThat(missing.json().text("detail")).contains("T-999");
      assertThat(post("/tasks", "{\"title\": \" \"}").status()).isEqualTo(400);
      assertThat(post("/tasks", "{\"title\": ").code()).isEqualTo("invalid");
      assertThat(get("/nowhere").status()).isEqualTo(404);
      Answer method = send("PUT", "/tasks", "{}");
      assertThat(method.status()).isEqualTo(405);
      assertThat(method.code()).isEqualTo("method_not_allowed");
      String id = task("one");
      Answer circle = send("PUT", "/tasks/" + id + "/dependencies/" + id, "{}");
      assertThat(circle.status()).isEqualTo(400);
      Conformance.check("a problem", Schemas.PROBLEM, circle.json());
    }
  }

  @Nested
  class TheDoor extends OnServer {
    TheDoor() {
      super(Databases.SQLITE);
    }

    @Test
    void a_body_must_be_json_of_a_known_shape_and_size() {
      Answer plain = post("/tasks", "{\"title\": \"x\"}", "Content-Type", "text/plain");
      assertThat(plain.status()).isEqualTo(415);
      Answer slip = post("/tasks", "{\"title\": \"x\", \"priorty\": 1}");
      assertThat(slip.status()).isEqualTo(400);
      assertThat(slip.json().text("detail")).contains("did you mean \"priority\"?");
      Answer type = post("/tasks", "{\"title\": \"x\", \"priority\": \"high\"}");
      assertThat(type.json().text("detail")).contains("\"priority\" must be integer");
      assertThat(post("/tasks", "{}").json().text("detail")).contains("\"title\" is missing");
      assertThat(get("/tasks?statsu=PENDING").json().text("detail")).contains("\"status\"");
      assertThat(get("/tasks?limit=0").status()).isEqualTo(400);
      String large = "{\"title\": \"" + "x".repeat(Request.BODY_BYTES_MAX) + "\"}";
      Answer tooLarge = post("/tasks", large);
      assertThat(tooLarge.status()).isEqualTo(413);
      assertThat(get("/tasks").json().list("items")).isEmpty();
    }

    @Test
    void a_number_that_is_too_large_is_refused_wherever_it_is_read() {
      String id = task("one");
      for (String number : List.of("2147483648", "-2147483649", "9223372036854775807")) {
        String priority = "{\"priority\": " + number + "}";
        assertThat(send("PATCH", "/tasks/" + id, priority).status()).isEqualTo(400);
        assertThat(post("/tasks", "{\"title\": \"x\", " + priority.substring(1)).status())
            .isEqualTo(400);
        Answer terms = send("PUT", "/tasks/" + id + "/terms", "{\"max_attempts\": " + number + "}");
        assertThat(terms.status()).isEqualTo(400);
        assertThat(terms.json().text("detail")).startsWith("the field \"max_attempts\" must be ");
      }
    }

    @Test
    void a_title_is_kept_as_it_was_given_or_refused() {
      Answer made = post("/tasks", "{\"title\": \"  a title\\u3000 \"}");
      assertThat(made.json().text("title")).isEqualTo("  a title\u3000 ");
      assertThat(get("/tasks/T-001").json().text("title")).isEqualTo("  a title\u3000 ");
      for (String title : List.of("a title\\n", "\\ta title", " ", "")) {
        assertThat(post("/tasks", "{\"title\": \"" + title + "\"}").status())
            .as(title)
            .isEqualTo(400);
      }
    }

    @Test
    void a_directive_without_a_text_is_refused() {
      String path = "/tasks/" + task("one") + "/directives";
      for (String text : List.of("", " \\n")) {
        Answer empty = post(path, "{\"text\": \"" + text + "\"}");
        assertThat(empty.status()).isEqualTo(400);
        assertThat(empty.json().text("detail")).contains("needs a text");
      }
      assertThat(get(path).json().list("directives")).isEmpty();
    }

    @Test
    void every_code_has_a_status() {
      for (Refusal.Code code : Refusal.Code.values()) {
        assertThat(Problem.status(code)).isBetween(400, 507);
      }
    }

    @Test
    void a_key_or_fence_that_is_none_is_refused() {
      assertThat(post("/tasks", "{\"title\": \"x\"}", "Mainstay-Fence", "one").status())
          .isEqualTo(400);
      assertThat(post("/tasks", "{\"title\": \"x\"}", "Idempotency-Key", "k".repeat(300)).status())
          .isEqualTo(413);
    }

    @Test
    void figures_tell_of_routes_and_not_of_paths() {
      task("one");
      get("/tasks/T-001");
      String figures = get("/metrics").text();
      assertThat(figures)
          .contains("mainstay_http_requests_seconds_count")
          .contains("route=\"/tasks/{id}\"")
          .contains("mainstay_events_readers")
          .contains("jvm_memory_used_bytes")
          .doesNotContain("T-001");
    }

    @Test
    void a_token_that_is_made_over_http_is_told_once() {
      Answer made = post("/tokens", "{\"role\": \"viewer\", \"name\": \"wall\"}");
      assertThat(made.status()).isEqualTo(201);
      String bearer = "Bearer " + made.json().text("token");
      assertThat(get("/tasks", "Authorization", bearer).status()).isEqualTo(200);
      assertThat(get("/tokens").text()).doesNotContain(made.json().text("token"));
      assertThat(get("/tokens", "Authorization", bearer).status()).isEqualTo(403);
      String body = "{\"role\": \"viewer\", \"name\": \"wall\"}";
      assertThat(post("/tokens", body, "Idempotency-Key", "k").status()).isEqualTo(400);
    }
  }
}
