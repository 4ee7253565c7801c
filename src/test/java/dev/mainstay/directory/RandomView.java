package dev.mainstay.directory;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Constraints;
import dev.mainstay.domain.Directives;
import dev.mainstay.domain.Directives.Directive;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Pages;
import dev.mainstay.domain.Passage;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Plan.Step;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunEvent;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepDetails;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.Variables;
import dev.mainstay.state.Executions.View;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Executions as they come about in a long and odd life, with texts that nobody should write. */
final class RandomView {
  private final Random random;
  private final RandomItems odd;
  private final Instant at;

  RandomView(Random random) {
    this.random = random;
    this.odd = new RandomItems(random);
    this.at = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000), 1_000L * 7);
  }

  View view() {
    Origin origin = new Origin(Actor.person("ada"), "test", at);
    Dossier dossier = Dossier.EMPTY;
    dossier = dossier.after(new RunEvent.Started(body(), List.of()), origin);
    dossier = dossier.after(new TaskStateEvent.PlanSet(plan()), origin);
    for (int i = random.nextInt(4); i > 0; i--) {
      Integer steps = odd.chance(30) ? (Integer) (1 + random.nextInt(5)) : null;
      dossier =
          dossier.after(
              new TaskStateEvent.DirectiveRecorded(
                  valid(text -> new Directive(text, false, origin).text()), odd.chance(30), steps),
              origin);
    }
    boolean simulation = odd.chance(20);
    Identity identity =
        new Identity(
            "exec_20260131T120000Z_" + new UUID(random.nextLong(), random.nextLong()),
            simulation ? ExecutionMode.SIMULATION : ExecutionMode.EXECUTION,
            odd.chance(50) ? ExecutionType.values()[random.nextInt(4)] : null,
            at);
    dossier = dossier.after(new ExecutionEvent.Begun(identity, constraints(), pages()), origin);
    List<StepRecord> history = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) history.add(record(simulation));
    for (StepRecord record : history) {
      dossier = dossier.after(new ExecutionEvent.StepRecorded(record), origin);
    }
    Spent seen = new Spent(BigDecimal.ZERO, BigDecimal.ZERO, random.nextInt(9), random.nextInt(9));
    dossier = dossier.after(new ExecutionEvent.ToolsSeen(seen, ""), origin);
    ExecutionStatus status = ExecutionStatus.values()[random.nextInt(5)];
    dossier = dossier.after(new ExecutionEvent.StatusChanged(status, null, false), origin);
    var created = new TaskEvent.Created(Task.Brief.ofWords("x"), null, null, List.of());
    return new View(created.first(TaskId.of(1), at), 7, dossier, history);
  }

  /** A text that the domain accepts, as it accepts it. */
  private <T> T valid(Function<String, T> use) {
    while (true) {
      try {
        return use.apply(odd.text());
      } catch (Refusal | IllegalStateException notLikeThat) {
        continue;
      }
    }
  }

  private String body() {
    return valid(text -> new RunEvent.Started(text.isBlank() ? "x" : text, List.of()).goal());
  }

  private Plan plan() {
    List<Step> steps = new ArrayList<>();
    boolean active = odd.chance(50);
    for (int i = random.nextInt(5); i > 0; i--) {
      StepStatus status = StepStatus.values()[random.nextInt(5)];
      if (status == StepStatus.ACTIVE && !active) status = StepStatus.TODO;
      if (status == StepStatus.ACTIVE) active = false;
      StepStatus is = status;
      String note = odd.chance(40) ? valid(text -> new Step("x", is, text).note()) : null;
      if (odd.chance(10)) note = List.of("skipped", "skipped: x", "done: x").get(random.nextInt(3));
      String label = valid(text -> Step.todo(text).label());
      steps.add(new Step(label, status, note, details()));
    }
    return new Plan(steps);
  }

  private StepDetails details() {
    if (odd.chance(20)) return StepDetails.NONE;
    String component = valid(text -> with(text, "").component());
    String tool = valid(text -> with(text, "").component());
    String effects = valid(text -> with("", text).outlook().sideEffects());
    Outlook outlook = new Outlook(amount(), amount(), effects);
    return new StepDetails(component, tool, params(), params(), outlook);
  }

  private static StepDetails with(String component, String effects) {
    return new StepDetails(component, "", List.of(), List.of(), new Outlook(null, null, effects));
  }

  private @Nullable BigDecimal amount() {
    return odd.chance(30) ? null : BigDecimal.valueOf(random.nextInt(100_000), random.nextInt(5));
  }

  private List<Param> params() {
    List<Param> params = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      names.add(valid(text -> new Param(text, "").name()));
    }
    for (String name : names) params.add(valid(text -> new Param(name, value(text))));
    return params;
  }

  /** Normalised as files give it back: numbers have one form, and null is an empty text. */
  private Object value(String text) {
    Object value = odd.chance(50) ? text : Items.plain(odd.value(0));
    if (value == Items.NULL) return "";
    new Param("x", value instanceof String body ? body : "");
    checkTexts(value);
    return value;
  }

  private static void checkTexts(@Nullable Object value) {
    if (value instanceof String text) new Param("x", text);
    if (value instanceof List<?> items) items.forEach(RandomView::checkTexts);
    if (value instanceof JsonObject object) {
      object.asMap().keySet().forEach(RandomView::checkTexts);
      object.asMap().values().forEach(RandomView::checkTexts);
    }
  }

  private Constraints constraints() {
    Map<Setting, Object> settings = new EnumMap<>(Setting.class);
    settings.put(Setting.MAX_COST_PER_TASK, BigDecimal.valueOf(random.nextInt(1000), 2));
    settings.put(Setting.MAX_EXECUTION_TIME, BigDecimal.valueOf(random.nextInt(1000)));
    settings.put(Setting.MAX_WEB_REQUESTS, (long) random.nextInt(100));
    settings.put(Setting.PRIORITY, List.of("quality", "cost_efficiency").get(random.nextInt(2)));
    settings.put(
        Setting.PREFERRED_TOOLS,
        odd.chance(50) ? List.of() : List.of("Read", valid(t -> tool(t)), "x"));
    Set<String> rules = new LinkedHashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      rules.add(
          valid(t -> new Constraints(Settings.INITIAL, List.of(t), List.of()).rules().get(0)));
    }
    Map<String, Behaviour> behaviours = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      Behaviour behaviour = valid(name -> new Behaviour(name, odd.text()));
      behaviours.put(behaviour.name(), behaviour);
    }
    return new Constraints(
        new Settings(settings), List.copyOf(rules), List.copyOf(behaviours.values()));
  }

  private static String tool(String text) {
    return Setting.PREFERRED_TOOLS.value(List.of(text)) instanceof List<?> tools
        ? "" + tools.get(0)
        : text;
  }

  private Pages pages() {
    Map<String, Object> variables = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = odd.text();
      Object value = Items.plain(odd.value(0));
      try {
        checkTexts(name);
        checkTexts(value);
      } catch (Refusal notLikeThat) {
        continue;
      }
      if (!Variables.OWN.contains(name)) variables.put(name, value == Items.NULL ? "" : value);
    }
    return new Pages(JsonObject.copyOf(variables), passages(), Map.of());
  }

  /** The passages of a text, as any text has them. */
  private List<Passage> passages() {
    String text = valid(t -> new Passage("", t).body()).replace("\uFEFF", "");
    Items items = Page.read(PageName.CONTEXT, "# Execution Context: x\n" + text + "\n").items();
    return PassageItems.list(items);
  }

  private StepRecord record(boolean simulated) {
    Map<Field, String> texts = new EnumMap<>(Field.class);
    for (Field field : Field.values()) {
      if (odd.chance(50)) texts.put(field, valid(t -> new Passage("", t).body()));
    }
    Spent spent = new Spent(orZero(amount()), orZero(amount()), 0, 0);
    return new StepRecord(1 + random.nextInt(100), at, simulated, spent, texts);
  }

  private static BigDecimal orZero(@Nullable BigDecimal amount) {
    return amount == null ? BigDecimal.ZERO : amount;
  }

  /** The orders as a file shows them: words, whether they bind, and how long. */
  static List<String> orders(Directives directives) {
    return directives.items().stream()
        .map(order -> order.text() + "|" + order.binding() + "|" + order.stepsLeft())
        .toList();
  }

  /** What an execution is and has used up, as far as the files say it. */
  static String facts(Execution execution) {
    return execution.head().identity() + " " + execution.status() + " " + execution.figures();
  }
}
