package dev.mainstay.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookSamples;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Resolution;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class NotebooksTest {
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

  abstract static class Contract extends OnState {
    Contract(Databases database) {
      super(database);
    }

    private static NotebookDelta decision(String text) {
      return NotebookDelta.of(Section.DECISIONS, text);
    }

    private List<String> decisions() {
      return notebooks.load(ONE).texts(Section.DECISIONS);
    }

    @Test
    void a_task_nobody_noted_anything_about_has_an_empty_notebook() {
      assertThat(notebooks.load(ONE)).isEqualTo(Notebook.EMPTY);
      assertThat(notebooks.dump(ONE, null)).isEmpty();
      refused(Code.NOT_FOUND, () -> notebooks.load(TaskId.of(99)), "T-099");
    }

    @Test
    void what_is_merged_is_there_in_another_store_object_and_in_the_plain_table() {
      notebooks.merge(ONE, decision("use SQLite"), BOT);
      notebooks.merge(ONE, NotebookDelta.of(Section.NEXT_FOCUS, "write tests"), ADA);
      try (var other = open(address)) {
        assertThat(new Notebooks(other).load(ONE)).isEqualTo(notebooks.load(ONE));
      }
      String seen = Raw.texts(store, "SELECT blob FROM state", "blob").get(0);
      JsonObject blob = JsonText.object(seen);
      assertThat(blob.asMap().keySet()).containsExactlyInAnyOrderElementsOf(Section.keys());
      assertThat(blob.texts("decisions")).containsExactly("use SQLite");
      assertThat(blob.text("next_focus")).isEqualTo("write tests");
    }

    @Test
    void each_note_shows_its_author_to_others_and_not_to_itself() {
      notebooks.merge(ONE, decision("mine"), BOT);
      assertThat(notebooks.dump(ONE, BOT.actor())).isEqualTo("Decisions:\n- mine");
      assertThat(notebooks.dump(ONE, ADA.actor())).isEqualTo("Decisions:\n- mine (by agent:bot)");
    }

    @Test
    void what_a_cap_removed_is_counted_shown_and_whole_in_the_history() {
      for (int i = 1; i <= 5; i++) {
        notebooks.merge(ONE, NotebookDelta.of(Section.HISTORY, i + "x".repeat(300)), BOT);
      }
      Notebook kept = notebooks.load(ONE);
      assertThat(kept.page(Section.HISTORY).notes()).hasSize(3);
      assertThat(kept.page(Section.HISTORY).dropped()).isEqualTo(2);
      assertThat(notebooks.dump(ONE, null)).contains("2 older entries left out", "state history");
      List<JournalEntry> all = notebooks.history(ONE, 0, 100);
      assertThat(all).hasSize(5);
      assertThat(all.get(0).content().payload()).contains("1" + "x".repeat(300));
      assertThat(notebooks.history(ONE, all.get(3).place().number(), 100))
          .containsExactly(all.get(4));
    }

    @Test
    void an_issue_is_settled_and_a_hypothesis_becomes_a_decision() {
      notebooks.merge(ONE, NotebookDelta.of(Section.OPEN_ISSUES, "slow", "flaky"), BOT);
      notebooks.merge(ONE, NotebookDelta.of(Section.HYPOTHESES, "the cache", "the disk"), BOT);
      notebooks.resolve(ONE, "2", Resolution.SETTLED, BOT);
      notebooks.resolve(ONE, "the cache", Resolution.CONFIRMED, BOT);
      notebooks.resolve(ONE, "1", Resolution.REFUTED, BOT);
      Notebook notebook = notebooks.load(ONE);
      assertThat(notebook.texts(Section.OPEN_ISSUES)).containsExactly("slow");
      assertThat(notebook.texts(Section.HYPOTHESES)).isEmpty();
      assertThat(decisions()).containsExactly("the cache", "refuted: the disk");
      refused(
          Code.NOT_FOUND, () -> notebooks.resolve(ONE, "9", Resolution.SETTLED, BOT), "\"slow\"");
    }

    @Test
    void a_models_text_is_merged_whole_or_not_at_all() {
      String good = "<state_update>{\"decisions\": [\"one\"]}</state_update>";
      notebooks.mergeText(ONE, "I think\n```json\n" + good + "\n```\nand " + good, BOT);
      assertThat(decisions()).containsExactly("one");
      long number = notebooks.known(ONE).number();
      refused(
          Code.INVALID,
          () ->
              notebooks.mergeText(
                  ONE,
                  "<state_update>{\"decisions\": [\"two\"]}</state_update>\n"
                      + "<state_update>{\"decisions\": [\"three\",, ]}</state_update>",
                  BOT),
          "invalid_state_update_json",
          "line 2",
          "nothing changed");
      assertThat(decisions()).containsExactly("one");
      assertThat(notebooks.known(ONE).number()).isEqualTo(number);
      assertThat(notebooks.mergeText(ONE, "nothing to say", BOT).isChange()).isFalse();
    }

    @Test
    void saving_replaces_everything_within_the_caps() {
      notebooks.merge(ONE, decision("old"), ADA);
      notebooks.save(ONE, NotebookDelta.of(Section.HISTORY, "a", "b", "c", "d"), BOT);
      Notebook notebook = notebooks.load(ONE);
      assertThat(notebook.texts(Section.DECISIONS)).isEmpty();
      assertThat(notebook.texts(Section.HISTORY)).containsExactly("b", "c", "d");
    }

    @Test
    void secrets_do_not_reach_the_journal() {
      String secret = "gh" + "p_" + "a1B2c3D4" + "e5F6g7H8" + "i9J0k1L2" + "m3N4o5P6" + "q7R8";
      notebooks.merge(ONE, decision("the token is " + secret), BOT);
      assertThat(decisions().get(0)).contains("[redacted:");
      assertThat(notebooks.history(ONE, 0, 10).toString()).doesNotContain(secret);
    }

    @Test
    void the_same_key_notes_once_and_another_request_under_it_is_refused() {
      Call keyed = BOT.withKey("k1");
      Receipt first = notebooks.merge(ONE, NotebookDelta.of(Section.HISTORY, "did it"), keyed);
      Receipt again = notebooks.merge(ONE, NotebookDelta.of(Section.HISTORY, "did it"), keyed);
      assertThat(again).isEqualTo(first);
      assertThat(notebooks.load(ONE).texts(Section.HISTORY)).containsExactly("did it");
      refused(Code.CONFLICT, () -> notebooks.merge(ONE, decision("other"), keyed), "k1");
    }

    @Test
    void while_a_task_is_held_an_agent_writes_with_its_fence_or_not_at_all() {
      Task held = hold(ONE);
      refused(Code.LEASE_LOST, () -> notebooks.merge(ONE, decision("x"), BOT), "fence");
      notebooks.merge(ONE, decision("holder"), BOT.withFence(held.fence()));
      notebooks.merge(ONE, decision("person"), ADA);
      leases.release(ONE, "tired", BOT.withFence(held.fence()));
      refused(
          Code.LEASE_LOST,
          () -> notebooks.merge(ONE, decision("late"), BOT.withFence(held.fence())),
          "no longer valid");
      notebooks.merge(ONE, decision("free"), BOT);
      assertThat(decisions()).containsExactly("holder", "person", "free");
    }

    @Test
    void two_writers_at_once_are_both_kept() throws Exception {
      AtomicInteger turn = new AtomicInteger();
      List<List<String>> said =
          Both.atOnce(
              2,
              () -> {
                Call me = turn.getAndIncrement() == 0 ? BOT : ADA;
                List<String> mine = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                  String text = me.actor() + " says " + i;
                  notebooks.merge(ONE, decision(text), me);
                  mine.add(text);
                }
                return mine;
              });
      for (List<String> mine : said) assertThat(decisions()).containsSubsequence(mine);
      assertThat(decisions()).hasSize(40);
    }

    /** Each through a store object of its own, as two processes have; under one fence or none. */
    @Test
    void any_interleaving_of_two_writers_keeps_both() {
      try (Store other = open(address)) {
        Notebooks second = new Notebooks(other);
        Seeds.forAll(
            database() == Databases.SQLITE ? 20 : 10,
            random -> {
              TaskId id = tasks.create(NewTask.titled("shared"), ADA).id();
              boolean held = random.nextBoolean();
              Call by = held ? BOT.withFence(hold(id).fence()) : BOT;
              List<String> mine = new ArrayList<>();
              List<String> theirs = new ArrayList<>();
              for (int i = 0; i < 24; i++) {
                boolean first = random.nextBoolean();
                String text = (first ? "mine " : "theirs ") + i;
                (first ? mine : theirs).add(text);
                (first ? notebooks : second).merge(id, decision(text), by);
              }
              List<String> kept = notebooks.load(id).texts(Section.DECISIONS);
              assertThat(kept).hasSize(24).containsSubsequence(mine).containsSubsequence(theirs);
              assertThat(second.load(id)).isEqualTo(notebooks.load(id));
            });
      }
    }

    @Test
    void the_stored_notebook_is_the_replay_of_any_history() {
      Seeds.forAll(
          database() == Databases.SQLITE ? 30 : 15,
          random -> {
            TaskId id = tasks.create(NewTask.titled("random"), ADA).id();
            for (int i = 0; i < 15; i++) {
              Call by = random.nextBoolean() ? ADA : BOT;
              NotebookDelta delta = NotebookSamples.anyDelta(random);
              if (random.nextInt(5) == 0) notebooks.save(id, delta, by);
              else notebooks.merge(id, delta, by);
            }
            Dossier replayed = Dossier.EMPTY;
            for (JournalEntry entry : notebooks.history(id, 0, 1_000)) {
              var event =
                  Dossier.read(entry.content().kind(), JsonText.object(entry.content().payload()));
              replayed = replayed.after(event, entry.origin());
            }
            assertThat(notebooks.known(id).dossier()).isEqualTo(replayed);
          });
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }
}
