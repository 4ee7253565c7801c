package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.access.AccessTokens.Wanted;
import dev.mainstay.access.RefusedAttempts;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Databases;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Who may do what with an assignment or a terminal, and what a late worker is told. */
class AssignmentRoutesTest {
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
    private static final List<String> MOVES =
        List.of("accept", "start", "heartbeat", "complete", "fail", "release");

    Contract(Databases database) {
      super(database);
    }

    private String bearer(String terminal) {
      var wanted = new Wanted(Role.AGENT, terminal, terminal, null);
      return "Bearer " + rooms.access().issue(wanted, ADA).secret();
    }

    private String assigned(String task, String terminal) {
      Answer given =
          send("PUT", "/tasks/" + task + "/assign", "{\"terminal\": \"" + terminal + "\"}");
      assertThat(given.status()).as(given.text()).isEqualTo(200);
      return "/assignments/" + given.json().number("id");
    }

    @Test
    void a_refused_move_books_nothing_of_what_it_says_was_spent() {
      String id = limited(task("one"), 1_000);
      String mine = assigned(id, "dev-1");
      String spent = "\"spent\": {\"tokens\": 100}";
      post("/tasks/" + id + "/run", "{\"goal\": \"x\", \"criteria\": [\"tests pass\"]}");
      for (int i = 0; i < 3; i++) {
        assertThat(send("PUT", mine + "/complete", "{" + spent + "}").status()).isEqualTo(409);
        assertThat(post("/tasks/" + id + "/complete", "{" + spent + "}").status()).isEqualTo(409);
      }
      assertThat(spentTokens(id)).isZero();
      String[] stale = {"Mainstay-Fence", "99"};
      for (String move : List.of("heartbeat", "complete", "fail", "release")) {
        String body = "{" + spent + (move.equals("fail") ? ", \"error\": \"no\"}" : "}");
        assertThat(post("/tasks/" + id + "/" + move, body, stale).status()).as(move).isEqualTo(409);
      }
      assertThat(spentTokens(id)).isZero();
      String[] key = {"Idempotency-Key", "beat"};
      for (int i = 0; i < 2; i++) {
        assertThat(send("PUT", mine + "/heartbeat", "{" + spent + "}", key).status())
            .isEqualTo(200);
      }
      assertThat(spentTokens(id)).isEqualTo(100);
      assertThat(post("/tasks/" + id + "/release", "{" + spent + "}").status()).isEqualTo(200);
      assertThat(spentTokens(id)).isEqualTo(200);
    }

    private String limited(String id, long tokens) {
      String terms = "{\"budget\": {\"tokens\": " + tokens + "}}";
      assertThat(send("PUT", "/tasks/" + id + "/terms", terms).status()).isEqualTo(200);
      return id;
    }

    private long spentTokens(String id) {
      return rooms.tasks().budget(TaskId.parse(id)).orElseThrow().spent().tokens();
    }

    @Test
    void a_worker_finishes_with_nothing_but_the_answer_to_its_claim() {
      String[] agent = {"Authorization", bearer("dev-1")};
      for (String way : List.of("task", "assignment")) {
        task(way);
        JsonObject claimed = post("/tasks/claim", "{}", agent).json().objects("tasks").get(0);
        String fence = Long.toString(claimed.number("fence"));
        String[] own = {agent[0], agent[1], "Mainstay-Fence", fence};
        String path = "/tasks/" + claimed.text("id");
        if (way.equals("task")) {
          assertThat(post(path + "/start", "", own).json().text("status")).isEqualTo("IN_PROGRESS");
          assertThat(post(path + "/heartbeat", "{}", own).status()).isEqualTo(200);
          assertThat(post(path + "/complete", "{\"result\": {\"ok\": true}}", own).status())
              .isEqualTo(200);
        } else {
          String assignment = "/assignments/" + claimed.number("assignment_id");
          assertThat(send("PUT", assignment + "/complete", "{}", own).status()).isEqualTo(200);
        }
        assertThat(get(path).json().text("status")).isEqualTo("COMPLETED");
      }
    }

    @Test
    void a_terminal_is_named_as_answers_name_it() {
      String id = task("one");
      Answer given = send("PUT", "/tasks/" + id + "/assign", "{\"terminal_id\": \"dev-1\"}");
      assertThat(given.json().text("terminal_id")).isEqualTo("dev-1");
      task("two");
      Answer claimed = post("/tasks/claim", "{\"terminal_id\": \"dev-2\"}");
      assertThat(claimed.json().objects("tasks").get(0).text("lease_holder")).isEqualTo("dev-2");
      String token = "{\"role\": \"agent\", \"name\": \"x\", \"terminal_id\": \"dev-3\"}";
      assertThat(post("/tokens", token).json().text("terminal")).isEqualTo("dev-3");
      String two = "{\"terminal_id\": \"dev-1\", \"terminal\": \"dev-2\"}";
      assertThat(send("PUT", "/tasks/" + id + "/assign", two).json().text("detail"))
          .contains("differ");
    }

    private static String body(String move) {
      return move.equals("fail") ? "{\"error\": \"no\"}" : "{}";
    }

    /** All that a write could have changed. */
    private List<String> known(String task) {
      return List.of(
          get("/tasks/" + task).text(),
          get("/tasks/" + task + "/assignments").text(),
          get("/terminals").text(),
          Long.toString(entries()));
    }

    private long entries() {
      // That something was refused is noted, elsewhere.
      return store.reading(
          tx -> tx.journal().count() - tx.journal().stream(RefusedAttempts.STREAM).size());
    }

    @Test
    void an_agent_cannot_act_for_another_terminal() {
      String id = task("one");
      String mine = assigned(id, "dev-1");
      String other = bearer("dev-2");
      String fence = Long.toString(get(mine).json().number("fence"));
      List<String> before = known(id);
      for (String move : MOVES) {
        Answer refused =
            send(
                "PUT",
                mine + "/" + move,
                body(move),
                "Authorization",
                other,
                "Mainstay-Fence",
                fence);
        assertThat(refused.status()).as(move).isEqualTo(403);
        assertThat(refused.json().text("detail")).contains("dev-1", "dev-2");
      }
      String terminal = "/terminals/dev-1";
      String[] as = {"Authorization", other};
      assertThat(send("PATCH", terminal + "/state", "{\"variables\": {}}", as).status())
          .isEqualTo(403);
      assertThat(post(terminal + "/checkpoints", "{\"checkpoint\": {}}", as).status())
          .isEqualTo(403);
      assertThat(post("/tasks/" + id + "/spending", "{\"tokens\": 1}", as).status()).isEqualTo(403);
      assertThat(send("PUT", "/task-types/CODE", "{\"requires\": []}", as).status()).isEqualTo(403);
      assertThat(known(id)).isEqualTo(before);
      assertThat(get(terminal + "/state").json().number("version")).isZero();
    }

    @Test
    void a_copy_of_a_request_that_comes_late_is_answered_as_the_first_one_was() {
      String mine = assigned(task("one"), "dev-1");
      Map<String, String> early = new LinkedHashMap<>();
      for (String first : List.of("accept", "start", "complete")) {
        clock.advance(Duration.ofSeconds(1));
        String[] key = {"Idempotency-Key", "key-" + first};
        Answer answer = send("PUT", mine + "/" + first, body(first), key);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        early.put(first, answer.text());
      }
      early.forEach(
          (move, text) -> {
            Answer late =
                send("PUT", mine + "/" + move, body(move), "Idempotency-Key", "key-" + move);
            assertThat(late.text()).as(move).isEqualTo(text);
          });
    }

    @Test
    void an_agent_changes_its_own_terminal_but_not_what_it_begins_with() {
      String[] as = {"Authorization", bearer("dev-1")};
      assertThat(post("/terminals", "{\"id\": \"dev-1\"}").status()).isEqualTo(201);
      String state = "/terminals/dev-1/state";
      Answer told = send("PATCH", state, "{\"variables\": {\"a\": 1}}", as);
      assertThat(told.status()).as(told.text()).isEqualTo(200);
      Answer noted =
          post("/terminals/dev-1/checkpoints", "{\"checkpoint\": {\"status\": \"IDLE\"}}", as);
      assertThat(noted.status()).isEqualTo(201);
      assertThat(noted.json().object("last_checkpoint").text("status")).isEqualTo("IDLE");
      assertThat(send("PATCH", state, "{\"initial_prompt\": \"x\"}", as).status()).isEqualTo(403);
      assertThat(get(state).header("ETag")).isEqualTo("\"2\"");
    }

    @Test
    void a_state_that_somebody_else_changed_is_not_overwritten() {
      post("/terminals", "{\"id\": \"dev-1\"}");
      String state = "/terminals/dev-1/state";
      String[] first = {"If-Match", "\"0\""};
      assertThat(send("PATCH", state, "{\"variables\": {\"a\": 1}}", first).status())
          .isEqualTo(200);
      Answer late = send("PATCH", state, "{\"variables\": {\"a\": 2}}", first);
      assertThat(late.status()).isEqualTo(412);
      assertThat(get(state).json().object("variables").number("a")).isEqualTo(1);
    }

    @Test
    void a_worker_that_lost_its_lease_is_told_so_and_changes_nothing() {
      String id = task("one");
      String[] late = {"Authorization", bearer("dev-1")};
      String lost = assigned(id, "dev-1");
      clock.advance(Leases.LEASE.plus(Duration.ofSeconds(1)));
      rooms.leases().expire();
      String[] next = {"Authorization", bearer("dev-2")};
      assertThat(post("/tasks/claim", "{}", next).json().list("tasks")).hasSize(1);
      List<String> before = known(id);
      for (String move : MOVES) {
        Answer refused = send("PUT", lost + "/" + move, body(move), late);
        assertThat(refused.status()).as(move).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("lease_lost");
      }
      String spent = "{\"spent\": {\"tokens\": 5}}";
      assertThat(send("PUT", lost + "/complete", spent, late).code()).isEqualTo("lease_lost");
      assertThat(send("PUT", lost + "/complete", "{}").code()).isEqualTo("lease_lost");
      assertThat(known(id)).isEqualTo(before);
    }

    @Test
    void a_fence_that_is_given_must_be_that_of_the_assignment() {
      String id = task("one");
      String[] as = {"Authorization", bearer("dev-1"), "Mainstay-Fence", "2"};
      String mine = assigned(id, "dev-1");
      Answer other = send("PUT", mine + "/start", "", as);
      assertThat(other.code()).isEqualTo("lease_lost");
      send("PUT", mine + "/release", "{}");
      assertThat(assigned(id, "dev-2")).isNotEqualTo(mine);
      // The task's fence is now 2, but this assignment's is not.
      assertThat(send("PUT", mine + "/start", "", as).code()).isEqualTo("lease_lost");
      assertThat(get("/tasks/" + id).json().text("status")).isEqualTo("ASSIGNED");
    }

    @Test
    void an_agent_that_does_not_say_in_which_attempt_it_is_changes_nothing() {
      String id = task("one");
      String mine = assigned(id, "dev-1");
      String agent = bearer("dev-1");
      List<String> before = known(id);
      for (String move : MOVES) {
        Answer refused = send("PUT", mine + "/" + move, body(move), "Authorization", agent);
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.json().text("detail")).contains("Mainstay-Fence");
      }
      assertThat(known(id)).isEqualTo(before);
    }

    @Test
    void the_same_key_on_complete_gets_the_same_answer() {
      String id = task("one");
      String mine = assigned(id, "dev-1");
      String body = "{\"result\": {\"commit\": \"4f2a91c\"}, \"spent\": {\"tokens\": 5}}";
      String[] as = {
        "Authorization", bearer("dev-1"), "Mainstay-Fence", "1", "Idempotency-Key", "k-1"
      };
      Answer first = send("PUT", mine + "/complete", body, as);
      assertThat(first.status()).as(first.text()).isEqualTo(200);
      long before = entries();
      Answer again = send("PUT", mine + "/complete", body, as);
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.text()).isEqualTo(first.text());
      assertThat(entries()).isEqualTo(before);
      String other = "{\"result\": {\"commit\": \"0000000\"}, \"spent\": {\"tokens\": 5}}";
      assertThat(send("PUT", mine + "/complete", other, as).status()).isEqualTo(409);
    }

    @Test
    void a_repeated_failure_is_answered_although_the_same_terminal_has_the_task_again() {
      String id = task("one");
      send("PUT", "/tasks/" + id + "/terms", "{\"max_attempts\": 3}");
      String mine = assigned(id, "dev-1");
      String[] as = {
        "Authorization", bearer("dev-1"), "Mainstay-Fence", "1", "Idempotency-Key", "k-2"
      };
      Answer first = send("PUT", mine + "/fail", "{\"error\": \"no\"}", as);
      assertThat(first.json().object("task").text("status")).isEqualTo("PENDING");
      assertThat(assigned(id, "dev-1")).isEqualTo(mine);
      Answer again = send("PUT", mine + "/fail", "{\"error\": \"no\"}", as);
      assertThat(again.json().object("task")).isEqualTo(first.json().object("task"));
      assertThat(get("/tasks/" + id).json().text("status")).isEqualTo("ASSIGNED");
      assertThat(get(mine).json().number("attempt")).isEqualTo(2);
    }

    @Test
    void what_is_spent_with_a_heartbeat_and_an_end_counts_against_the_budget() {
      String id = task("one");
      String terms = "/tasks/" + id + "/terms";
      Answer set = send("PUT", terms, "{\"budget\": {\"tokens\": 100}}", "If-Match", "\"1\"");
      assertThat(set.status()).as(set.text()).isEqualTo(200);
      assertThat(send("PUT", terms, "{}", "If-Match", "\"1\"").status()).isEqualTo(412);
      String mine = assigned(id, "dev-1");
      String[] as = {"Authorization", bearer("dev-1"), "Mainstay-Fence", "1"};
      send("PUT", mine + "/heartbeat", "{\"spent\": {\"tokens\": 30}}", as);
      send("PUT", mine + "/release", "{\"spent\": {\"tokens\": 12, \"cost\": \"0.18\"}}", as);
      JsonObject budget = get(terms).json().object("budget");
      assertThat(budget.object("spent").number("tokens")).isEqualTo(42);
      assertThat(budget.object("spent").text("cost")).isEqualTo("0.18");
    }

    @Test
    void a_failed_task_is_tried_again_when_somebody_says_so() {
      String id = task("one");
      String mine = assigned(id, "dev-1");
      Answer failed = send("PUT", mine + "/fail", "{\"error\": \"the API is down\"}");
      assertThat(failed.json().text("status")).isEqualTo("FAILED");
      assertThat(failed.json().text("error_message")).isEqualTo("the API is down");
      assertThat(failed.json().object("task").text("status")).isEqualTo("FAILED");
      Answer again = post("/tasks/" + id + "/retry", "{\"reason\": \"it is back\"}");
      assertThat(again.json().text("status")).isEqualTo("PENDING");
      assertThat(assigned(id, "dev-2")).isNotEqualTo(mine);
      assertThat(get("/tasks/" + id + "/assignments").json().objects("items"))
          .extracting(each -> each.text("terminal_id"))
          .containsExactly("dev-1", "dev-2");
    }

    @Test
    void only_a_person_completes_without_the_evidence_that_a_type_requires() {
      assertThat(send("PUT", "/task-types/code", "{\"requires\": [\"tests\"]}").status())
          .isEqualTo(200);
      assertThat(get("/task-types/CODE").json().texts("requires")).containsExactly("tests");
      assertThat(get("/task-types").json().list("items")).hasSize(1);
      String id = task("one");
      String complete = assigned(id, "dev-1") + "/complete";
      String[] as = {"Authorization", bearer("dev-1")};
      assertThat(send("PUT", complete, "{}", as).status()).isEqualTo(409);
      String override = "{\"override\": \"a typing error in a comment\"}";
      assertThat(send("PUT", complete, override, as).status()).isEqualTo(403);
      assertThat(get("/tasks/" + id).json().text("status")).isEqualTo("ASSIGNED");
      assertThat(send("PUT", complete, override).json().text("status")).isEqualTo("COMPLETED");
    }

    @Test
    void terminals_come_in_parts_that_follow_each_other() {
      for (String id : List.of("c", "a", "b")) post("/terminals", "{\"id\": \"" + id + "\"}");
      JsonObject first = get("/terminals?limit=2").json();
      assertThat(first.objects("items")).extracting(t -> t.text("id")).containsExactly("a", "b");
      JsonObject rest = get("/terminals?limit=2&cursor=" + first.text("next")).json();
      assertThat(rest.objects("items")).extracting(t -> t.text("id")).containsExactly("c");
      assertThat(rest.get("next")).isNull();
      assertThat(get("/terminals?limit=1000").json().get("next")).isNull();
    }
  }
}
