package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.store.Databases;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DelegationRoutesTest {
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
    private static final String WANTED =
        "{\"agent_profile\": \"developer\", \"title\": \"Add login\", \"priority\": 5}";

    Contract(Databases database) {
      super(database);
    }

    @Test
    void work_is_delegated_listed_and_shown() {
      Answer made = post("/delegations", WANTED);
      assertThat(made.status()).as(made.text()).isEqualTo(201);
      assertThat(made.header("Location")).isEqualTo("/delegations/T-001");
      assertThat(made.json().text("caller_id")).isEqualTo("person:ada");
      String[] agent = {"Authorization", "Bearer " + token(Role.AGENT)};
      assertThat(post("/delegations", WANTED, agent).json().text("caller_id")).isEqualTo("coder-1");
      Answer first = get("/delegations?limit=1");
      assertThat(first.json().objects("items"))
          .extracting(each -> each.text("task_id"))
          .containsExactly("T-001");
      Answer second = get("/delegations?limit=1&cursor=" + first.json().text("next"));
      assertThat(second.json().objects("items"))
          .extracting(each -> each.text("task_id"))
          .containsExactly("T-002");
      JsonObject shown = get("/delegations/T-001").json();
      assertThat(shown.text("status")).isEqualTo("WAITING");
      assertThat(shown.object("task").number("priority")).isEqualTo(5);
      String[] viewer = {"Authorization", "Bearer " + token(Role.VIEWER)};
      assertThat(post("/delegations", WANTED, viewer).status()).isEqualTo(403);
      assertThat(get("/delegations", viewer).status()).isEqualTo(200);
    }

    @Test
    void who_waits_is_answered_when_the_task_is_over() throws Exception {
      post("/delegations", WANTED);
      var waits = new FutureTask<>(() -> get("/delegations/T-001?wait=30"));
      new Thread(waits).start();
      Answer held = send("PUT", "/tasks/T-001/assign", "{\"terminal\": \"coder-1\"}");
      String path = "/assignments/" + held.json().number("id") + "/complete";
      send("PUT", path, "{\"result\": {\"tests\": 12}}");
      JsonObject over = waits.get().json();
      assertThat(over.object("task").text("status")).isEqualTo("COMPLETED");
      assertThat(over.object("result").number("tests")).isEqualTo(12);
      rooms.delegations().serve();
      assertThat(get("/delegations").json().objects("items")).isEmpty();
      assertThat(get("/delegations?filter=all").json().objects("items")).hasSize(1);
    }

    @Test
    void the_same_key_delegates_once_and_bad_questions_are_told() {
      Answer made = post("/delegations", WANTED, "Idempotency-Key", "k");
      assertThat(post("/delegations", WANTED, "Idempotency-Key", "k").json())
          .isEqualTo(made.json());
      String existing = "{\"agent_profile\": \"developer\", \"task_id\": \"T-001\"}";
      assertThat(post("/delegations", existing).status()).isEqualTo(409);
      assertThat(post("/delegations", existing.replace("T-001", "T-099")).status()).isEqualTo(404);
      assertThat(post("/delegations", existing.replace("}", ", \"title\": \"x\"}")).status())
          .isEqualTo(400);
      assertThat(post("/delegations", "{\"agent_profile\": \"../x\", \"title\": \"x\"}").status())
          .isEqualTo(400);
      assertThat(post("/delegations", WANTED.replace("}", ", \"work_dir\": \"/\"}")).status())
          .isEqualTo(400);
      assertThat(get("/delegations?filter=some").status()).isEqualTo(400);
      assertThat(get("/delegations?cursor=x").status()).isEqualTo(400);
      assertThat(get("/delegations/T-001?wait=61").status()).isEqualTo(400);
      assertThat(get("/delegations/T-099").status()).isEqualTo(404);
    }
  }
}
