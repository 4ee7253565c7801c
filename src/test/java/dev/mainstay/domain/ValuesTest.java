package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.Refusal.Code;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Small values: how they are written, read, compared and refused. */
class ValuesTest {
  @Test
  void a_position_is_read_as_it_was_written_and_belongs_to_one_history() {
    Position place = new Position("e1", 5, 77);
    assertThat(place).hasToString("e1.5.77");
    assertThat(Position.parse("e1.5.77")).isEqualTo(place);
    for (String wrong : List.of("", "e1.5", "e1.five.77")) {
      assertThatThrownBy(() -> Position.parse(wrong))
          .isInstanceOf(Refusal.class)
          .hasMessageStartingWith("\"" + wrong + "\" is not a position");
    }
    assertThatCode(() -> place.expectEpoch("e1")).doesNotThrowAnyException();
    assertThatCode(() -> Position.BEGINNING.expectEpoch("e2")).doesNotThrowAnyException();
    assertThatThrownBy(() -> place.expectEpoch("e2"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("restored or rebuilt");
  }

  @Test
  void a_refusal_has_its_code_and_its_cause_and_says_whether_it_is_for_persons_alone() {
    Exception cause = new IllegalStateException("disk");
    Map<Code, Refusal> refusals =
        Map.of(
            Code.INVALID, Refusal.invalid("no"),
            Code.NOT_FOUND, Refusal.notFound("no"),
            Code.CONFLICT, Refusal.conflict("no"),
            Code.LEASE_LOST, Refusal.leaseLost("no"),
            Code.NOT_HOLDER, Refusal.notHolder("no"),
            Code.TOO_LARGE, Refusal.tooLarge("no"),
            Code.STORE_UNAVAILABLE, Refusal.unavailable("no", cause),
            Code.STORE_FULL, Refusal.full("no", cause),
            Code.READ_ONLY, Refusal.readOnly("no", cause));
    assertThat(refusals).hasSize(Code.values().length);
    refusals.forEach(
        (code, refusal) -> {
          assertThat(refusal.code()).isEqualTo(code);
          assertThat(refusal.sentence()).isEqualTo("no");
          assertThat(refusal.isReserved()).isFalse();
          Refusal reserved = refusal.reserved();
          assertThat(reserved.isReserved()).isTrue();
          assertThat(reserved.code()).isEqualTo(code);
          assertThat(reserved).hasMessage("no").hasCause(refusal.getCause());
        });
    assertThat(Refusal.full("no", cause)).hasCause(cause);
  }

  @Test
  void a_file_that_is_about_to_be_written_names_its_task_and_its_call() {
    Call call = Call.by(CODER, "cli").withKey("k").withFence(3L);
    assertThat(call).isEqualTo(new Call(CODER, "cli", "k", 3L, null));
    assertThat(call.withKey(null)).isEqualTo(new Call(CODER, "cli", null, 3L, null));
    var asked = new FileWrite.Asked(TaskId.of(1), call, "f");
    var write = new FileWrite(new RepoPath("a"), ".a.tmp", new FileWrite.Change(null, "h"), asked);
    assertThat(write.task()).isEqualTo(TaskId.of(1));
    assertThat(write.by()).isEqualTo(call);
  }

  @Test
  void a_state_directory_has_the_same_id_whatever_it_shows() {
    var one = new StateDirectory("host", "/a", TaskId.of(1), "exec_1_a");
    var other = new StateDirectory("host", "/a", TaskId.of(2), "exec_2_b");
    assertThat(one.id()).hasSize(32).isEqualTo(other.id());
    assertThat(one.id()).isEqualTo(StateDirectory.id("host", "/a"));
    assertThat(StateDirectory.id("host/", "a")).isNotEqualTo(one.id());
  }

  @Test
  void a_dependency_stands_by_how_the_other_task_ended() {
    var blocks = Dependency.Kind.BLOCKS;
    assertThat(blocks.standing(TaskStatus.COMPLETED)).isEqualTo(Dependency.Standing.MET);
    assertThat(blocks.standing(TaskStatus.FAILED)).isEqualTo(Dependency.Standing.IMPOSSIBLE);
    assertThat(blocks.standing(TaskStatus.PENDING)).isEqualTo(Dependency.Standing.WAITING);
    var failure = Dependency.Kind.parse(" After-Failure ");
    assertThat(failure.standing(TaskStatus.FAILED)).isEqualTo(Dependency.Standing.MET);
    assertThat(failure.standing(TaskStatus.COMPLETED)).isEqualTo(Dependency.Standing.IMPOSSIBLE);
    assertThat(Dependency.Kind.AFTER_ANY.standing(TaskStatus.CANCELLED))
        .isEqualTo(Dependency.Standing.MET);
    assertThat(failure.typed()).isEqualTo("after-failure");
    assertThat(Dependency.on(TaskId.of(1)))
        .isEqualTo(new Dependency(TaskId.of(1), Dependency.Kind.BLOCKS));
  }

  @Test
  void a_word_that_is_none_of_those_known_is_refused_with_those_that_are() {
    assertThat(Resolution.parse(" Settled ")).isEqualTo(Resolution.SETTLED);
    assertThatThrownBy(() -> Resolution.parse("solved"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("settled, confirmed or refuted");
    assertThatThrownBy(() -> How.parse("guessed"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("guessed");
    assertThat(new TaskType(" review ")).isEqualTo(TaskType.REVIEW).hasToString("REVIEW");
    assertThat(new ArtifactType("log")).isEqualTo(ArtifactType.LOG).hasToString("LOG");
  }

  @Test
  void names_are_written_as_they_are_read_and_paths_are_in_their_order() {
    assertThat(new RepoPath("src/a")).hasToString("src/a");
    assertThat(Stream.of("b", "a/b", "a").map(RepoPath::new).sorted().map(RepoPath::value))
        .containsExactly("a", "a/b", "b");
    assertThat(Typed.of("a\tb").isOneLine()).isTrue();
    assertThat(Typed.of("a\nb").isOneLine()).isFalse();
    assertThat(Setting.MAX_COST_PER_TASK.typed("$0.50")).isEqualTo("0.5");
    assertThat(Setting.PREFERRED_TOOLS.typed(List.of("Read"))).isEqualTo("[Read]");
  }

  @Test
  void the_workspaces_of_evidence_are_named_once_each() {
    Observed observed = Observed.NONE;
    for (String workspace : List.of("w-2", "w-1", "w-2")) {
      var seen = new ObservedEvent.EvidenceSeen("make", 0, new Tree(workspace, "t"), How.RAN);
      observed = seen.applyTo(observed, by(CODER));
    }
    assertThat(observed.workspaces()).containsExactly("w-1", "w-2");
    assertThat(Observed.NONE.workspaces()).isEmpty();
  }

  @Test
  void a_prompt_of_nothing_has_a_size_too_but_none_is_smaller() {
    assertThat(PromptSize.of(0)).isEqualTo(new PromptSize(0, null));
    assertThat(PromptSize.of(7, 9)).isEqualTo(new PromptSize(7, 9L));
    assertThat(PromptSize.of(7, 0)).isEqualTo(PromptSize.of(7));
    assertThat(new PromptSize(0, 0L).transcript()).isZero();
    assertThatThrownBy(() -> PromptSize.of(-1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> PromptSize.of(0, -1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_notebook_is_empty_until_something_is_noted() {
    assertThat(Notebook.EMPTY.isEmpty()).isTrue();
    var delta = NotebookDelta.of(Section.OPEN_ISSUES, "slow");
    Notebook noted = new NotebookEvent.Merged(delta).applyTo(Notebook.EMPTY, by(ADA));
    assertThat(noted.isEmpty()).isFalse();
    assertThat(Arrays.stream(Section.values()).map(Section::title))
        .startsWith("Goals", "Constraints")
        .endsWith("Open issues", "Next focus");
    var cleared = new Notebook(Map.of(Section.GOALS, new Notebook.Page(List.of(), 3, 0)));
    assertThat(cleared.isEmpty()).as("what was dropped is no note").isTrue();
  }

  @Test
  void a_criterion_has_a_state_once_it_has_a_check_or_was_met() {
    assertThat(Criterion.of("a").hasState()).isFalse();
    assertThat(new Criterion("a", "make", null).hasState()).isTrue();
    assertThat(new Criterion("a", null, new Criterion.Met(ADA, NOON, null)).hasState()).isTrue();
  }

  @Test
  void an_actor_is_read_as_it_was_written() {
    for (Actor actor : List.of(ADA, CODER, Actor.SYSTEM, Actor.agent("a:b"))) {
      assertThat(Actor.parse(actor.toString())).isEqualTo(actor);
    }
    for (String wrong : List.of("ada", ":ada", "")) {
      assertThatThrownBy(() -> Actor.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("not an actor: " + wrong);
    }
  }

  @Test
  void an_amount_has_one_form_and_its_limits() {
    assertThat(Amount.of("a cost", new BigDecimal("1E+3")).toString()).isEqualTo("1000");
    assertThat(Amount.of("a cost", new BigDecimal("0.50")).toString()).isEqualTo("0.5");
    assertThat(Amount.of("a cost", Amount.MAX)).isEqualByComparingTo(Amount.MAX);
    assertThatThrownBy(() -> Amount.of("a cost", Amount.MAX.add(new BigDecimal("0.1"))))
        .hasMessage("a cost is at most 1000000000");
    assertThat(Amount.of("a cost", new BigDecimal("0.123456789"))).isNotNull();
    assertThatThrownBy(() -> Amount.of("a cost", new BigDecimal("0.1234567891")))
        .hasMessage("a cost has at most 9 decimals");
    assertThat(Amount.plain(new BigDecimal("0.25"))).isEqualTo("0.25");
    assertThat(Amount.plain(new BigDecimal("1.234"))).isEqualTo("1.234");
    assertThat(Amount.seconds("a time", "1.5 minutes")).isEqualByComparingTo("90");
  }

  @Test
  void an_object_as_a_key_is_found_by_its_contents() {
    JsonObject one = JsonObject.of("a", 1, "b", List.of("x"));
    assertThat(one).hasSameHashCodeAs(JsonObject.of("b", List.of("x")).with("a", 1L));
    assertThat(one.hashCode()).isNotEqualTo(JsonObject.of("a", 2).hashCode());
    assertThatThrownBy(() -> JsonObject.of("a", "x").number("a"))
        .hasMessage("the field \"a\" must be a number");
    assertThatThrownBy(() -> JsonObject.of("a", new BigDecimal("1.5")).number("a"))
        .hasMessage("the field \"a\" must be a whole number that is not so large");
    assertThat(JsonPlace.of("a.b")).isEqualTo(JsonPlace.of("a.b")).isNotEqualTo(JsonPlace.of("a"));
    assertThat(JsonPlace.of("a.b")).hasSameHashCodeAs(JsonPlace.of("a.b")).isNotEqualTo("a.b");
    assertThat(JsonPlace.of("a.b").hashCode()).isNotEqualTo(JsonPlace.of("a.c").hashCode());
    assertThat(JsonPlace.of("").value(one)).isEqualTo(one);
    assertThat(JsonPlace.of("a.b").value(JsonObject.of("a", JsonObject.of("b", 7)))).isEqualTo(7L);
  }
}
