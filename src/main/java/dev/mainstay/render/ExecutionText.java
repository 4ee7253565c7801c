package dev.mainstay.render;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.References;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.Variables;
import dev.mainstay.render.TaskPrompt.Surroundings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a prompt says about the execution of a plan: how to behave, what is known, how far it is.
 */
final class ExecutionText {
  private static final String FINDINGS = "Key Findings";

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
          .ifPresent(behaviour -> modifiers.add(behaviour.name() + ": " + behaviour.text()));
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

  /** The lines under the heading; what the template says there is nobody's finding. */
  private static List<String> findings(Dossier dossier) {
    List<String> found = new ArrayList<>();
    for (Passage passage : dossier.execution().pages().context()) {
      if (!passage.title().equals(FINDINGS)) continue;
      for (String line : resolved(dossier, passage.body()).split("\\R")) {
        String text = line.strip().replaceFirst("^[-*+]\\s+", "");
        boolean template = text.startsWith("[") && text.endsWith("]");
        if (!text.isEmpty() && !template) found.add(text);
      }
    }
    return found;
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
