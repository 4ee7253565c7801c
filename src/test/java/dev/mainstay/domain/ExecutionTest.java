package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.ConstraintEvent.Proposed;
import dev.mainstay.domain.ConstraintEvent.Settled;
import dev.mainstay.domain.Execution.Figures;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.ExecutionEvent.StatusChanged;
import dev.mainstay.domain.ExecutionEvent.StepRecorded;
import dev.mainstay.domain.ExecutionEvent.StepStarted;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal.Kind;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExecutionTest {
  private static final Spent SOME = new Spent(new BigDecimal("0.2"), BigDecimal.TEN, 1, 2);
  private static final Step STEP = Step.todo("write");

  private static Execution begun(ExecutionMode mode) {
    var identity = new Identity("exec_20260301T120000Z_a", mode, null, NOON);
    return after(
        Execution.NONE,
        new ExecutionEvent.Begun(identity, Execution.NONE.constraints(), Pages.EMPTY));
  }

  private static Execution after(Execution before, ExecutionEvent... events) {
    Execution after = before;
    for (ExecutionEvent event : events) after = event.applyTo(after, by(CODER));
    return after;
  }

  private static Execution proposed() {
    return after(
        begun(ExecutionMode.EXECUTION),
        new Proposed(1, Kind.STEP, "write", STEP.approval()),
        new Proposed(3, Kind.SETTING, "max_cost_per_task", "20"));
  }

  private static StepRecorded record(int step, boolean failed) {
    Map<StepRecord.Field, String> texts =
        failed ? Map.of(StepRecord.Field.ERRORS, "no rights") : Map.of();
    return new StepRecorded(new StepRecord(step, NOON, false, SOME, texts));
  }

  @Test
  void an_execution_is_live_from_its_begin_to_its_end() {
    assertThat(Execution.NONE.isBegun()).isFalse();
    assertThat(Execution.NONE.isLive()).isFalse();
    Execution begun = begun(ExecutionMode.EXECUTION);
    assertThat(begun.isBegun()).isTrue();
    assertThat(begun.isLive()).isTrue();
    Execution ended =
        after(begun, new StatusChanged(ExecutionStatus.COMPLETED_FAILURE, "no", false));
    assertThat(ended.isBegun()).isTrue();
    assertThat(ended.isLive()).isFalse();
    assertThat(ended.id()).isEqualTo("exec_20260301T120000Z_a");
    assertThat(begun.head().identity().isSimulation()).isFalse();
    assertThat(begun(ExecutionMode.SIMULATION).head().identity().isSimulation()).isTrue();
  }

  @Test
  void a_reason_is_kept_only_for_a_review_and_only_an_end_ends_the_step_under_way() {
    Execution running =
        after(begun(ExecutionMode.EXECUTION), new StepStarted(1, "write", JsonObject.EMPTY));
    Execution paused = after(running, new StatusChanged(ExecutionStatus.PAUSED, "too dear", true));
    assertThat(paused.head().reviewFor()).isEqualTo("too dear");
    assertThat(paused.head().running()).isEqualTo(running.head().running()).isNotNull();
    Execution simply = after(running, new StatusChanged(ExecutionStatus.PAUSED, "lunch", false));
    assertThat(simply.head().reviewFor()).isNull();
    assertThat(simply.status()).isEqualTo(ExecutionStatus.PAUSED);
  }

  @Test
  void records_are_counted_and_failures_in_a_row_end_with_a_success() {
    Execution twice = after(begun(ExecutionMode.EXECUTION), record(1, true), record(1, true));
    assertThat(twice.figures()).isEqualTo(new Figures(SOME.plus(SOME), 2, 2, 2));
    Figures mended = after(twice, record(1, false)).figures();
    assertThat(mended).isEqualTo(new Figures(SOME.plus(SOME).plus(SOME), 3, 2, 0));
    assertThat(after(twice, record(1, false), record(2, true)).figures().consecutiveFailures())
        .isEqualTo(1);
  }

  @Test
  void a_record_ends_the_step_it_is_about_and_no_other() {
    Execution running =
        after(begun(ExecutionMode.EXECUTION), new StepStarted(2, "write", JsonObject.EMPTY));
    assertThat(after(running, record(1, false)).head().running()).isNotNull();
    assertThat(after(running, record(2, false)).head().running()).isNull();
    assertThat(after(begun(ExecutionMode.EXECUTION), record(2, false)).head().running()).isNull();
  }

  @Test
  void what_a_person_must_decide_is_found_by_its_number_or_by_what_it_asks_for() {
    Execution open = proposed();
    assertThat(open.proposal(3).what()).isEqualTo("max_cost_per_task");
    assertThat(open.proposal(1).kind()).isEqualTo(Kind.STEP);
    assertThatThrownBy(() -> open.proposal(2))
        .isInstanceOf(Refusal.class)
        .hasMessage("there is no open proposal 2; open are [1, 3]");
    assertThatThrownBy(() -> Execution.NONE.proposal(1)).hasMessage("no proposal is open");
    Optional<Proposal> same = open.review().find(Kind.SETTING, "max_cost_per_task", "20");
    assertThat(same).contains(open.proposal(3));
    assertThat(open.review().find(Kind.SETTING, "max_cost_per_task", "21")).isEmpty();
    assertThat(open.review().find(Kind.SETTING, "max_time_per_task", "20")).isEmpty();
    assertThat(open.review().find(Kind.RULE, "max_cost_per_task", "20")).isEmpty();
  }

  @Test
  void a_proposal_that_was_settled_is_gone_and_only_an_accepted_step_is_approved() {
    Execution open = proposed();
    Execution accepted = after(open, new Settled(1, true));
    assertThat(accepted.review().open()).containsExactly(open.proposal(3));
    assertThat(accepted.review().approved()).containsExactly(STEP.approval());
    assertThat(after(open, new Settled(1, false)).review().approved()).isEmpty();
    Execution setting = after(open, new Settled(3, true));
    assertThat(setting.review().approved()).isEmpty();
    assertThat(setting.review().open()).containsExactly(open.proposal(1));
    Execution started = after(accepted, new StepStarted(1, "write", JsonObject.EMPTY));
    assertThat(started.review().approved()).as("it holds for one start").isEmpty();
    Execution other = after(accepted, new StepStarted(2, "rite", JsonObject.EMPTY));
    assertThat(other.review().approved()).containsExactly(STEP.approval());
  }

  @Test
  void a_proposal_is_shown_in_one_line() {
    assertThat(proposed().proposal(3).shown(Execution.NONE))
        .isEqualTo(
            "max_cost_per_task: "
                + Setting.MAX_COST_PER_TASK.shown(Setting.MAX_COST_PER_TASK.initial())
                + " to $20.00");
    assertThat(new Proposal(1, Kind.STEP, "write", "", by(ADA)).shown(Execution.NONE))
        .isEqualTo("start step \"write\"");
    assertThat(new Proposal(1, Kind.RULE, "If x", "", by(ADA)).shown(Execution.NONE))
        .isEqualTo("drop the rule \"If x\"");
    assertThat(new Proposal(1, Kind.LIFT, "be brief", "", by(ADA)).shown(Execution.NONE))
        .isEqualTo("lift the directive \"be brief\"");
  }

  @Test
  void constraints_go_no_further_than_those_of_others() {
    Constraints initial = Execution.NONE.constraints();
    Constraints loose =
        initial
            .with(Setting.MAX_COST_PER_TASK, "1000000")
            .with(Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low")
            .withRules(List.of("mine"));
    Constraints strict = loose.noLooserThan(initial);
    assertThat(strict.settings().get(Setting.MAX_COST_PER_TASK))
        .isEqualTo(initial.settings().get(Setting.MAX_COST_PER_TASK));
    assertThat(strict.settings().get(Setting.HUMAN_REVIEW_TRIGGER_LEVEL)).isEqualTo("low");
    assertThat(strict.rules()).containsExactly("mine");
    assertThat(initial.noLooserThan(loose).settings().get(Setting.MAX_COST_PER_TASK))
        .isEqualTo(initial.settings().get(Setting.MAX_COST_PER_TASK));
    Execution execution = Execution.NONE.with(loose);
    assertThat(execution.setting(Setting.HUMAN_REVIEW_TRIGGER_LEVEL)).isEqualTo("low");
  }

  @Test
  void a_behaviour_is_found_by_its_name_and_there_are_fifty_of_them_at_most() {
    List<Behaviour> fifty =
        IntStream.range(0, 50).mapToObj(i -> new Behaviour("b" + i, "text " + i)).toList();
    List<String> rules = IntStream.range(0, 50).mapToObj(i -> "rule " + i).toList();
    Constraints full = new Constraints(Settings.INITIAL, rules, fifty);
    assertThat(full.behaviour("b7")).contains(new Behaviour("b7", "text 7"));
    assertThat(full.behaviour("b50")).isEmpty();
    List<Behaviour> more =
        Stream.concat(fifty.stream(), Stream.of(new Behaviour("b50", "x"))).toList();
    assertThatThrownBy(() -> full.withBehaviours(more)).hasMessageContaining("50 behaviours");
    List<String> moreRules = Stream.concat(rules.stream(), Stream.of("one more")).toList();
    assertThatThrownBy(() -> full.withRules(moreRules)).hasMessageContaining("50 adaptation");
    assertThatThrownBy(() -> full.withRules(List.of("a", "a"))).hasMessageContaining("twice");
    assertThatThrownBy(() -> full.withBehaviours(List.of(fifty.get(0), fifty.get(0))))
        .hasMessageContaining("twice");
  }

  @Test
  void context_notes_have_their_limits() {
    String half = "x".repeat(Pages.TEXT_CHARS_MAX / 2);
    var most = List.of(new Passage("", half), new Passage("", half));
    assertThat(new Pages(JsonObject.EMPTY, most, Map.of()).context()).hasSize(2);
    var more = List.of(new Passage("#", half), new Passage("", half));
    assertThatThrownBy(() -> new Pages(JsonObject.EMPTY, more, Map.of()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("1,048,577 characters in 2 passages");
    var many = Collections.nCopies(Pages.PASSAGES_MAX, new Passage("", ""));
    assertThat(new Pages(JsonObject.EMPTY, many, Map.of()).context()).hasSize(10_000);
    var tooMany = Collections.nCopies(Pages.PASSAGES_MAX + 1, new Passage("", ""));
    assertThatThrownBy(() -> new Pages(JsonObject.EMPTY, tooMany, Map.of()))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Pages(JsonObject.EMPTY, List.of(), Map.of("plan.md", "a\0b")))
        .hasMessageContaining("plan.md holds a NUL");
    assertThat(new Passage(" ### Key Findings ##", "").title()).isEqualTo("Key Findings");
  }
}
