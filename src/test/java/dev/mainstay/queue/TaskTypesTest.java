package dev.mainstay.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.TaskTypeRule;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TaskTypesTest {
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

  abstract static class Contract extends OnDatabase {
    private static final TaskId ONE = TaskId.of(1);
    private TaskTypes types;
    private Call holder;
    private Tree tree;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void aHeldTask() {
      types = new TaskTypes(store);
      new Tasks(store).create(NewTask.titled("one"), ADA);
      Task held = new Leases(store).hold(ONE, "bot", Duration.ofMinutes(5), BOT);
      holder = BOT.withFence(held.fence());
      given(
          tx -> {
            tx.workspaces().open(new Place("host", "/srv/here"), "none");
            var workspace = tx.workspaces().list().get(0);
            tree = new Tree(workspace.id(), workspace.files().treeHash());
          });
    }

    @AfterEach
    void the_tables_equal_the_replay() {
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    private void seen(String command, int exit, Tree on) {
      var seen = new EvidenceSeen(command, exit, on, How.RAN);
      new EvidenceBook(store).record(ONE, seen, holder);
    }

    private Task complete() {
      return new Leases(store).complete(ONE, JsonObject.EMPTY, holder);
    }

    private void override(String reason, Call call) {
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.tasks().lock(ONE).admit(call);
            tx.dossiers().refuseUnlessDone(ONE, TaskTypes.override(reason), call);
            return "done";
          });
    }

    private List<String> kinds() {
      return store.reading(
          tx -> tx.journal().stream(ONE.stream()).stream().map(e -> e.content().kind()).toList());
    }

    private static void refused(Code code, ThrowingCallable call, String... words) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.code()).isEqualTo(code);
                for (String word : words) assertThat(refusal.sentence()).contains(word);
              });
    }

    @Test
    void a_person_says_what_a_type_requires_and_nobody_else() {
      assertThat(types.show(TaskType.CODE)).isEqualTo(TaskTypeRule.none(TaskType.CODE));
      TaskTypeRule rule = types.require(TaskType.CODE, List.of("tests", "TESTS", "./x.sh"), ADA);
      assertThat(rule.texts()).containsExactly("tests", "./x.sh");
      assertThat(rule.version()).isEqualTo(1);
      assertThat(types.require(TaskType.CODE, List.of("tests", "./x.sh"), ADA)).isEqualTo(rule);
      assertThat(types.show(TaskType.CODE)).isEqualTo(rule);
      assertThat(types.list()).containsExactly(rule);
      refused(Code.CONFLICT, () -> types.require(TaskType.CODE, List.of(), BOT), "only a person");
      refused(Code.INVALID, () -> types.require(TaskType.CODE, List.of("lint"), ADA), "tests");
      List<String> many =
          java.util.stream.IntStream.range(0, 11).mapToObj(i -> "./check-" + i).toList();
      refused(Code.TOO_LARGE, () -> types.require(TaskType.CODE, many, ADA), "at most 10");
      assertThat(types.require(TaskType.CODE, List.of(), ADA).version()).isEqualTo(2);
      Call keyed = ADA.withKey("k");
      var again = Collections.nCopies(2, List.of("tests"));
      assertThat(again.stream().map(r -> types.require(TaskType.TEST, r, keyed)).distinct())
          .hasSize(1);
      given(tx -> assertThat(tx.journal().stream("task-type/CODE")).hasSize(2));
    }

    @Test
    void completing_needs_tests_that_mainstay_saw_pass_on_the_current_files() {
      types.require(TaskType.CODE, List.of("tests"), ADA);
      refused(
          Code.CONFLICT,
          this::complete,
          "type CODE need tests",
          "seen no such run",
          "'mainstay evidence run T-001 -- COMMAND'");
      seen("echo pytest", 0, tree);
      refused(Code.CONFLICT, this::complete, "seen no such run");
      seen("pytest", 1, tree);
      refused(Code.CONFLICT, this::complete, "exit code 1", "evidence run T-001 -- pytest");
      seen("pytest", 0, new Tree(tree.workspace(), "other-files"));
      refused(Code.CONFLICT, this::complete, "files changed after the last run");
      seen("pytest", 0, new Tree(tree.workspace(), Tree.UNKNOWN));
      refused(Code.CONFLICT, this::complete, "files changed");
      seen("pytest", 0, tree);
      assertThat(complete().status()).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void a_newer_failure_of_any_tests_counts_against_an_older_success() {
      types.require(TaskType.CODE, List.of("tests"), ADA);
      seen("pytest tests/one.py", 0, tree);
      seen("mvn -B verify", 1, tree);
      refused(Code.CONFLICT, this::complete, "exit code 1", "mvn -B verify");
      seen("pytest tests/one.py", 0, tree);
      assertThat(complete().status()).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void a_required_command_is_that_command_and_no_other() {
      types.require(TaskType.CODE, List.of("mvn -B verify"), ADA);
      seen("mvn -B test", 0, tree);
      refused(
          Code.CONFLICT, this::complete, "need \"mvn -B verify\"", "run T-001 -- mvn -B verify'");
      seen("mvn -B verify", 0, tree);
      assertThat(complete().status()).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void another_type_is_not_asked() {
      types.require(TaskType.REVIEW, List.of("tests"), ADA);
      assertThat(complete().status()).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    void a_person_may_override_with_a_reason_that_is_recorded() {
      types.require(TaskType.CODE, List.of("tests", "./x.sh"), ADA);
      seen("pytest", 0, tree);
      refused(Code.CONFLICT, () -> override("I say so", holder), "only a person");
      refused(Code.INVALID, () -> override(" ", ADA), "reason");
      refused(Code.CONFLICT, () -> override(null, ADA), "./x.sh");
      override("the runner is down", ADA);
      assertThat(kinds()).endsWith("evidence.waived");
      given(
          tx -> {
            var entries = tx.journal().stream(ONE.stream());
            var last = entries.get(entries.size() - 1);
            assertThat(last.origin().actor()).isEqualTo(ADA.actor());
            assertThat(last.content().payload())
                .isEqualTo("{\"reason\":\"the runner is down\",\"requires\":[\"./x.sh\"]}");
          });
    }

    @Test
    void an_override_waives_neither_criteria_nor_what_is_proven_already() {
      types.require(TaskType.CODE, List.of("tests"), ADA);
      seen("pytest", 0, tree);
      override("not needed after all", ADA);
      assertThat(kinds()).doesNotContain("evidence.waived");
      types.require(TaskType.CODE, List.of(), ADA);
      override("nothing is asked", ADA);
      assertThat(kinds()).doesNotContain("evidence.waived");
      types.require(TaskType.CODE, List.of("./x.sh"), ADA);
      new TaskStates(store).addCriterion(ONE, "it is documented", ADA);
      refused(Code.CONFLICT, () -> override("in a hurry", ADA), "it is documented");
      assertThat(kinds()).doesNotContain("evidence.waived");
    }

    @Test
    void a_rebuilt_store_requires_the_same_and_knows_the_override() {
      types.require(TaskType.CODE, List.of("tests"), ADA);
      override("the runner is down", ADA);
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store made = open(target)) {
        assertThat(Verification.of(made).findings()).isEmpty();
        assertThat(new TaskTypes(made).list()).isEqualTo(types.list());
      }
    }
  }
}
