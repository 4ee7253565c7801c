package dev.mainstay.render;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.References;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.Variables;
import dev.mainstay.render.TaskPrompt.Surroundings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a prompt says about the execution of a plan: how to behave, what is known, how far it is.
 */
final class ExecutionText {
  private static final String FINDINGS = "Key Findings";

  /** The sections of the notes, the most telling first; sections of one's own come last. */
  private static final List<String> SECTIONS =
      List.of(
          FINDINGS,
          "Current Understanding",
          "Decision Rationale",
          "Document Analysis Results",
          "Web Content Summaries",
          "Knowledge Accumulation");

  private ExecutionText() {}

  /** What seldom changes; nothing where no execution is under way. */
  static Surroundings surroundings(Dossier dossier) {
    Execution execution = dossier.execution();
    if (!execution.isLive()) return Surroundings.NONE;
    Settings settings = execution.constraints().settings();
    List<String> modifiers = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      if (setting == Setting.ACTIVE_PERSONA) continue;
      modifiers.add(setting.key() + ": " + setting.shown(settings.get(setting)));
    }
    var type = execution.head().identity().type();
    if (type != null) {
      execution
          .constraints()
          .behaviour(type.behaviour())
          .ifPresent(
              behaviour ->
                  modifiers.add(behaviour.name() + ": " + resolved(dossier, behaviour.text())));
    }
    return new Surroundings(
        List.of(settings.text(Setting.ACTIVE_PERSONA)),
        modifiers,
        variables("", execution.pages().variables()),
        findings(dossier));
  }

  private static List<String> variables(String path, JsonObject object) {
    List<String> lines = new ArrayList<>();
    object
        .asMap()
        .forEach(
            (name, value) -> {
              String here = path.isEmpty() ? name : path + "." + name;
              if (value instanceof JsonObject child) lines.addAll(variables(here, child));
              else if (!isEmpty(value)) lines.add(here + " = " + shown(value));
            });
    return lines;
  }

  private static String shown(@Nullable Object value) {
    return value instanceof String text ? text : CompactJson.of(value);
  }

  private static boolean isEmpty(@Nullable Object value) {
    return value == null || "".equals(value) || value instanceof List<?> items && items.isEmpty();
  }

  /**
   * The lines of the notes, with the title of their section unless they are key findings. The words
   * of the template are left out.
   */
  private static List<String> findings(Dossier dossier) {
    List<Passage> passages = new ArrayList<>(dossier.execution().pages().context());
    passages.sort(Comparator.comparingInt(passage -> rank(passage.title())));
    List<String> found = new ArrayList<>();
    for (Passage passage : passages) {
      String title = passage.title();
      if (title.isEmpty()) continue; // what stands before the first section introduces the file
      String label = title.equals(FINDINGS) ? "" : title + ": ";
      for (String line : resolved(dossier, passage.body()).split("\\R")) {
        String text = line.strip().replaceFirst("^[-*+]\\s+", "");
        boolean template = text.startsWith("[") && text.endsWith("]");
        if (!text.isEmpty() && !template) found.add(label + text);
      }
    }
    return found;
  }

  private static int rank(String title) {
    int rank = SECTIONS.indexOf(title);
    return rank < 0 ? SECTIONS.size() : rank;
  }

  /**
   * The task's state with the references to variables in directives and steps resolved, for a
   * reader. A binding directive keeps the person's words, followed by the values: a variable is set
   * by agents and must not change them.
   */
  static TaskState resolved(Dossier dossier) {
    TaskState state = dossier.state();
    if (!dossier.execution().isLive()) return state;
    var directives =
        state.directives().items().stream().map(each -> resolved(dossier, each)).toList();
    var steps = state.plan().steps().stream().map(step -> resolved(dossier, step)).toList();
    if (directives.equals(state.directives().items()) && steps.equals(state.plan().steps())) {
      return state;
    }
    boolean distinct =
        directives.stream().map(Directive::text).distinct().count() == directives.size();
    Directives orders =
        distinct ? new Directives(directives, state.directives().dropped()) : state.directives();
    return new TaskState(state.run(), new Plan(steps), state.work(), orders, state.trail());
  }

  private static Step resolved(Dossier dossier, Step step) {
    if (!step.label().contains("{{")) return step;
    String label = Graphemes.cut(line(resolved(dossier, step.label())), Plan.LABEL_CHARS_MAX);
    return label.isBlank() ? step : new Step(label, step.status(), step.note(), step.details());
  }

  private static Directive resolved(Dossier dossier, Directive directive) {
    if (!directive.text().contains("{{")) return directive;
    String text =
        directive.binding()
            ? directive.text() + values(dossier, directive.text())
            : line(resolved(dossier, directive.text()));
    if (text.isBlank() || text.length() > Directives.DIRECTIVE_CHARS_MAX) return directive;
    return directive.with(text);
  }

  /** What the references stand for: {@code [file_paths.temp_dir = workspace/temp/]}. */
  private static String values(Dossier dossier, String text) {
    List<String> values = new ArrayList<>();
    for (String name : References.names(text)) {
      String reference = "{{" + name + "}}";
      String value = line(resolved(dossier, reference));
      if (!value.equals(reference)) values.add(name + " = " + value);
    }
    return values.isEmpty() ? "" : " [" + String.join(", ", values) + "]";
  }

  private static String line(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ").strip();
  }

  /** References are replaced by their values; where that cannot be done, the words stand. */
  private static String resolved(Dossier dossier, String text) {
    try {
      return String.valueOf(References.resolve(text, Variables.all(dossier, List.of())));
    } catch (Refusal unresolved) {
      return text;
    }
  }

  /** How far it is, what it has used up, and what a person is asked. */
  static List<String> standing(Dossier dossier) {
    Execution execution = dossier.execution();
    if (!execution.isLive()) return List.of();
    Spent total = execution.figures().total();
    Settings settings = execution.constraints().settings();
    List<String> lines = new ArrayList<>();
    String simulated = execution.head().identity().isSimulation() ? " (SIMULATION)" : "";
    lines.add(
        Phrase.of(
            "%s%s: $%s of $%s, %s of %s seconds, %d of %s file operations, %d of %s web requests",
            execution.status(),
            simulated,
            Amount.plain(total.cost()),
            Amount.plain(settings.number(Setting.MAX_COST_PER_TASK)),
            total.time().toPlainString(),
            settings.text(Setting.MAX_EXECUTION_TIME),
            total.fileOperations(),
            settings.text(Setting.MAX_FILE_OPERATIONS),
            total.webRequests(),
            settings.text(Setting.MAX_WEB_REQUESTS)));
    String review = execution.head().reviewFor();
    if (review != null) lines.add("waits for a person's review: " + Neutral.line(review));
    for (Proposal proposal : execution.review().open()) {
      lines.add("waits for a person's decision: " + Neutral.line(proposal.shown(execution)));
    }
    return lines;
  }
}
