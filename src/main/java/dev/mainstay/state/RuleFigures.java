package dev.mainstay.state;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Variables;
import dev.mainstay.rules.Figure;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the conditions of adaptation rules are asked about. */
final class RuleFigures {
  private static final List<String> NUMBERS =
      List.of(
          "cost",
          "budget",
          "time",
          "max_time",
          "file_operations",
          "max_file_operations",
          "web_requests",
          "max_web_requests",
          "consecutive_failures",
          "failures",
          "steps_total",
          "steps_completed",
          "current_step");

  private static final List<String> TEXTS =
      List.of(
          "feedback",
          "user_sentiment",
          "priority",
          "human_review_trigger_level",
          "active_persona",
          "error_tolerance",
          "mode",
          "status",
          "task_type");

  static final Map<String, Figure> KINDS = kinds();

  private RuleFigures() {}

  private static Map<String, Figure> kinds() {
    Map<String, Figure> kinds = new HashMap<>();
    NUMBERS.forEach(name -> kinds.put(name, Figure.NUMBER));
    TEXTS.forEach(name -> kinds.put(name, Figure.TEXT));
    return Map.copyOf(kinds);
  }

  /** The figures as they are now; feedback is what a person said just now, or empty. */
  static Map<String, Object> of(Dossier dossier, String feedback) {
    Execution execution = dossier.execution();
    Settings settings = execution.constraints().settings();
    Spent total = execution.figures().total();
    Plan plan = dossier.state().plan();
    ExecutionType type = execution.head().identity().type();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("cost", total.cost());
    values.put("budget", settings.number(Setting.MAX_COST_PER_TASK));
    values.put("time", total.time());
    values.put("max_time", settings.number(Setting.MAX_EXECUTION_TIME));
    values.put("file_operations", total.fileOperations());
    values.put("max_file_operations", settings.number(Setting.MAX_FILE_OPERATIONS));
    values.put("web_requests", total.webRequests());
    values.put("max_web_requests", settings.number(Setting.MAX_WEB_REQUESTS));
    values.put("consecutive_failures", execution.figures().consecutiveFailures());
    values.put("failures", execution.figures().failures());
    values.put("steps_total", plan.steps().size());
    values.put(
        "steps_completed",
        plan.steps().stream().filter(step -> step.status() == StepStatus.DONE).count());
    values.put("current_step", Variables.currentStep(plan));
    values.put("feedback", feedback);
    for (Setting modifier : Setting.MODIFIERS) {
      if (modifier.kind() == Setting.Kind.CHOICE) {
        values.put(modifier.key(), settings.text(modifier));
      }
    }
    values.put("mode", execution.head().identity().mode().name());
    values.put("status", execution.status().name());
    values.put("task_type", type == null ? "" : type.typed());
    return values;
  }
}
