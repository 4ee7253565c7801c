package dev.mainstay.render;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AttemptEvent;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Head;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.RepeatFuse;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskState.Run;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Trail;
import dev.mainstay.domain.Trail.Compression;
import dev.mainstay.domain.Work;
import dev.mainstay.render.Section.Keep;
import dev.mainstay.render.Section.Style;
import dev.mainstay.render.TaskPrompt.Surroundings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaskPromptTest {
  private static final RepeatFuse FRESH = RepeatFuse.fresh(List.of());
  private static final Budget ROOMY = Budget.characters(100_000);

  private static final String STABLE =
      """
      <task>
      T-001: Add &lt;b>login
      </task>
      <persona>
      a pirate
      </persona>
      <modifiers>
      - be &lt;i>
      </modifiers>
      <goal>
      ship
            it
      </goal>
      <criteria>
      - quick
      - tested
      </criteria>
      <binding_directives>
      - do not push (binding, by person:ada via test)
      </binding_directives>
      <directives>
      - short answers (by agent:coder via test)
      </directives>
      <constraints>
      - a constraints
      </constraints>
      <goals>
      - a goals
      </goals>
      <decisions>
      - a decisions
      </decisions>
      <variables>
      - port = 1
      </variables>
      <findings>
      - it is slow
      </findings>
      <description>
      with
            &lt;b>
      </description>
      """;

  private static final String CHANGING =
      """
      <compressions>
      - snip: old logs (12,000 to 8,000 tokens)
      </compressions>
      <hypotheses>
      - a hypotheses
      </hypotheses>
      <open_issues>
      - a open_issues
      </open_issues>
      <criteria_state>
      [unmet] 1. quick
      [check] 2. tested - exit code 0 of: make test
      </criteria_state>
      <plan>
      [done] 1. design
      [todo] 2. build
      </plan>
      <status>
      FAILED: it ⏎ broke
      </status>
      <history>
      - a history
      </history>
      <execution>
      IN_PROGRESS: $0.00 of $0.50, 0 of 300 seconds, 0 of 20 file operations, 0 of 5 web requests
      </execution>
      <progress>
      half way
      </progress>
      <blocked_on>
      - quota
      </blocked_on>
      <scratchpad>
      x = 1
      </scratchpad>
      <recent_actions>
      - Read
      - Edit
      </recent_actions>
      <evidence>
      - make test: exit code 2 (observed at 2026-03-01T12:00:00.000000Z)
      </evidence>
      <next_focus>
      a next_focus
      </next_focus>
      <conflicts>
      - App.java was changed by T-002, too: read it again before you write it, then run: mainstay repo settle T-001 App.java
      </conflicts>
      <now>
      Just done: Edit
      Next step: [todo] 2. build
      Remember: do not push (binding, by person:ada via test)
      </now>
      """;

  private static Task task() {
    var brief = new Brief("Add <b>login", "with\n<b>", TaskType.CODE, 0, JsonObject.EMPTY);
    return new TaskEvent.Created(brief, null, null, List.of()).first(TaskId.of(1), NOON);
  }

  private static TaskState state() {
    var criteria = List.of(Criterion.of("quick"), new Criterion("tested", "make test", null));
    var orders =
        List.of(
            new Directive("short answers", false, by(CODER)),
            new Directive("do not push", true, by(ADA)));
    var compression = new Compression("snip", "old logs", 12_000, 8_000, NOON);
    return new TaskState(
        new Run("ship\nit", criteria, RunPhase.RUNNING, 1, null),
        new Plan(List.of(new Step("design", StepStatus.DONE, null), Step.todo("build"))),
        new Work("half way", "x = 1", List.of("quota"), List.of()),
        new Directives(orders, 0),
        new Trail(List.of("Read", "Edit"), 0, List.of(compression), 0));
  }

  private static Notebook notebook() {
    Notebook notebook = Notebook.EMPTY;
    for (Notebook.Section section : Notebook.Section.values()) {
      var delta = NotebookDelta.of(section, "a " + section.key());
      notebook = new NotebookEvent.Merged(delta).applyTo(notebook, by(CODER));
    }
    return notebook;
  }

  private static Observed observed() {
    var evidence = new EvidenceSeen("make test", 2, new Tree("w-1", "t"), How.OBSERVED);
    var conflict = new ConflictSeen("App.java", TaskId.of(2), "a", "b");
    return conflict.applyTo(evidence.applyTo(Observed.NONE, by(CODER)), by(CODER));
  }

  private static Execution execution() {
    var none = Execution.NONE;
    var identity = new Identity("exec_1_1", ExecutionMode.EXECUTION, null, NOON);
    var head = new Head(identity, ExecutionStatus.IN_PROGRESS, NOON, null, null);
    return new Execution(head, none.constraints(), none.figures(), none.pages(), none.review());
  }

  private static final Surroundings AROUND =
      new Surroundings(
          List.of("a pirate"), List.of("be <i>"), List.of("port = 1"), List.of("it is slow"));

  private static String prompt(
      Task task, Dossier dossier, Surroundings around, @Nullable Actor reader) {
    var sections = TaskPrompt.sections(task, dossier, around, FRESH, reader);
    return new PromptRenderer("mainstay dump T-001").render(sections, ROOMY).text();
  }

  @Test
  void everything_that_is_known_stands_in_its_place() {
    var dossier = new Dossier(notebook(), state(), observed(), execution());
    Task failed = new AttemptEvent.Failed("it\nbroke", null).applyTo(task(), NOON);

    assertThat(prompt(failed, dossier, AROUND, CODER)).isEqualTo(STABLE + CHANGING);
  }

  @Test
  void a_task_of_which_nothing_is_known_yet_is_its_title_and_description() {
    assertThat(prompt(task(), Dossier.EMPTY, Surroundings.NONE, null))
        .isEqualTo(
            """
            <task>
            T-001: Add &lt;b>login
            </task>
            <description>
            with
                  &lt;b>
            </description>
            """);
  }

  @Test
  void a_note_names_its_author_to_everybody_else() {
    var dossier = new Dossier(notebook(), TaskState.NONE, Observed.NONE, Execution.NONE);
    String note = "<goals>\n- a goals (by agent:coder)\n</goals>";

    assertThat(prompt(task(), dossier, AROUND, ADA)).contains(note);
    assertThat(prompt(task(), dossier, AROUND, null)).contains(note);
    assertThat(prompt(task(), dossier, AROUND, CODER)).contains("<goals>\n- a goals\n</goals>");
  }

  @Test
  void an_execution_gives_the_surroundings_unless_somebody_else_does() {
    var dossier = new Dossier(Notebook.EMPTY, TaskState.NONE, Observed.NONE, execution());

    assertThat(prompt(task(), dossier, Surroundings.NONE, null))
        .contains("<persona>\nconcise_assistant\n</persona>", "- max_web_requests: 5\n");
    assertThat(prompt(task(), dossier, AROUND, null))
        .contains("<persona>\na pirate\n</persona>")
        .doesNotContain("max_web_requests:");
  }

  @Test
  void why_a_task_ended_or_was_given_back_is_said() {
    Task cancelled = new TaskEvent.Cancelled("not wanted", null).applyTo(task(), NOON);
    Task given = new TaskEvent.Held("ada", 1, NOON).applyTo(task(), NOON);
    Task back = new TaskEvent.Released("too hard").applyTo(given, NOON);

    assertThat(status(cancelled)).isEqualTo("<status>\nCANCELLED: not wanted\n</status>\n");
    assertThat(status(back)).isEqualTo("<status>\nPENDING: too hard\n</status>\n");
    assertThat(status(given)).isEmpty();
    assertThat(status(new TaskEvent.Completed(JsonObject.EMPTY).applyTo(given, NOON))).isEmpty();
  }

  private static String status(Task task) {
    String prompt = prompt(task, Dossier.EMPTY, Surroundings.NONE, null);
    int from = prompt.indexOf("<status>");
    return from < 0 ? "" : prompt.substring(from);
  }

  @Test
  void an_agent_that_repeats_itself_is_told_at_the_end() {
    RepeatFuse fuse = FRESH.after("read", "a", "r").after("read", "a", "r");
    var sections = TaskPrompt.sections(task(), Dossier.EMPTY, Surroundings.NONE, fuse, null);
    Section last = sections.get(sections.size() - 1);

    assertThat(last.name()).isEqualTo("now");
    assertThat(last.items())
        .containsExactly(
            "STOP: read was called 2 times in a row with the same arguments and the same result;"
                + " do something else, or say what blocks you.");
  }

  /** Which one gives way first where not all fit, and of which lists the oldest entries do. */
  @Test
  void what_counts_most_gives_way_last() {
    List<String> ranks = new ArrayList<>();
    for (Section each : TaskPrompt.sections(task(), Dossier.EMPTY, AROUND, FRESH, null)) {
      String keep = each.body().keep() == Keep.LAST ? " newest" : "";
      ranks.add(each.name() + " " + each.priority() + keep);
    }

    assertThat(ranks)
        .containsExactly(
            "task 100",
            "persona 86",
            "modifiers 85",
            "goal 99",
            "criteria 96",
            "binding_directives 98 newest",
            "directives 88 newest",
            "constraints 90",
            "goals 80",
            "decisions 70 newest",
            "variables 60",
            "findings 50",
            "description 40",
            "compressions 30 newest",
            "hypotheses 80",
            "open_issues 85",
            "criteria_state 89",
            "plan 95",
            "status 94",
            "answers 96 newest",
            "history 70 newest",
            "execution 94",
            "progress 92",
            "blocked_on 93",
            "scratchpad 60",
            "recent_actions 65 newest",
            "evidence 66 newest",
            "next_focus 91",
            "conflicts 97 newest",
            "now 99");
  }

  @Test
  void what_seldom_changes_comes_before_what_changes_from_turn_to_turn() {
    var sections = TaskPrompt.sections(task(), Dossier.EMPTY, AROUND, FRESH, null);

    assertThat(sections.stream().filter(Section::isStable).map(Section::name))
        .hasSize(13)
        .startsWith("task")
        .endsWith("description");
    assertThat(sections.subList(0, 13)).allMatch(Section::isStable);
    assertThat(sections.stream().filter(each -> each.body().style() == Style.BULLETS))
        .extracting(Section::name)
        .containsExactly(
            "modifiers",
            "criteria",
            "binding_directives",
            "directives",
            "variables",
            "findings",
            "blocked_on",
            "recent_actions");
  }
}
