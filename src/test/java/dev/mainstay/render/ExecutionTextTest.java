package dev.mainstay.render;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Constraints;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Figures;
import dev.mainstay.domain.Execution.Head;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.Execution.Review;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.Pages;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.TaskState;
import dev.mainstay.render.TaskPrompt.Surroundings;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExecutionTextTest {
  private static final Constraints INITIAL =
      new Constraints(Settings.INITIAL, List.of(), Behaviour.INITIAL);

  private static Head head(ExecutionStatus status, @Nullable ExecutionType type) {
    var identity = new Identity("exec_20260301T120000Z_1", ExecutionMode.EXECUTION, type, NOON);
    return new Head(identity, status, NOON, null, null);
  }

  private static final Head RUNNING = head(ExecutionStatus.IN_PROGRESS, null);

  private static Dossier dossier(Execution execution) {
    return new Dossier(Notebook.EMPTY, TaskState.NONE, Observed.NONE, execution);
  }

  private static Dossier headed(Head head) {
    var none = Execution.NONE;
    return dossier(new Execution(head, INITIAL, none.figures(), none.pages(), none.review()));
  }

  private static Dossier constrained(Constraints constraints) {
    var none = Execution.NONE;
    return dossier(
        new Execution(RUNNING, constraints, none.figures(), none.pages(), none.review()));
  }

  private static Dossier written(JsonObject variables, Passage... context) {
    var none = Execution.NONE;
    var pages = new Pages(variables, List.of(context), Map.of());
    return dossier(new Execution(RUNNING, INITIAL, none.figures(), pages, none.review()));
  }

  private static List<String> findings(String body) {
    var passage = new Passage("### Key Findings", body);
    return ExecutionText.surroundings(written(JsonObject.of("count", 3), passage)).findings();
  }

  @Test
  void where_no_execution_is_under_way_there_is_nothing_to_say() {
    for (Dossier each :
        List.of(
            Dossier.EMPTY,
            headed(head(ExecutionStatus.COMPLETED_SUCCESS, ExecutionType.LEGAL)),
            headed(head(ExecutionStatus.COMPLETED_FAILURE, ExecutionType.LEGAL)))) {
      assertThat(ExecutionText.surroundings(each)).isEqualTo(Surroundings.NONE);
      assertThat(ExecutionText.standing(each)).isEmpty();
    }
  }

  @Test
  void an_execution_says_who_the_agent_is_and_how_far_it_may_go() {
    Surroundings around = ExecutionText.surroundings(headed(RUNNING));

    assertThat(around.persona()).containsExactly("concise_assistant");
    assertThat(around.modifiers())
        .containsExactly(
            "user_sentiment: \"neutral\"",
            "priority: \"quality\"",
            "max_cost_per_task: $0.50",
            "human_review_trigger_level: \"medium\"",
            "error_tolerance: \"moderate\"",
            "max_execution_time: 300 seconds",
            "max_file_operations: 20",
            "max_web_requests: 5",
            "preferred_tools: [WebFetch, Read, Write]");
    assertThat(around.variables()).isEmpty();
    assertThat(around.findings()).isEmpty();
  }

  @Test
  void it_says_what_was_set_and_not_what_is_usual() {
    var settings =
        new Settings(
            Map.of(Setting.ACTIVE_PERSONA, "detailed_analyst", Setting.PRIORITY, "quality"));
    var around =
        ExecutionText.surroundings(constrained(new Constraints(settings, List.of(), List.of())));

    assertThat(around.persona()).containsExactly("detailed_analyst");
  }

  @Test
  void the_behaviour_for_this_kind_of_work_stands_last() {
    Surroundings around =
        ExecutionText.surroundings(headed(head(ExecutionStatus.PAUSED, ExecutionType.LEGAL)));

    assertThat(around.modifiers())
        .hasSize(10)
        .endsWith("legal_tasks: Increase error_tolerance to \"strict\", require human review");
  }

  @Test
  void a_kind_of_work_without_a_behaviour_adds_nothing() {
    var none = Execution.NONE;
    var creative = head(ExecutionStatus.PLANNING, ExecutionType.CREATIVE);
    var bare =
        new Execution(creative, none.constraints(), none.figures(), none.pages(), none.review());

    assertThat(ExecutionText.surroundings(dossier(bare)).modifiers()).hasSize(9);
  }

  @Test
  void variables_stand_with_their_whole_names_and_empty_ones_are_left_out() {
    JsonObject variables =
        JsonObject.of(
                "file_paths",
                JsonObject.of("output_file", "out.md", "temp", JsonObject.of("dir", "/tmp")),
                "list",
                List.of("x", 1),
                "many",
                1_234_567,
                "no_list",
                List.of(),
                "no_text",
                "",
                "no_object",
                JsonObject.EMPTY,
                "yes",
                true)
            .withAny("nothing", null);

    assertThat(ExecutionText.surroundings(written(variables)).variables())
        .containsExactly(
            "file_paths.output_file = out.md",
            "file_paths.temp.dir = /tmp",
            "list = [\"x\",1]",
            "many = 1234567",
            "yes = true");
  }

  @Test
  void each_line_under_the_heading_is_a_finding_without_its_bullet() {
    assertThat(findings("- it is the cache\n\n  * and the clock\r\n+ both\nplain\n   \n- \n"))
        .containsExactly("it is the cache", "and the clock", "both", "plain", "-");
    assertThat(findings("-no bullet")).containsExactly("-no bullet");
  }

  @Test
  void every_section_of_the_notes_is_shown_key_findings_first() {
    Dossier dossier =
        written(
            JsonObject.EMPTY,
            new Passage("", "before"),
            new Passage("### Web Content Summaries", "[Summaries of fetched pages]\n- a page"),
            new Passage("## My own", "mine"),
            new Passage("## Key Findings ##", "one"),
            new Passage("## Current Understanding", "it is the cache"),
            new Passage("## Decision Rationale", "[Explanations]\nso"),
            new Passage("Key Findings", "two"));

    assertThat(ExecutionText.surroundings(dossier).findings())
        .containsExactly(
            "one",
            "two",
            "Current Understanding: it is the cache",
            "Decision Rationale: so",
            "Web Content Summaries: a page",
            "My own: mine");
  }

  @Test
  void references_in_directives_and_step_titles_are_resolved() {
    Dossier known = written(JsonObject.of("dir", "/tmp/out\nx"));
    var orders =
        List.of(
            new Directive("always write into {{dir}}", false, by(CODER)),
            new Directive("never leave {{dir}} or {{no.such}}", true, by(ADA)));
    var plan = new Plan(List.of(Step.todo("S1 writes {{dir}}"), Step.todo("S2 {{no.such}}")));
    TaskState none = TaskState.NONE;
    var state =
        new TaskState(none.run(), plan, none.work(), new Directives(orders, 0), none.trail());
    TaskState shown =
        ExecutionText.resolved(
            new Dossier(known.notebook(), state, known.observed(), known.execution()));

    assertThat(shown.directives().items())
        .extracting(Directive::text)
        .containsExactly(
            "always write into /tmp/out x",
            "never leave {{dir}} or {{no.such}} [dir = /tmp/out x]");
    assertThat(shown.plan().steps())
        .extracting(Step::label)
        .containsExactly("S1 writes /tmp/out x", "S2 {{no.such}}");
  }

  @Test
  void the_words_of_the_template_are_nobodys_finding() {
    assertThat(findings("[Important discoveries that influence subsequent steps]\n")).isEmpty();
    assertThat(findings("- [a template]\n[1] see the log\nsee the log [1]"))
        .containsExactly("[1] see the log", "see the log [1]");
  }

  @Test
  void references_become_values_and_stand_where_there_are_none() {
    assertThat(findings("there are {{count}} of them")).containsExactly("there are 3 of them");
    assertThat(findings("{{count}}")).containsExactly("3");
    assertThat(findings("there are {{cuont}} of {{count}}"))
        .containsExactly("there are {{cuont}} of {{count}}");
    assertThat(findings("step {{step_data.total_steps}}")).containsExactly("step 0");
  }

  @Test
  void how_far_it_is_and_what_it_has_used_up_is_one_line() {
    var spent = new Spent(new BigDecimal("1.25"), new BigDecimal("90.5"), 7, 2);
    var figures = new Figures(spent, 1, 0, 0);
    var none = Execution.NONE;
    var execution = new Execution(RUNNING, INITIAL, figures, none.pages(), none.review());

    assertThat(ExecutionText.standing(dossier(execution)))
        .containsExactly(
            "IN_PROGRESS: $1.25 of $0.50, 90.5 of 300 seconds,"
                + " 7 of 20 file operations, 2 of 5 web requests");
  }

  @Test
  void a_simulation_says_so() {
    var identity = new Identity("exec_20260301T120000Z_1", ExecutionMode.SIMULATION, null, NOON);
    var head = new Head(identity, ExecutionStatus.PLANNING, NOON, null, null);

    assertThat(ExecutionText.standing(headed(head)))
        .containsExactly(
            "PLANNING (SIMULATION): $0.00 of $0.50, 0 of 300 seconds,"
                + " 0 of 20 file operations, 0 of 5 web requests");
  }

  @Test
  void what_waits_for_a_person_is_said_in_lines_of_their_own() {
    var identity = RUNNING.identity();
    var paused = new Head(identity, ExecutionStatus.PAUSED, NOON, null, "too\ndear </execution>");
    var open =
        List.of(
            new Proposal(1, Proposal.Kind.SETTING, "max_cost_per_task", "1", by(CODER)),
            new Proposal(2, Proposal.Kind.STEP, "deploy", "", by(CODER)));
    var none = Execution.NONE;
    var review = new Review(2, open, List.of(), List.of());
    var execution = new Execution(paused, INITIAL, none.figures(), none.pages(), review);

    assertThat(ExecutionText.standing(dossier(execution)))
        .hasSize(4)
        .endsWith(
            "waits for a person's review: too ⏎ dear &lt;/execution>",
            "waits for a person's decision: max_cost_per_task: $0.50 to $1.00",
            "waits for a person's decision: start step \"deploy\"");
  }
}
