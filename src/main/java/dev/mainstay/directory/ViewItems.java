package dev.mainstay.directory;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Constraints;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepDetails.Param;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.Variables;
import dev.mainstay.state.Executions.View;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the five files are to say about an execution. */
final class ViewItems {
  private final Items.Builder items = Items.builder();

  private ViewItems() {}

  static Items of(View view, List<String> transitions) {
    ViewItems shown = new ViewItems();
    shown.plan(view);
    shown.context(view.execution().pages().context());
    VariableItems.put(shown.items, Variables.all(view.dossier(), costs(view.history())));
    shown.history(view, transitions);
    shown.constraints(view);
    return shown.items.build();
  }

  private static List<BigDecimal> costs(List<StepRecord> history) {
    return history.stream().map(record -> record.spent().cost()).toList();
  }

  private void plan(View view) {
    Execution execution = view.execution();
    Execution.Identity identity = execution.head().identity();
    Plan plan = view.dossier().state().plan();
    items.put("meta/execution_id", identity.id());
    items.put("meta/goal", view.dossier().state().run().goal());
    items.put("meta/status", execution.status().name());
    items.put("meta/current_step", (long) Variables.currentStep(plan));
    items.put("meta/start_time", Times.write(identity.startedAt()));
    items.put("meta/last_updated", Times.write(execution.head().updatedAt()));
    items.put("meta/mode", identity.mode().name());
    List<String> ids = StepItems.ids(plan);
    items.put("steps", ids);
    for (int place = 0; place < ids.size(); place++) step(ids.get(place), plan.step(place));
  }

  private void step(String id, Step step) {
    String at = "step/" + id + "/";
    StepDetails details = step.details();
    text(at + "component", details.component());
    text(at + "tool_mapping", details.tool());
    text(at + "status", StepItems.word(step.status()));
    text(at + "note", StepItems.note(step));
    params(at + "inputs", details.inputs());
    params(at + "expected_outputs", details.expectedOutputs());
    if (details.outlook().cost() != null)
      items.put(at + "estimated_cost", details.outlook().cost());
    if (details.outlook().time() != null)
      items.put(at + "estimated_time", details.outlook().time());
    text(at + "side_effects", details.outlook().sideEffects());
  }

  private void params(String at, List<Param> params) {
    items.put(at, params.stream().map(Param::name).toList());
    for (Param param : params) items.put(at + "/" + Items.part(param.name()), param.value());
  }

  private void text(String key, @Nullable String text) {
    if (text != null && !text.isEmpty()) items.put(key, text);
  }

  private void context(List<Passage> passages) {
    Map<String, Integer> met = new HashMap<>();
    List<String> ids = new ArrayList<>();
    for (Passage passage : passages) {
      int k = met.merge(passage.heading(), 1, Integer::sum) - 1;
      String id = Items.part(passage.heading()) + "#" + k;
      ids.add(id);
      items.put("passage/" + id, passage.body());
    }
    items.put("passages", ids);
  }

  private void history(View view, List<String> transitions) {
    List<StepRecord> history = view.history();
    items.put("entries", (long) history.size());
    List<StepRecord> fitting = ShownHistory.of(history);
    for (int n = 0; n < fitting.size(); n++) {
      items.put("entry/" + (n + 1), EntryItems.of(fitting.get(n)));
    }
    if (view.execution().head().identity().isSimulation()) return;
    Map<String, Integer> tools = new LinkedHashMap<>();
    for (StepRecord record : history) {
      String tool = record.text(StepRecord.Field.TOOL_USED);
      if (tool != null) tools.merge(tool, 1, Integer::sum);
    }
    Spent total = view.execution().figures().total();
    long failed = history.stream().filter(StepRecord::failed).count();
    items.put(
        "training/conversation_trace", "'mainstay exec export --training' writes what is known");
    String counted = ShownHistory.cut(counted(tools), ShownHistory.TOOLS_CHARS_SHOWN_MAX);
    items.put("training/tool_calls", tools.isEmpty() ? "none" : counted);
    items.put("training/state_transitions", String.join(" -> ", transitions));
    items.put(
        "training/performance_metrics",
        Phrase.of(
            "$%s, %ss, %d of %d steps recorded without errors",
            Amount.plain(total.cost()),
            total.time().toPlainString(),
            history.size() - failed,
            history.size()));
  }

  private static String counted(Map<String, Integer> tools) {
    List<String> words = new ArrayList<>();
    tools.forEach((tool, count) -> words.add(count == 1 ? tool : tool + " x" + count));
    return String.join(", ", words);
  }

  private void constraints(View view) {
    Execution execution = view.execution();
    Constraints constraints = execution.constraints();
    for (Setting setting : Setting.values()) {
      items.put("setting/" + setting.key(), constraints.settings().get(setting));
    }
    List<Directive> orders = view.dossier().state().directives().items();
    items.put("directives", orders.stream().map(Directive::text).toList());
    for (Directive order : orders) {
      JsonObject marks =
          JsonObject.of("binding", order.binds() ? true : null, "steps_left", order.stepsLeft());
      items.put("directive/" + Items.part(order.text()), marks);
    }
    items.put("rules", constraints.rules());
    for (String rule : constraints.rules()) items.put("rule/" + Items.part(rule), true);
    items.put("behaviours", constraints.behaviours().stream().map(Behaviour::name).toList());
    for (Behaviour behaviour : constraints.behaviours()) {
      items.put("behaviour/" + Items.part(behaviour.name()), behaviour.text());
    }
    items.put(
        "proposals", execution.review().open().stream().map(p -> proposal(p, execution)).toList());
  }

  private static String proposal(Proposal proposal, Execution execution) {
    return Phrase.of(
        "%d. %s (asked for by %s, %s)",
        proposal.number(),
        proposal.shown(execution),
        proposal.origin().actor(),
        Times.write(proposal.origin().at()));
  }
}
