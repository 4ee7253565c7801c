package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskListRoutesTest {
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

    private void make(String title, int priority, String description) {
      JsonObject body = JsonObject.of("title", title, "priority", priority);
      Answer made = post("/tasks", JsonText.write(body.with("description", description)));
      assertThat(made.status()).as(made.text()).isEqualTo(201);
    }

    private List<String> titles(String query) {
      List<String> titles = new ArrayList<>();
      String path = "/tasks?limit=2&" + query;
      while (true) {
        Answer answer = get(path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        for (JsonObject task : answer.json().objects("items")) titles.add(task.text("title"));
        String link = answer.header("Link");
        if (link.isEmpty()) return titles;
        path = link.substring(1, link.indexOf('>'));
      }
    }

    private List<String> found(String search) {
      return titles("search=" + URLEncoder.encode(search, StandardCharsets.UTF_8));
    }

    @Test
    void tasks_come_in_three_orders_page_by_page() {
      make("one", 1, "");
      make("two", 5, "");
      make("three", -2, "");
      make("four", 5, "");
      make("five", 1, "");
      assertThat(titles("order=oldest")).containsExactly("one", "two", "three", "four", "five");
      assertThat(titles("order=newest")).containsExactly("five", "four", "three", "two", "one");
      assertThat(titles("order=urgent")).containsExactly("two", "four", "one", "five", "three");
    }

    @Test
    void a_task_is_named_by_its_alias() {
      Answer made = post("/tasks", "{\"title\": \"Mine\", \"alias\": \"my task:1\"}");
      assertThat(made.json().text("alias")).isEqualTo("my task:1");
      String id = made.json().text("id");
      assertThat(get("/tasks/my%20task:1").json().text("id")).isEqualTo(id);
      String after = "{\"title\": \"Later\", \"dependencies\": [\"my task:1\"]}";
      assertThat(post("/tasks", after).json().texts("dependencies")).containsExactly(id);
      assertThat(get("/tasks/no-such").status()).isEqualTo(404);
      assertThat(get("/tasks/T-x").status()).isEqualTo(404);
      assertThat(get("/tasks/T-1x").status()).isEqualTo(400);
    }

    @Test
    void an_unknown_order_and_a_foreign_cursor_are_refused() {
      assertThat(get("/tasks?order=random").json().text("detail")).contains("oldest, newest");
      assertThat(get("/tasks?order=urgent&cursor=T-001").status()).isEqualTo(400);
      assertThat(get("/tasks?order=newest&cursor=5/T-001").status()).isEqualTo(400);
      assertThat(get("/tasks?order=urgent&cursor=x/T-001").status()).isEqualTo(400);
    }

    @Test
    void several_statuses_are_asked_for_at_once() {
      task("open");
      String gone = task("gone");
      task("taken");
      send("DELETE", "/tasks/" + gone, "");
      assertThat(titles("status=CANCELLED,ASSIGNED")).containsExactly("gone");
      assertThat(titles("status=PENDING,CANCELLED")).containsExactly("open", "gone", "taken");
      assertThat(titles("status=CANCELLED")).containsExactly("gone");
      assertThat(titles("status=READY,CANCELLED")).containsExactly("open", "gone", "taken");
      assertThat(titles("status=WAITING")).isEmpty();
      assertThat(get("/tasks?status=PENDING,BUSY").status()).isEqualTo(400);
    }

    @Test
    void a_search_finds_every_word_in_id_title_or_description() {
      make("Add login", 0, "with a Password");
      make("Remove login", 0, "");
      assertThat(found("LOGIN")).containsExactly("Add login", "Remove login");
      assertThat(found("login pass")).containsExactly("Add login");
      assertThat(found("t-002")).containsExactly("Remove login");
      assertThat(found("logout")).isEmpty();
    }

    @Test
    void what_is_searched_for_is_text_and_no_pattern() {
      make("100% done", 0, "");
      make("100 done", 0, "");
      make("a_b", 0, "");
      make("a\\b", 0, "");
      make("aXb'); DROP TABLE tasks; --", 0, "");
      assertThat(found("%")).containsExactly("100% done");
      assertThat(found("a_b")).containsExactly("a_b");
      assertThat(found("a\\b")).containsExactly("a\\b");
      assertThat(found("'); drop table tasks; --")).hasSize(1);
    }

    @Test
    void letters_beyond_the_alphabet_mean_the_same_on_both_databases() {
      make("Ärger mit Straße", 0, "");
      assertThat(found("Ärger")).hasSize(1);
      assertThat(found("STRASSE")).isEmpty();
      assertThat(found("ärger")).isEmpty();
      assertThat(found("RGER")).hasSize(1);
    }

    @Test
    void a_search_has_a_limit() {
      assertThat(get("/tasks?search=" + "a".repeat(257)).status()).isEqualTo(400);
      assertThat(get("/tasks?search=a+b+c+d+e+f+g+h+i").status()).isEqualTo(400);
    }
  }
}
