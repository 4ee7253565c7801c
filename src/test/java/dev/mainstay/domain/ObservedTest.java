package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ObservedTest {
  private static final TaskId TWO = TaskId.of(2);

  private static EvidenceSeen make(String command, int exitCode, String workspace) {
    return new EvidenceSeen(command, exitCode, new Tree(workspace, "t"), How.OBSERVED);
  }

  private static Observed after(Observed before, List<ObservedEvent> events, Origin origin) {
    Observed after = before;
    for (ObservedEvent event : events) after = event.applyTo(after, origin);
    return after;
  }

  @Test
  void the_newest_evidence_of_a_command_in_a_workspace_takes_the_place_of_the_one_before() {
    Observed observed = Observed.NONE;
    observed = after(observed, observed.see(make("make", 1, "w-1")), by(CODER, 1));
    observed = after(observed, observed.see(make("make", 2, "w-2")), by(CODER, 2));
    observed = after(observed, observed.see(make("make", 0, "w-1")), by(ADA, 3));
    assertThat(observed.evidence()).extracting(Evidence::exitCode).containsExactly(2, 0);
    assertThat(observed.newest("make").orElseThrow().origin()).isEqualTo(by(ADA, 3));
    assertThat(observed.evidenceDropped()).isZero();
  }

  @Test
  void sixteen_of_each_are_kept_and_the_older_ones_are_counted() {
    Observed observed = Observed.NONE;
    for (int i = 0; i < 20; i++) {
      observed = after(observed, observed.see(make("make " + i, 0, "w-1")), by(CODER, i));
      var conflict = new ConflictSeen("file " + i, TWO, "a", "b");
      observed = after(observed, observed.see(conflict), by(CODER, i));
    }
    assertThat(observed.evidence()).hasSize(16).last().extracting("command").isEqualTo("make 19");
    assertThat(observed.conflicts()).hasSize(16).first().extracting("path").isEqualTo("file 4");
    assertThat(observed.evidenceDropped()).isEqualTo(4);
    assertThat(observed.conflictsDropped()).isEqualTo(4);
  }

  @Test
  void a_conflict_is_seen_once_again_when_it_changes_and_settled_by_its_path() {
    Observed observed = Observed.NONE;
    var seen = new ConflictSeen("src/App.java", TWO, "a", "b");
    observed = after(observed, observed.see(seen), by(CODER, 1));
    assertThat(observed.see(seen)).isEmpty();
    var deleted = new ConflictSeen("src/App.java", TWO, "a", null);
    observed = after(observed, observed.see(deleted), by(CODER, 2));
    var third = new ConflictSeen("src/App.java", TaskId.of(3), "a", "c");
    observed = after(observed, observed.see(third), by(CODER, 3));
    assertThat(observed.conflicts()).extracting(Conflict::theirs).containsExactly(null, "c");
    assertThat(observed.settle("src/Other.java")).isEmpty();
    observed = after(observed, observed.settle("src/App.java"), by(CODER, 4));
    assertThat(observed.conflicts()).isEmpty();
  }

  @Test
  void a_path_outside_the_workspace_is_refused() {
    assertThatThrownBy(() -> new ConflictSeen("../secret", TWO, "a", "b"))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> Observed.NONE.settle("/etc/hosts")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> make("two\nlines", 0, "w-1")).isInstanceOf(Refusal.class);
  }

  @Test
  void any_history_comes_back_from_its_payloads_and_from_its_json() {
    Seeds.forAll(
        200,
        random -> {
          Observed direct = Observed.NONE;
          Observed replayed = Observed.NONE;
          for (int turn = 0; turn < 60; turn++) {
            Origin origin = by(NotebookSamples.anyActor(random), turn);
            for (ObservedEvent event : anything(random, direct)) {
              var read = ObservedEvent.read(event.kind(), event.payload());
              assertThat(read).isEqualTo(event);
              direct = event.applyTo(direct, origin);
              replayed = read.applyTo(replayed, origin);
            }
          }
          assertThat(replayed).isEqualTo(direct);
          assertThat(Observed.fromJson(direct.toJson())).isEqualTo(direct);
        });
  }

  private static List<ObservedEvent> anything(Random random, Observed observed) {
    String path = "file-" + random.nextInt(30);
    return switch (random.nextInt(5)) {
      case 0, 1 ->
          observed.see(
              new EvidenceSeen(
                  "make " + random.nextInt(15),
                  random.nextInt(3),
                  new Tree("w-" + random.nextInt(2), "t-" + random.nextInt(3)),
                  How.values()[random.nextInt(2)]));
      case 2, 3 ->
          observed.see(
              new ConflictSeen(
                  path,
                  TaskId.of(random.nextInt(3)),
                  random.nextBoolean() ? "a" : null,
                  random.nextBoolean() ? "b" : null));
      default -> observed.settle(path);
    };
  }

  @Test
  void what_older_versions_wrote_is_still_read() {
    var added = TaskStateEvent.read("state.criterion_added", JsonObject.of("text", "documented"));
    assertThat(added).isEqualTo(new CriterionEvent.Added("documented", null));
    var payload = JsonObject.of("goal", "ship", "criteria", List.of("tests pass"));
    TaskState state =
        TaskStateEvent.read("state.started", payload).applyTo(TaskState.NONE, by(ADA));
    state = added.applyTo(state, by(ADA));
    var old = new TreeMap<>(TaskStateJson.write(state).asMap());
    assertThat(old.remove("criteria_states")).isNotNull();
    TaskState read = TaskStateJson.read(JsonObject.copyOf(old));
    assertThat(read).isEqualTo(state);
    assertThat(read.run().criteria())
        .containsExactly(Criterion.of("tests pass"), Criterion.of("documented"));
    var dossier = JsonObject.of("task_state", JsonObject.copyOf(old));
    assertThat(Dossier.fromJson(dossier).observed()).isEqualTo(Observed.NONE);
  }

  @Test
  void the_public_json_has_the_texts_as_ever_and_the_states_beside_them() {
    TaskState state = TaskState.NONE;
    state = applied(state, state.addCriterion("documented", null, CODER));
    state = applied(state, state.addCriterion("tested", "make test", CODER));
    state = applied(state, state.meetCriterion(0, "see docs", CODER));
    JsonObject json = TaskStateJson.write(state);
    assertThat(json.texts("criteria")).containsExactly("documented", "tested");
    assertThat(json.objects("criteria_states"))
        .containsExactly(
            JsonObject.of("text", "documented", "met_by", "agent:coder", "note", "see docs")
                .with("met_at", Times.write(NotebookSamples.NOON)),
            JsonObject.of("text", "tested", "check", "make test"));
    assertThat(TaskStateJson.read(json)).isEqualTo(state);
  }

  @Test
  void a_word_stays_with_who_gave_it_first_unless_it_says_more_or_weighs_more() {
    TaskState state = TaskState.NONE;
    state = applied(state, state.addCriterion("documented", null, CODER));
    assertThat(state.reopenCriterion(0)).isEmpty();
    state = applied(state, state.meetCriterion(0, null, CODER));
    assertThat(state.meetCriterion(0, null, NotebookSamples.TESTER)).isEmpty();
    assertThat(state.meetCriterion(0, "see docs", NotebookSamples.TESTER)).hasSize(1);
    assertThat(state.meetCriterion(0, null, ADA)).hasSize(1);
    state = applied(state, state.reopenCriterion(0));
    assertThat(state.run().criterion(0)).isEqualTo(Criterion.of("documented"));
    TaskState now = state;
    assertThatThrownBy(() -> now.meetCriterion(1, null, ADA)).hasMessageContaining("criterion 2");
  }

  @Test
  void a_check_ends_a_word_and_only_a_person_puts_another_in_its_place() {
    TaskState state = TaskState.NONE;
    state = applied(state, state.addCriterion("tested", null, CODER));
    state = applied(state, state.meetCriterion(0, null, CODER));
    state = applied(state, state.addCriterion("tested", "make test", CODER));
    assertThat(state.run().criteria()).containsExactly(new Criterion("tested", "make test", null));
    TaskState now = state;
    assertThat(now.addCriterion("tested", null, ADA)).as("takes nothing away").isEmpty();
    assertThat(now.addCriterion("tested", "make test", CODER)).isEmpty();
    assertThatThrownBy(() -> now.addCriterion("tested", "true", CODER))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("only a person");
    assertThat(applied(now, now.addCriterion("tested", "make check", ADA)).run().criterion(0))
        .isEqualTo(new Criterion("tested", "make check", null));
  }

  @Test
  void the_same_goal_again_keeps_criteria_as_they_stand_and_another_goal_drops_them() {
    TaskState state = TaskState.NONE;
    state = applied(state, state.start("ship", List.of("documented"), ADA));
    state = applied(state, state.meetCriterion(0, null, CODER));
    TaskState over = applied(state, state.end(RunPhase.NO_PROGRESS, ""));
    TaskState again = applied(over, over.start("ship", List.of("documented", "fast"), CODER));
    assertThat(again.run().criterion(0)).isEqualTo(over.run().criterion(0));
    assertThat(again.run().criterion(0).met()).isNotNull();
    assertThat(again.run().criterion(1)).isEqualTo(Criterion.of("fast"));
    TaskState other = applied(over, over.start("rest", List.of("documented"), ADA));
    assertThat(other.run().criteria()).containsExactly(Criterion.of("documented"));
  }

  private static TaskState applied(TaskState before, List<TaskStateEvent> events) {
    TaskState after = before;
    for (var event : events) after = event.applyTo(after, by(CODER));
    return after;
  }
}
