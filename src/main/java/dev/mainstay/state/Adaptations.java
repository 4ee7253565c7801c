package dev.mainstay.state;

import dev.mainstay.domain.AdaptationRule;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Limits;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.rules.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What follows from what happened in an execution: a rule acts when its condition begins to hold,
 * and a limit that is passed pauses it. Nothing follows where no execution is under way.
 */
final class Adaptations {
  /** One rule may set off another, but they do not go round in circles. */
  static final int ROUNDS_MAX = 8;

  private Adaptations() {}

  /** The events, and after them those that follow. */
  static List<Event> settled(Dossier before, List<? extends Event> events, Origin origin) {
    List<Event> all = new ArrayList<>(events);
    Dossier now = after(before, events, origin);
    if (events.isEmpty() || !now.execution().isLive()) return all;
    all = new ArrayList<>(Simulation.marked(before, events, origin));
    now = after(before, all, origin);
    List<Event> rules = chain(now, feedback(events), origin);
    all.addAll(rules);
    now = after(now, rules, origin);
    List<Event> pause = limits(now.execution());
    if (pause.isEmpty()) return all;
    all.addAll(pause);
    // The pause is an event, too, and a rule may be about it.
    all.addAll(chain(after(now, pause, origin), "", origin));
    return all;
  }

  /** What the rules do, and what rules do about that. */
  private static List<Event> chain(Dossier now, String feedback, Origin origin) {
    List<Event> all = new ArrayList<>();
    for (int round = 0; round < ROUNDS_MAX; round++) {
      // What was said is heard once; the rounds after it are about what followed.
      List<Event> more = rules(now, round == 0 ? feedback : "", origin);
      all.addAll(more);
      now = after(now, more, origin);
      if (more.stream().noneMatch(ConstraintEvent.Adapted.class::isInstance)) break;
    }
    return all;
  }

  static Dossier after(Dossier dossier, List<? extends Event> events, Origin origin) {
    for (Event event : events) dossier = dossier.after(event, origin);
    return dossier;
  }

  private static String feedback(List<? extends Event> events) {
    String said = "";
    for (Event event : events) {
      if (event instanceof ExecutionEvent.FeedbackGiven given) {
        said = given.positive() ? "positive" : "negative";
      }
    }
    return said;
  }

  /** A rule that cannot be read or asked is left out here; {@link #problems} reports it. */
  private static List<Event> rules(Dossier dossier, String feedback, Origin origin) {
    Execution execution = dossier.execution();
    if (execution.constraints().rules().isEmpty()) return List.of();
    Map<String, Object> heard = RuleFigures.of(dossier, feedback);
    Map<String, Object> silent = RuleFigures.of(dossier, "");
    List<Event> events = new ArrayList<>();
    List<String> standing = new ArrayList<>();
    Dossier now = dossier;
    for (String line : execution.constraints().rules()) {
      try {
        AdaptationRule rule = AdaptationRule.parse(line);
        Condition condition = Condition.compile(rule.expression(), RuleFigures.KINDS);
        boolean stood = execution.review().standing().contains(line);
        if (condition.holds(silent)) standing.add(line);
        if (stood || !condition.holds(heard)) continue;
        List<Event> more = acted(now.execution(), rule, heard);
        now = after(now, more, origin);
        events.addAll(more);
      } catch (Refusal unreadable) {
        continue;
      }
    }
    if (!standing.equals(execution.review().standing())) {
      events.add(new ConstraintEvent.RulesStanding(standing));
    }
    return events;
  }

  /** The rules whose conditions hold, with nobody saying anything. */
  static List<String> standing(Dossier dossier) {
    Map<String, Object> silent = RuleFigures.of(dossier, "");
    return dossier.execution().constraints().rules().stream()
        .filter(line -> problems(line).isEmpty())
        .filter(
            line ->
                Condition.compile(AdaptationRule.parse(line).expression(), RuleFigures.KINDS)
                    .holds(silent))
        .toList();
  }

  /** A rule that would loosen a limit only asks for it, else a rule would be a way around. */
  private static List<Event> acted(
      Execution execution, AdaptationRule rule, Map<String, Object> figures) {
    Setting setting = Setting.of(rule.field());
    Object value = setting.value(rule.value());
    Object now = execution.setting(setting);
    if (now.equals(value)) return List.of();
    if (setting.isLooser(now, value)) {
      return Proposals.ask(execution, Proposal.Kind.SETTING, setting.key(), setting.typed(value));
    }
    JsonObject cause = JsonObject.EMPTY;
    for (var figure : figures.entrySet()) {
      boolean asked =
          Pattern.compile("\\b" + figure.getKey() + "\\b").matcher(rule.expression()).find();
      if (asked) cause = cause.with(figure.getKey(), figure.getValue());
    }
    return List.of(new ConstraintEvent.Adapted(setting, value, rule.text(), cause));
  }

  private static List<Event> limits(Execution execution) {
    if (execution.status() != ExecutionStatus.IN_PROGRESS) return List.of();
    List<String> passed = Limits.passed(execution);
    if (passed.isEmpty()) return List.of();
    String why = String.join("; ", passed);
    return List.of(new ExecutionEvent.StatusChanged(ExecutionStatus.PAUSED, why, true));
  }

  /** What is wrong with a rule, or nothing: its form, its condition, its field, its value. */
  static List<String> problems(String line) {
    try {
      AdaptationRule rule = AdaptationRule.parse(line);
      Condition.compile(rule.expression(), RuleFigures.KINDS);
      Setting.of(rule.field()).value(rule.value());
      return List.of();
    } catch (Refusal unreadable) {
      return List.of(unreadable.sentence());
    }
  }
}
