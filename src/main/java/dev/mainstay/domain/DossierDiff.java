package dev.mainstay.domain;

import dev.mainstay.domain.Notebook.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What differs between two moments of a dossier, field by field, as texts gone and come. */
public record DossierDiff(Map<String, Change> changes) {
  /** The texts of one field that are only in the first moment, and only in the second. */
  public record Change(List<String> gone, List<String> come) {}

  public static DossierDiff between(Dossier before, Dossier after) {
    Map<String, List<String>> was = fields(before);
    Map<String, List<String>> is = fields(after);
    Map<String, Change> changes = new LinkedHashMap<>();
    is.forEach(
        (field, texts) -> {
          List<String> gone = without(was.getOrDefault(field, List.of()), texts);
          List<String> come = without(texts, was.getOrDefault(field, List.of()));
          if (!gone.isEmpty() || !come.isEmpty()) changes.put(field, new Change(gone, come));
        });
    return new DossierDiff(changes);
  }

  /** Each text of the first as often as the second does not have it. */
  private static List<String> without(List<String> texts, List<String> others) {
    List<String> rest = new ArrayList<>(texts);
    for (String other : others) rest.remove(other);
    return List.copyOf(rest);
  }

  private static Map<String, List<String>> fields(Dossier dossier) {
    TaskState state = dossier.state();
    Map<String, List<String>> fields = new LinkedHashMap<>();
    fields.put("goal", one(state.run().goal()));
    fields.put("criteria", criteria(state.run().criteria()));
    fields.put("phase", List.of(state.run().phase().typed()));
    fields.put("answers", answers(state.run()));
    fields.put("directives", directives(state.directives()));
    fields.put("plan", steps(state.plan()));
    fields.put("progress", one(state.work().progress()));
    fields.put("scratchpad", one(state.work().scratchpad()));
    fields.put("blocked_on", state.work().blockedOn());
    fields.put("preserved_refs", state.work().preservedRefs());
    fields.put("recent_actions", state.trail().actions());
    fields.put("compression_log", compressions(state.trail()));
    for (Section section : Section.values()) {
      fields.put(section.key(), dossier.notebook().texts(section));
    }
    fields.put("evidence", evidence(dossier.observed()));
    fields.put("conflicts", conflicts(dossier.observed()));
    fields.put("execution", execution(dossier.execution()));
    fields.put("constraints", constraints(dossier.execution()));
    fields.put("variables", variables(dossier.execution().pages().variables()));
    fields.put("context", context(dossier.execution().pages()));
    return fields;
  }

  private static List<String> one(String text) {
    return text.isEmpty() ? List.of() : List.of(text);
  }

  private static List<String> criteria(List<Criterion> criteria) {
    return criteria.stream()
        .map(
            criterion ->
                (criterion.met() == null ? "" : "[met] ")
                    + criterion.text()
                    + (criterion.check() == null ? "" : " (check: " + criterion.check() + ")"))
        .toList();
  }

  private static List<String> answers(TaskState.Run run) {
    return run.answers().stream().map(each -> each.to().what() + ": " + each.text()).toList();
  }

  private static List<String> evidence(Observed observed) {
    return observed.evidence().stream()
        .map(e -> e.origin().at() + " " + e.command() + ": exit code " + e.exitCode())
        .toList();
  }

  private static List<String> conflicts(Observed observed) {
    return observed.conflicts().stream().map(c -> c.path() + " with " + c.other()).toList();
  }

  private static List<String> execution(Execution execution) {
    if (!execution.isBegun()) return List.of();
    Spent total = execution.figures().total();
    return List.of(
        Phrase.of("%s is %s", execution.id(), execution.status()),
        Phrase.of(
            "$%s and %s seconds used", Amount.plain(total.cost()), total.time().toPlainString()));
  }

  private static List<String> constraints(Execution execution) {
    if (!execution.isBegun()) return List.of();
    List<String> lines = new ArrayList<>();
    execution
        .constraints()
        .settings()
        .values()
        .forEach((setting, value) -> lines.add(setting.key() + ": " + setting.shown(value)));
    lines.addAll(execution.constraints().rules());
    return lines;
  }

  private static List<String> variables(JsonObject variables) {
    List<String> lines = new ArrayList<>();
    variables.asMap().forEach((name, value) -> lines.add(name + ": " + value));
    return lines;
  }

  private static List<String> context(Pages pages) {
    return pages.context().stream()
        .map(passage -> (passage.heading() + " " + passage.body()).strip())
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private static List<String> directives(Directives directives) {
    return directives.items().stream()
        .map(
            order -> {
              String claim = order.binding() ? "[not confirmed here] " : "";
              return (order.binds() ? "[binding] " : claim) + order.text();
            })
        .toList();
  }

  private static List<String> steps(Plan plan) {
    return plan.steps().stream()
        .map(step -> "[" + step.status().typed() + "] " + step.label())
        .toList();
  }

  private static List<String> compressions(Trail trail) {
    return trail.compressions().stream()
        .map(entry -> entry.at() + " " + entry.action() + ": " + entry.summary())
        .toList();
  }

  public JsonObject toJson() {
    JsonObject json = JsonObject.EMPTY;
    for (var field : changes.entrySet()) {
      Change change = field.getValue();
      json = json.with(field.getKey(), JsonObject.of("gone", change.gone(), "come", change.come()));
    }
    return json;
  }
}
