package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.store.Databases;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RunRoutesTest {
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

    private String running() {
      String id = task("one");
      post("/tasks/" + id + "/run", "{\"goal\": \"people can log in\"}");
      return id;
    }

    private TaskState state(String id) {
      return rooms.states().load(TaskId.parse(id));
    }

    @Test
    void a_run_writes_about_itself_and_not_about_its_goal() {
      String id = running();
      String path = "/tasks/" + id + "/run";
      Answer done = send("PATCH", path, "{\"plan\": [\"a\", \"b\"], \"progress\": \"half\"}");
      assertThat(done.status()).isEqualTo(200);
      assertThat(state(id).work().progress()).isEqualTo("half");
      assertThat(state(id).plan().steps()).hasSize(2);
      assertThat(send("PATCH", path, "{}").status()).isEqualTo(400);
      assertThat(send("PATCH", path, "{\"goal\": \"other\"}").status()).isEqualTo(400);
      assertThat(state(id).run().goal()).isEqualTo("people can log in");
    }

    @Test
    void a_run_waits_goes_on_and_ends() {
      String id = running();
      String path = "/tasks/" + id + "/run";
      assertThat(post(path + "/resume", "").status()).isEqualTo(409);
      assertThat(post(path + "/suspend", "{\"what\": \"Which port?\"}").status()).isEqualTo(200);
      assertThat(state(id).run().phase()).isEqualTo(RunPhase.SUSPENDED);
      assertThat(post(path + "/suspend", "{\"what\": \"x\", \"on\": \"rain\"}").status())
          .isEqualTo(400);
      assertThat(post(path + "/resume", "{\"answer\": \"7717\"}").status()).isEqualTo(200);
      assertThat(post(path + "/end", "{\"how\": \"somehow\"}").status()).isEqualTo(400);
      assertThat(post(path + "/end", "{\"how\": \"no-progress\"}").status()).isEqualTo(200);
      assertThat(state(id).run().phase()).isEqualTo(RunPhase.NO_PROGRESS);
      assertThat(get("/tasks/" + id).json().text("status")).isEqualTo("PENDING");
    }

    @Test
    void a_run_is_not_finished_while_something_is_open() {
      String id = running();
      post("/tasks/" + id + "/criteria", "{\"text\": \"tests pass\"}");
      Answer open = post("/tasks/" + id + "/run/end", "{}");
      assertThat(open.status()).isEqualTo(409);
      assertThat(state(id).run().phase().isLive()).isTrue();
      send("PUT", "/tasks/" + id + "/criteria/1/met", "{}");
      assertThat(post("/tasks/" + id + "/run/end", "{}").status()).isEqualTo(200);
    }

    @Test
    void a_person_changes_a_constraint_and_an_agent_proposes_a_looser_one() {
      String id = running();
      String path = "/tasks/" + id + "/constraints";
      String change = "{\"max_file_operations\": 30}";
      assertThat(send("PATCH", path, change).status()).isEqualTo(404);
      rooms.executions().begin(new Beginning(TaskId.parse(id), null, null, null), ADA);
      Answer changed = send("PATCH", path, change);
      assertThat(changed.json().get("review")).isEqualTo(false);
      assertThat(operations(path)).isEqualTo("30");
      String agent = "Bearer " + token(Role.AGENT);
      JsonObject held =
          post("/tasks/claim", "{}", "Authorization", agent).json().objects("tasks").get(0);
      String fence = Long.toString(held.number("fence"));
      String looser = "{\"max_file_operations\": 40}";
      assertThat(send("PATCH", path, looser, "Authorization", agent).code())
          .isEqualTo("lease_lost");
      Answer proposed =
          send("PATCH", path, looser, "Authorization", agent, "Mainstay-Fence", fence);
      assertThat(proposed.json().get("review")).isEqualTo(true);
      assertThat(operations(path)).isEqualTo("30");
    }

    private String operations(String path) {
      return String.valueOf(get(path).json().object("settings").get("max_file_operations"));
    }

    @Test
    void one_constraint_is_changed_at_a_time() {
      String id = running();
      rooms.executions().begin(new Beginning(TaskId.parse(id), null, null, null), ADA);
      String path = "/tasks/" + id + "/constraints";
      assertThat(send("PATCH", path, "{}").status()).isEqualTo(400);
      String two = "{\"max_file_operations\": 30, \"max_web_requests\": 9}";
      assertThat(send("PATCH", path, two).status()).isEqualTo(400);
      assertThat(send("PATCH", path, "{\"max_web_requests\": \"many\"}").status()).isEqualTo(400);
      assertThat(send("PATCH", path, "{\"max_web_requests\": null}").status()).isEqualTo(400);
      assertThat(send("PATCH", path, "{\"max_web_request\": 9}").json().text("detail"))
          .contains("did you mean \"max_web_requests\"?");
    }
  }
}
