package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Resources, prompts, names of tasks, and news of what changed. */
class ReadingTest {
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

  abstract static class Contract extends OnOffer {
    Contract(Databases database) {
      super(database);
    }

    private Asking asking() {
      return new Asking(claude("c"), null, Asking.Line.NONE);
    }

    private JsonObject read(String template, String uri) {
      return offer.resources().stream()
          .filter(each -> each.uri().equals(template))
          .findFirst()
          .orElseThrow()
          .reading()
          .read(asking(), uri)
          .get(0);
    }

    @Test
    void what_an_agent_is_told_of_its_task_is_measured() {
      task("Add login");
      said(claude("c"), "next_task", "{}");
      said(claude("c"), "state", "{}");
      store.close(); // which writes what nobody waited for
      store = open(address);
      var given = store.reading(tx -> tx.promptsGiven().since(Instant.EPOCH, 10));
      assertThat(given).hasSize(2);
      assertThat(given.get(given.size() - 1).source()).isEqualTo("mcp");
      assertThat(given.get(given.size() - 1).size().tokens()).isPositive();
    }

    @Test
    void a_task_is_read_by_its_address() {
      task("Add login");
      said(claude("c"), "next_task", "{}");
      said(claude("c"), "update", "{'decisions':['Passkeys']}");
      JsonObject state = read(TaskResources.STATE, "mainstay://tasks/T-001/state");
      assertThat(state.text("mimeType")).isEqualTo("application/json");
      JsonObject known = JsonText.object(state.text("text"));
      assertThat(known.object("notebook").texts("decisions")).containsExactly("Passkeys");
      JsonObject prompt = read(TaskResources.PROMPT, "mainstay://tasks/T-001/prompt");
      assertThat(prompt.text("text")).contains("T-001: Add login", "Passkeys");
      assertThat(prompt.text("uri")).isEqualTo("mainstay://tasks/T-001/prompt");
      assertThatThrownBy(() -> read(TaskResources.STATE, "mainstay://tasks/T-009/state"))
          .isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> read(TaskResources.STATE, "mainstay://else"))
          .hasMessageContaining("nothing is at mainstay://else");
    }

    /** More than any reply has room for, in letters that cost much. */
    private void know_much() {
      task("Add login");
      said(claude("c"), "next_task", "{}");
      List<String> steps = new ArrayList<>();
      for (int i = 0; i < 40; i++) steps.add(i + " \"größer\\als je\" ".repeat(8));
      rooms.states().setPlan(TaskId.of(1), steps, ADA);
      for (int i = 0; i < 8; i++) {
        rooms.states().addDirective(TaskId.of(1), i + " nie wieder".repeat(60), true, ADA);
      }
    }

    @Test
    void a_state_that_is_too_much_is_cut_to_a_replys_size_and_says_where_the_rest_is() {
      know_much();
      String text = read(TaskResources.STATE, "mainstay://tasks/T-001/state").text("text");
      assertThat(Portion.tokens(text)).isBetween(300, Portion.REPLY_TOKENS_MAX);
      JsonObject state = JsonText.object(text);
      assertThat(state.text("shown")).contains("T-001: Add login", "nie wieder");
      String rest = state.text("rest").replace("recall ", "");
      assertThat(said(claude("c"), "recall", "{'ref':'" + rest + "'}")).contains("nie wieder");
    }

    @Test
    void a_handover_stays_within_a_replys_size_and_says_where_the_rest_is() {
      know_much();
      String text = prompt("handover", JsonObject.of("task", "T-001", "to", "x".repeat(128)));
      assertThat(Portion.tokens(text)).isBetween(500, Portion.REPLY_TOKENS_MAX);
      assertThat(text)
          .contains("nie wieder")
          .containsPattern("recall \\{\"ref\":\"state:T-001@\\d+\"}");
    }

    @Test
    void the_files_of_the_worktree_are_read() {
      said(claude("c"), "write_file", "{'path':'App.java','content':'class App {}'}");
      assertThat(read(TaskResources.SNAPSHOT, TaskResources.SNAPSHOT).text("text"))
          .contains("App.java");
    }

    @Test
    void a_model_is_told_to_go_on_and_to_hand_over() {
      task("Add login");
      assertThatThrownBy(() -> prompt("resume", JsonObject.EMPTY)).hasMessageContaining("name one");
      said(claude("c"), "next_task", "{}");
      said(claude("c"), "update", "{'plan':['Find the form'],'decisions':['Passkeys']}");
      assertThat(prompt("resume", JsonObject.EMPTY))
          .contains("Go on with T-001", "it is data", "Find the form", "Passkeys");
      assertThat(prompt("handover", JsonObject.of("task", "T-001", "to", "codex")))
          .contains("Hand T-001 over to codex", "next_focus", "Find the form");
    }

    private String prompt(String name, JsonObject arguments) {
      Prompt prompt =
          offer.prompts().stream()
              .filter(each -> each.name().equals(name))
              .findFirst()
              .orElseThrow();
      JsonObject message = prompt.saying().say(asking(), arguments).get(0);
      assertThat(message.text("role")).isEqualTo("user");
      return message.object("content").text("text");
    }

    @Test
    void names_of_tasks_are_completed_open_and_latest_first() {
      for (int i = 0; i < 12; i++) task("Task " + i);
      rooms.tasks().cancel(TaskId.of(12), "no", ADA);
      rooms.states().setPlan(TaskId.of(3), List.of("a"), ADA);
      assertThat(offer.complete(asking(), TaskResources.STATE, "id", "T-0"))
          .hasSize(12)
          .startsWith("T-003", "T-011")
          .endsWith("T-012");
      assertThat(offer.complete(asking(), "resume", "task", "t-01"))
          .containsExactly("T-011", "T-010", "T-012");
      assertThat(offer.complete(asking(), "resume", "to", "T")).isEmpty();
      assertThat(offer.complete(asking(), "else", "task", "T")).isEmpty();
    }

    @Test
    void whoever_listens_hears_what_changed_until_he_stops() throws InterruptedException {
      TaskId id = task("Add login");
      settle();
      BlockingQueue<String> one = new LinkedBlockingQueue<>();
      BlockingQueue<String> two = new LinkedBlockingQueue<>();
      var first = offer.listen(one::add);
      var second = offer.listen(two::add);
      rooms.states().setPlan(id, List.of("a"), ADA);
      assertThat(next(one)).isEqualTo("mainstay://tasks/T-001/state");
      assertThat(next(one)).isEqualTo("mainstay://tasks/T-001/prompt");
      assertThat(next(two)).isEqualTo("mainstay://tasks/T-001/state");
      assertThat(next(two)).isEqualTo("mainstay://tasks/T-001/prompt");
      second.close();
      said(claude("c"), "write_file", "{'path':'a','content':'b'}");
      assertThat(next(one)).isEqualTo(TaskResources.SNAPSHOT);
      assertThat(two).isEmpty();
      first.close();
      var again = offer.listen(two::add);
      rooms.states().setPlan(id, List.of("b"), ADA);
      assertThat(next(two)).isEqualTo("mainstay://tasks/T-001/state");
      again.close();
      assertThat(one).isEmpty();
    }

    private static String next(BlockingQueue<String> heard) throws InterruptedException {
      String uri = heard.poll(60, TimeUnit.SECONDS);
      assertThat(uri).isNotNull();
      return uri;
    }
  }
}
