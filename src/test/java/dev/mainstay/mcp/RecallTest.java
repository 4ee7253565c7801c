package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.queue.NewTask;
import dev.mainstay.state.Prompts;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Replies that are cut name a reference, and by it all is read. */
class RecallTest {
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
    private static final Pattern NEXT = Pattern.compile("next: recall \\{\"ref\":\"([^\"]+)\"");
    private static final Pattern ALL = Pattern.compile("to see all: recall (\\S+)]");

    Contract(Databases database) {
      super(database);
    }

    private TaskId known(int notes) {
      TaskId id = task("Add login");
      said(claude("c"), "next_task", "{}");
      for (int i = 1; i <= notes; i++) note(id, i);
      return id;
    }

    private void note(TaskId id, int number) {
      String text = "decision " + number + " " + "because of something said before ".repeat(5);
      rooms.notebooks().merge(id, NotebookDelta.of(Section.DECISIONS, text), ADA);
    }

    /** All pages from a reference on, put together. */
    private String whole(String ref) {
      StringBuilder text = new StringBuilder();
      String next = ref;
      while (next != null) {
        Reply reply = call(claude("c"), null, "recall", JsonObjectText.of("ref", next));
        assertThat(reply.isError()).as(words(reply)).isFalse();
        text.append(reply.content().get(0).text("text"));
        Matcher more = NEXT.matcher(words(reply));
        next = more.find() ? more.group(1) : null;
      }
      return text.toString();
    }

    @Test
    void a_state_that_is_cut_names_all_of_itself() {
      TaskId id = known(40);
      String cut = said(claude("c"), "state", "{'budget':700}");
      Matcher all = ALL.matcher(cut);
      assertThat(all.find()).as(cut).isTrue();
      String whole = whole(all.group(1));
      for (int i = 1; i <= 40; i++) assertThat(whole).contains("decision " + i + " because");
      long entry = rooms.notebooks().known(id).number();
      assertThat(all.group(1)).isEqualTo("state:T-001@" + entry);
      assertThat(whole).isEqualTo(StateText.whole(rooms, id, entry, Actor.agent("claude-code")));
    }

    @Test
    void pages_of_a_state_are_of_one_moment() {
      TaskId id = known(30);
      long entry = rooms.notebooks().known(id).number();
      String before = whole("state:T-001@" + entry);
      note(id, 99);
      offer = new Offer(rooms);
      assertThat(whole("state:T-001@" + entry)).isEqualTo(before).doesNotContain("decision 99");
      assertThat(whole("state:T-001")).contains("decision 99");
    }

    @Test
    void the_journal_is_read_backwards_from_where_it_was() {
      TaskId id = known(30);
      Reply first = call(claude("c"), "recall", "{'ref':'journal:T-001'}");
      Matcher next = NEXT.matcher(words(first));
      assertThat(next.find()).isTrue();
      String at = next.group(1).replaceFirst("#.*", "");
      String before = whole(at);
      note(id, 31);
      assertThat(whole(at)).isEqualTo(before).startsWith(first.content().get(0).text("text"));
      assertThat(before.lines().count())
          .isEqualTo(Long.parseLong(at.substring(at.indexOf('@') + 1)));
    }

    @Test
    void a_list_that_changed_between_two_pages_is_still_the_same_list() {
      for (int i = 0; i < 60; i++) task("Task with quite a long title to fill the page " + i);
      Reply first = call(claude("c"), "recall", "{'ref':'tasks:ready'}");
      Matcher next = NEXT.matcher(words(first));
      assertThat(next.find()).isTrue();
      task("One more");
      assertThat(said(claude("c"), "recall", "{'ref':'" + next.group(1) + "'}"))
          .doesNotContain("One more");
      offer = new Offer(rooms);
      assertThat(refused(claude("c"), "recall", "{'ref':'" + next.group(1) + "'}"))
          .contains("begin again with recall tasks:ready");
      assertThat(whole("tasks:ready").lines()).hasSize(61);
    }

    @Test
    void what_was_forgotten_is_not_remembered_here() {
      String leaked = "plum-orchard";
      TaskId id = task("One with " + leaked);
      JsonObject longer = JsonObject.of("description", (leaked + " and more\n").repeat(1_000));
      rooms.tasks().update(id, longer, null, ADA);
      Reply first = call(claude("c"), "recall", "{'ref':'task:T-001'}");
      Matcher next = NEXT.matcher(words(first));
      assertThat(next.find()).as(words(first)).isTrue();
      assertThat(words(call(claude("c"), "again", "next_task", "{}"))).contains(leaked);
      Erasure erasure = Erasure.of(leaked, List.of(), "b1b0");
      given(tx -> tx.erasures().erase(erasure, Set.of(), ADA));
      assertThat(refused(claude("c"), "recall", "{'ref':'" + next.group(1) + "'}"))
          .contains("begin again with recall task:T-001");
      assertThat(words(call(claude("c"), "again", "next_task", "{}")))
          .contains("One with " + erasure.mark())
          .doesNotContain(leaked);
    }

    @Test
    void what_is_forgotten_while_it_is_being_read_is_not_remembered_either() {
      String leaked = "plum-orchard";
      task("One with " + leaked);
      AtomicInteger shown = new AtomicInteger();
      rooms.close();
      rooms =
          new StoreRooms(store, folder) {
            @Override
            public Prompts prompts() {
              if (shown.getAndIncrement() == 0) {
                Erasure erasure = Erasure.of(leaked, List.of(), "b1b0");
                store.inTransaction(
                    Once.unkeyed(), tx -> tx.erasures().erase(erasure, Set.of(), ADA));
                assertThat(said(claude("d"), "recall", "{'ref':'task:T-001'}"))
                    .doesNotContain(leaked);
              }
              return super.prompts();
            }
          };
      offer = new Offer(rooms);
      assertThat(words(call(claude("c"), "again", "next_task", "{}"))).contains(leaked);
      assertThat(shown).hasPositiveValue();
      assertThat(words(call(claude("c"), "again", "next_task", "{}"))).doesNotContain(leaked);
    }

    @Test
    void lines_are_found_by_their_words() {
      known(3);
      said(claude("c"), "update", "{'decisions':['Passkeys for all']}");
      assertThat(said(claude("c"), "recall", "{'query':'ALL passkeys'}"))
          .contains("Passkeys for all")
          .doesNotContain("decision 1");
      assertThat(said(claude("c"), "recall", "{'query':'nothing of the kind'}"))
          .contains("No task has all");
      assertThat(said(claude("c"), "recall", "{'ref':'journal:T-001','query':'of no kind'}"))
          .contains("No line has all");
    }

    @Test
    void a_query_without_a_reference_finds_tasks_also_for_a_caller_without_one() {
      rooms.tasks().create(NewTask.titled("Invoice export"), ADA);
      rooms.tasks().create(NewTask.titled("Something else"), ADA);
      assertThat(said(claude("new"), "recall", "{'query':'INVOICE'}"))
          .contains("task:T-001 PENDING: Invoice export")
          .doesNotContain("Something else");
    }

    @Test
    void what_there_is_is_listed_and_each_of_it_can_be_read() {
      TaskId id = known(1);
      rooms
          .artifacts(folder)
          .add(id, NewArtifact.text(new ArtifactType("LOG"), "all went well\n"), ADA);
      rooms.states().addCriterion(id, "tests pass", "mvn test", ADA);
      said(claude("c"), "checkpoint", "{'action':'save','name':'before'}");
      String list = said(claude("c"), "recall", "{}");
      assertThat(list).contains("state:T-001", "journal:T-001", "tasks:open");
      assertThat(said(claude("c"), "recall", "{'ref':'task:T-001'}"))
          .contains("T-001: Add login", "IN_PROGRESS, held by claude-code@");
      assertThat(said(claude("c"), "recall", "{'ref':'evidence:T-001'}"))
          .contains("criterion 1 never run: tests pass, check: mvn test");
      assertThat(said(claude("c"), "recall", "{'ref':'checkpoints:T-001'}")).contains("before (");
      String artifacts = said(claude("c"), "recall", "{'ref':'artifacts:T-001'}");
      String one = artifacts.substring(0, artifacts.indexOf(' '));
      assertThat(said(claude("c"), "recall", "{'ref':'" + one + "'}")).contains("all went well");
      assertThat(said(claude("c"), "recall", "{'ref':'tasks'}")).contains("T-001 IN_PROGRESS");
      assertThat(said(claude("c"), "recall", "{'ref':'messages'}")).contains("no messages");
      assertThat(said(claude("c"), "recall", "{'ref':'terminals'}")).contains("claude-code@");
      assertThat(said(claude("c"), "recall", "{'ref':'delegations'}")).contains("No work");
      assertThat(said(claude("c"), "recall", "{'ref':'snapshot'}")).isNotBlank();
    }

    @Test
    void what_the_notebook_no_longer_holds_is_still_in_its_history() {
      TaskId id = known(60);
      String state = said(claude("c"), "state", "{'budget':10000}");
      assertThat(state).contains("recall history:T-001").doesNotContain("decision 3 because");
      assertThat(whole("history:T-001")).contains("decision 3 because", "decision 60 because");
      String before = whole("history:T-001@" + rooms.notebooks().known(id).number());
      note(id, 61);
      assertThat(before)
          .isEqualTo(whole("history:T-001@" + (rooms.notebooks().known(id).number() - 1)));
    }

    @Test
    void an_old_moment_of_a_long_journal_is_found() {
      TaskId id = known(5);
      String old = whole("journal:T-001@4");
      assertThat(old.lines()).hasSize(4);
      assertThat(old).startsWith("#4 ").doesNotContain("older:");
      assertThat(refused(claude("c"), "recall", "{'ref':'journal:T-001@0'}")).contains("entry 0");
      assertThat(rooms.tasks().show(id).id()).isEqualTo(id);
    }

    @Test
    void a_wrong_reference_is_answered_with_the_right_one() {
      known(1);
      assertThat(refused(claude("c"), "recall", "{'ref':'jornal:T-001'}"))
          .contains("did you mean \"journal\"");
      assertThat(refused(claude("c"), "recall", "{'ref':'State 1'}")).contains("state:T-001@42#2");
      assertThat(refused(claude("c"), "recall", "{'ref':'journal:T-001#9'}"))
          .contains("is 1; there is no page 9");
      assertThat(refused(claude("c"), "recall", "{'ref':'state:T-001@7777'}")).contains("#1 to #");
      assertThat(refused(claude("c"), "recall", "{'ref':'task:T-777'}"))
          .contains("recall tasks shows");
      assertThat(refused(claude("c"), "recall", "{'ref':'journal'}")).contains("journal:T-001");
      assertThat(refused(claude("c"), "recall", "{'ref':'reply@1234'}")).contains("no longer kept");
    }

    @Test
    void every_budget_is_kept_whatever_is_known() {
      TaskId id = known(0);
      List<String> words =
          List.of("plain words ", "日本語の文 ", "0123456789abcdef", "👩‍👩‍👧‍👦 ", "{\"a\":[1]} ");
      Seeds.forAll(
          12,
          random -> {
            List<String> notes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
              notes.add(i + words.get(random.nextInt(words.size())).repeat(1 + random.nextInt(30)));
            }
            Section section = Section.values()[random.nextInt(Section.values().length)];
            rooms
                .notebooks()
                .merge(id, NotebookDelta.of(section, notes.toArray(String[]::new)), ADA);
            int budget = StateTool.BUDGET_MIN + random.nextInt(1_500);
            call(claude("c"), null, "state", "{'budget':" + budget + "}");
            call(claude("c"), null, "next_task", "{}");
          });
      long entry = rooms.notebooks().known(id).number();
      assertThat(whole("state:T-001@" + entry))
          .isEqualTo(StateText.whole(rooms, id, entry, Actor.agent("claude-code")));
    }

    @Test
    void a_refusal_that_is_too_long_is_read_page_by_page() {
      known(0);
      List<String> steps = new ArrayList<>();
      for (int i = 1; i <= 60; i++) {
        steps.add("step " + i + " " + "with many words to say what is to be done ".repeat(3));
      }
      call(claude("c"), null, "update", JsonObjectText.of("plan", steps));
      Reply refused = call(claude("c"), "finish_task", "{'outcome':'completed'}");
      assertThat(refused.isError()).isTrue();
      Matcher next = NEXT.matcher(words(refused));
      assertThat(next.find()).as(words(refused)).isTrue();
      assertThat(whole(next.group(1).replaceFirst("#.*", "")))
          .startsWith("T-001 is not done, 60 things are left")
          .contains("and 40 more");
    }
  }

  /** Arguments as JSON in which no ' stands for anything else. */
  private static final class JsonObjectText {
    static String of(String name, Object value) {
      return dev.mainstay.json.JsonText.write(JsonObject.of(name, value));
    }
  }
}
