package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Evidence;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Observation;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.workspace.Tracker.Difference;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What may be concluded from what tools were seen to do, and what may not. */
class ObservedWorkTest {
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

  abstract static class Contract extends OnWorkspace {
    Contract(Databases database) {
      super(database);
    }

    private static final String CHECK = "make test";

    private void check(TaskId id) {
      new TaskStates(store).addCriterion(id, "tests pass", CHECK, ADA);
    }

    private List<Evidence> evidence(TaskId id) {
      return store.reading(tx -> tx.dossiers().get(id).dossier().observed().evidence());
    }

    private String treeOfEvidence() {
      return evidence(ONE).get(0).on().hash();
    }

    @Test
    void a_check_that_was_seen_to_end_is_evidence_on_the_files_as_they_are() {
      Call holder = held(ONE);
      check(ONE);
      tracker.scan();
      put("new.txt", "new");
      tracker.queue("Bash", bash("cat > new.txt"), ONE, holder);
      tracker.queue("Bash", bash(CHECK), ONE, holder);
      tracker.drain();
      assertThat(treeOfEvidence()).isEqualTo(tracker.workspace().files().treeHash());
    }

    @Test
    void whoever_may_not_write_to_the_task_gives_no_evidence_for_it() {
      held(ONE);
      check(ONE);
      tracker.scan();
      Call stranger = Call.by(Actor.agent("stranger"), "test");
      tracker.queue("Bash", bash(CHECK), ONE, stranger);
      tracker.queue("Bash", JsonObject.of("command", List.of("echo", "-c", CHECK)), ONE, ADA);
      tracker.drain();
      assertThat(evidence(ONE)).isEmpty();
    }

    @Test
    void files_that_changed_between_check_and_look_make_its_tree_unknown() throws Exception {
      Call holder = held(ONE);
      check(ONE);
      tracker.scan();
      tracker.queue("Bash", bash(CHECK), ONE, holder);
      write("written.txt", "through Mainstay");
      tracker.drain();
      assertThat(treeOfEvidence()).isEqualTo(Tree.UNKNOWN);

      tracker.queue("Bash", bash(CHECK), ONE, holder);
      Files.delete(root.resolve("old.txt"));
      tracker.drain();
      assertThat(treeOfEvidence()).isEqualTo(Tree.UNKNOWN);

      tracker.queue("Bash", bash(CHECK), ONE, holder);
      put("moved.txt", "with an old time");
      Files.setLastModifiedTime(root.resolve("moved.txt"), FileTime.from(Instant.EPOCH));
      tracker.queue("Bash", bash("mv ../older moved.txt"), ONE, holder);
      tracker.drain();
      assertThat(treeOfEvidence()).isEqualTo(Tree.UNKNOWN);
    }

    @Test
    void the_first_look_lays_nothing_to_anybody() {
      held(ONE);
      put("older.txt", "was there");
      tracker.queue("Bash", bash("ls"), ONE, ADA);
      tracker.drain();
      assertThat(touched(ONE)).isEmpty();
      assertThat(files(tracker)).containsExactly("old.txt unchanged", "older.txt unchanged");
    }

    @Test
    void who_only_reads_what_another_wrote_clashes_with_nobody() {
      held(ONE);
      held(TWO);
      tracker.scan();
      put("a.txt", "by one");
      sawWrite("a.txt", ONE);
      saw("mcp__fs__read_text_file", "{\"path\": \"a.txt\"}", TWO);
      put("a.txt", "by one, again");
      sawWrite("a.txt", ONE);
      for (TaskId id : List.of(ONE, TWO)) {
        var observed = store.reading(tx -> tx.dossiers().get(id).dossier().observed());
        assertThat(observed.conflicts()).isEmpty();
      }
    }

    @Test
    void another_tasks_list_is_not_the_storys() {
      tracker.beginStory("T-001", ADA);
      saw("TodoWrite", "{\"todos\": [{\"content\": \"ours\", \"status\": \"pending\"}]}", ONE);
      saw("TodoWrite", "{\"todos\": [{\"content\": \"theirs\", \"status\": \"pending\"}]}", TWO);
      assertThat(tracker.state().openTasks())
          .extracting(OpenTask::description)
          .containsOnly("ours");
    }

    @Test
    void a_list_before_the_first_look_makes_no_file_new() {
      tracker.setTasks(List.of(new OpenTask("begin", OpenTask.Status.PENDING, 1)), ADA);
      assertThat(files(tracker)).containsExactly("old.txt unchanged");
    }

    @Test
    void what_cannot_be_read_is_dropped_and_holds_up_nothing() {
      tracker.scan();
      String id = tracker.workspace().id();
      var broken = JsonObject.of("effect", "NO_SUCH");
      given(tx -> tx.observations().queue(id, new Observation(0, null, BOT, broken, tx.now())));
      put("next.txt", "n");
      sawWrite("next.txt", null);
      assertThat(files(tracker)).contains("next.txt created");
      List<Observation> left = store.reading(tx -> tx.observations().waiting(id, 9));
      assertThat(left).isEmpty();
    }

    @Test
    void a_verification_tells_what_waits_to_be_looked_at_as_well() {
      tracker.scan();
      put("old.txt", "damaged");
      put("added.txt", "a");
      tracker.queue("Bash", bash("true"), null, BOT);
      assertThat(tracker.verify().differences())
          .extracting(Difference::path)
          .containsExactlyInAnyOrder("old.txt", "added.txt");
      assertThat(tracker.verify().differences()).isEmpty();
    }

    @Test
    void looking_again_at_what_did_not_change_changes_nothing_that_is_shown() {
      tracker.scan();
      Instant before = tracker.workspace().updatedAt();
      clock.advance(java.time.Duration.ofMinutes(1));
      tracker.scan();
      tracker.snapshot();
      assertThat(tracker.workspace().updatedAt()).isEqualTo(before);
    }
  }
}
