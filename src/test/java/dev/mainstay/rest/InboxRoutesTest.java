package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.store.Databases;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InboxRoutesTest {
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
    private static final String TO_1 = "/terminals/coder-1/inbox";
    private static final String TO_2 = "/terminals/coder-2/inbox";
    private String[] coder1;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void terminals() {
      for (String id : List.of("coder-1", "coder-2")) {
        post("/terminals", "{\"id\": \"" + id + "\"}");
      }
      coder1 = new String[] {"Authorization", "Bearer " + token(Role.AGENT)};
    }

    private Answer say(String to, String text, String... headers) {
      return post(to, "{\"message\": \"" + text + "\"}", headers);
    }

    private List<JsonObject> pulled(String path, String... headers) {
      Answer answer = post(path + "/pull", "{}", headers);
      assertThat(answer.status()).as(answer.text()).isEqualTo(200);
      return answer.json().objects("messages");
    }

    private static String one(JsonObject message, String what) {
      return "/inbox/" + message.number("id") + "/" + what;
    }

    @Test
    void an_agent_pulls_and_acknowledges_what_a_person_and_another_said() {
      assertThat(say(TO_1, "hello").json().text("sender_id")).isEqualTo("person:ada");
      String asOther = "{\"message\": \"from 2\", \"sender\": \"coder-2\"}";
      assertThat(post(TO_1, asOther).status()).isEqualTo(201);
      List<JsonObject> messages = pulled(TO_1, coder1);
      assertThat(messages).extracting(m -> m.text("message")).containsExactly("hello", "from 2");
      assertThat(pulled(TO_1, coder1)).isEmpty();
      Answer first = send("PUT", one(messages.get(0), "ack"), "", coder1);
      assertThat(first.json().text("status")).isEqualTo("DELIVERED");
      assertThat(first.json().get("acknowledged_before")).isEqualTo(false);
      Answer again = send("PUT", one(messages.get(0), "ack"), "", coder1);
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.json().get("acknowledged_before")).isEqualTo(true);
      String why = "{\"reason\": \"not for me\"}";
      Answer failed = send("PUT", one(messages.get(1), "fail"), why, coder1);
      assertThat(failed.json().text("status")).isEqualTo("FAILED");
      assertThat(get(TO_2).json().objects("items").get(0).text("message")).contains("not for me");
      assertThat(get(TO_1).json().objects("items")).isEmpty();
      assertThat(get(TO_1 + "?filter=all").json().objects("items")).hasSize(2);
    }

    @Test
    void an_agents_token_acts_for_its_own_terminal_alone() {
      Answer sent = say(TO_2, "hi", coder1);
      assertThat(sent.json().text("sender_id")).isEqualTo("coder-1");
      String asOther = "{\"message\": \"x\", \"sender\": \"coder-2\"}";
      assertThat(post(TO_1, asOther, coder1).status()).isEqualTo(403);
      assertThat(post(TO_2 + "/pull", "{}", coder1).status()).isEqualTo(403);
      JsonObject message = pulled(TO_2).get(0);
      assertThat(send("PUT", one(message, "ack"), "", coder1).status()).isEqualTo(403);
      assertThat(send("PUT", one(message, "fail"), "{\"reason\": \"x\"}", coder1).status())
          .isEqualTo(403);
      String[] viewer = {"Authorization", "Bearer " + token(Role.VIEWER)};
      assertThat(say(TO_2, "hi", viewer).status()).isEqualTo(403);
      assertThat(get(TO_2, viewer).status()).isEqualTo(200);
      assertThat(say(TO_1, "to myself", coder1).status()).isEqualTo(400);
    }

    @Test
    void a_list_goes_on_where_it_ended_and_bad_questions_are_told() {
      for (String text : List.of("one", "two", "three")) say(TO_1, text);
      Answer first = get(TO_1 + "?limit=2");
      assertThat(first.json().objects("items")).hasSize(2);
      Answer second = get(TO_1 + "?limit=2&cursor=" + first.json().text("next"));
      assertThat(second.json().objects("items"))
          .extracting(m -> m.text("message"))
          .containsExactly("three");
      assertThat(second.json().textOrNull("next")).isNull();
      assertThat(get(TO_1 + "?filter=some").status()).isEqualTo(400);
      assertThat(get(TO_1 + "?cursor=x").status()).isEqualTo(400);
      assertThat(get("/terminals/nobody/inbox").status()).isEqualTo(404);
      assertThat(say("/terminals/nobody/inbox", "hi").status()).isEqualTo(404);
      assertThat(send("PUT", "/inbox/x/ack", "").status()).isEqualTo(400);
      assertThat(send("PUT", "/inbox/99/ack", "").status()).isEqualTo(404);
      assertThat(send("PUT", "/inbox/1/ack", "").status()).isEqualTo(409);
      assertThat(post(TO_1 + "/pull", "{\"limit\": 0}").status()).isEqualTo(400);
      assertThat(post(TO_1 + "/pull", "{\"lease_seconds\": 9999999999999}").status())
          .isEqualTo(400);
    }

    @Test
    void the_same_key_sends_once_and_pulls_the_same() {
      Answer sent = say(TO_1, "once", "Idempotency-Key", "k");
      assertThat(say(TO_1, "once", "Idempotency-Key", "k").json()).isEqualTo(sent.json());
      Answer pulled = post(TO_1 + "/pull", "{}", "Idempotency-Key", "p");
      assertThat(post(TO_1 + "/pull", "{}", "Idempotency-Key", "p").json())
          .isEqualTo(pulled.json());
      assertThat(get(TO_1).json().objects("items")).hasSize(1);
    }
  }
}
