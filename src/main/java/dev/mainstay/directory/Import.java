package dev.mainstay.directory;

import dev.mainstay.domain.Behaviour;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.ConstraintEvent;
import dev.mainstay.domain.Constraints;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.ExecutionEvent;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.ExecutionStatus;
import dev.mainstay.domain.ExecutionType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Pages;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.Settings;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.StepExpiry;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState;
import dev.mainstay.domain.TaskStateEvent;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.Variables;
import dev.mainstay.state.ExecutionWriting;
import dev.mainstay.state.Executions;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Once;
import dev.mainstay.store.StateDirectoryTable.Known;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.workspace.SafeFolder;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An execution from its files alone: a new task that knows what they say. */
final class Import {
  private final Items items;
  private final Map<String, String> layouts;

  private Import(Items items, Map<String, String> layouts) {
    this.items = items;
    this.layouts = layouts;
  }

  /** All five files must be readable; the first that is not is refused with its place. */
  static StateDirectory take(Store store, SafeFolder folder, Disk disk, Call call) {
    Items.Builder all = Items.builder();
    Map<String, String> texts = new LinkedHashMap<>();
    for (PageName page : PageName.values()) {
      Disk.File file = disk.get(page);
      Finding fault = file.fault();
      Reading reading = file.reading();
      if (fault != null) throw Refusal.invalid(fault.toString());
      if (reading == null)
        throw Refusal.notFound(page.file() + " is missing; nothing was imported");
      all.putAll(reading.items());
      if (file.text() != null) texts.put(page.file(), file.text());
    }
    Items items = all.build();
    Map<String, String> layouts = new LinkedHashMap<>();
    for (PageName page : PageName.values()) {
      String text = texts.get(page.file());
      if (page == PageName.VARIABLES || text == null) continue;
      String own = Layouts.of(page, items, text);
      if (!own.equals(Layouts.of(page, items, null))) layouts.put(page.file(), own);
    }
    Import taken = new Import(items, layouts);
    String path = folder.path().toString();
    return store.inTransaction(Once.unkeyed(), tx -> taken.into(tx, path, texts, call));
  }

  private StateDirectory into(Tx tx, String folder, Map<String, String> texts, Call call) {
    Identity identity = identity();
    tx.stateDirectories()
        .ofExecution(identity.id())
        .ifPresent(
            known -> {
              throw Refusal.conflict(
                  Phrase.of(
                      "this store has %s already, as %s in %s; 'mainstay exec resume --task %s --dir DIR' shows it elsewhere",
                      identity.id(), known.task(), known.folder(), known.task()));
            });
    String goal = text("meta/goal");
    var created = new TaskEvent.Created(Task.Brief.ofWords(goal), null, null, List.of());
    TaskId task = tx.tasks().create(tx.tasks().nextId(), created, 0, call).id();
    ExecutionWriting.recordAsItWas(tx, task, Stored.NONE, events(call), call);
    StateDirectory directory = new StateDirectory(SafeFolder.host(), folder, task, identity.id());
    tx.stateDirectories().put(directory);
    texts.forEach(
        (name, text) -> tx.stateDirectories().putFile(directory.id(), name, new Known(text, null)));
    return directory;
  }

  /** What happened, as far as the files tell it. */
  static List<Event> events(Items items, Map<String, String> layouts, Call call) {
    return new Import(items, layouts).events(call);
  }

  private List<Event> events(Call call) {
    Identity identity = identity();
    List<Event> events =
        new ArrayList<>(TaskState.NONE.start(text("meta/goal"), List.of(), call.actor()));
    events.add(new TaskStateEvent.PlanSet(StepItems.plan(items)));
    events.addAll(directives(call));
    Constraints said = constraints();
    Constraints first = Executions.constraints(identity.type());
    Constraints kept = call.actor().isPerson() ? said : said.noLooserThan(first);
    events.add(new ExecutionEvent.Begun(identity, kept, pages()));
    events.addAll(history(identity.isSimulation()));
    events.addAll(course());
    events.addAll(asked(said, kept));
    return events;
  }

  /** An agent that brings looser limits along asks for them. */
  private static List<Event> asked(Constraints said, Constraints kept) {
    List<Event> events = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      Object wanted = said.settings().get(setting);
      if (wanted.equals(kept.settings().get(setting))) continue;
      String text = wanted instanceof BigDecimal number ? number.toPlainString() : "" + wanted;
      events.add(
          new ConstraintEvent.Proposed(
              events.size() + 1, Proposal.Kind.SETTING, setting.key(), text));
    }
    return events;
  }

  private Identity identity() {
    String type = items.text("var/execution_metadata/type");
    return new Identity(
        text("meta/execution_id"),
        ExecutionMode.parse(text("meta/mode")),
        type == null ? null : ExecutionType.parse(type),
        time(text("meta/start_time")));
  }

  private static Instant time(String text) {
    try {
      return Times.read(text);
    } catch (DateTimeException | NumberFormatException unreadable) {
      throw Refusal.invalid(
          Phrase.of(
              "plan.md: start_time \"%s\" is no time; write one such as 2026-01-31T12:00:00Z",
              text));
    }
  }

  private String text(String key) {
    String text = items.text(key);
    if (text == null || text.isBlank()) {
      throw Refusal.invalid(PageName.of(key).file() + " does not say " + key.replace("meta/", ""));
    }
    return text;
  }

  /** Only a person who imports makes an order binding again. */
  private List<Event> directives(Call call) {
    List<Event> events = new ArrayList<>();
    for (String text : items.texts("directives")) {
      JsonObject marks =
          items.get("directive/" + Items.part(text)) instanceof JsonObject object
              ? object
              : JsonObject.EMPTY;
      boolean binding = Boolean.TRUE.equals(marks.get("binding")) && call.actor().isPerson();
      Integer left = marks.integerOrNull("steps_left");
      // A line without the mark was not written by Mainstay; its words say how long it holds.
      Integer steps = left == null ? StepExpiry.of(text) : left;
      events.add(new TaskStateEvent.DirectiveRecorded(text, binding, steps));
    }
    return events;
  }

  private Constraints constraints() {
    Map<Setting, Object> settings = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      Object value = items.get("setting/" + setting.key());
      if (value != null) settings.put(setting, setting.value(value));
    }
    List<Behaviour> behaviours = new ArrayList<>();
    for (String name : items.texts("behaviours")) {
      behaviours.add(new Behaviour(name, text("behaviour/" + Items.part(name))));
    }
    return new Constraints(new Settings(settings), items.texts("rules"), behaviours);
  }

  private Pages pages() {
    return new Pages(
        Variables.theirs(VariableItems.object(items)), PassageItems.list(items), layouts);
  }

  /** The entries, and what was counted beyond them. */
  private List<Event> history(boolean simulation) {
    List<Event> events = new ArrayList<>();
    Spent counted = Spent.NOTHING;
    for (long n = 1; items.has("entry/" + n); n++) {
      if (!(items.get("entry/" + n) instanceof JsonObject entry)) continue;
      StepRecord record = EntryItems.record(entry, simulation);
      counted = counted.plus(record.spent());
      events.add(new ExecutionEvent.StepRecorded(record));
    }
    Spent beyond =
        new Spent(
            number("total_cost").subtract(counted.cost()).max(BigDecimal.ZERO),
            number("total_time").subtract(counted.time()).max(BigDecimal.ZERO),
            number("file_operations").longValue(),
            number("web_requests").longValue());
    if (!beyond.isNothing()) {
      events.add(new ExecutionEvent.ToolsSeen(beyond, "counted before the import"));
    }
    return events;
  }

  private BigDecimal number(String figure) {
    Object value = items.get("var/cost_tracking/" + figure);
    boolean number = value instanceof Long || value instanceof BigDecimal;
    return number ? new BigDecimal(String.valueOf(value)).max(BigDecimal.ZERO) : BigDecimal.ZERO;
  }

  /** The way that the history tells, or else the shortest, to the status it has. */
  private List<Event> course() {
    ExecutionStatus status = ExecutionStatus.parse(text("meta/status"));
    List<ExecutionStatus> told = told(status);
    if (!told.isEmpty()) return told.stream().skip(1).map(Import::changed).toList();
    List<ExecutionStatus> way =
        switch (status) {
          case PLANNING -> List.of();
          case IN_PROGRESS -> List.of(ExecutionStatus.IN_PROGRESS);
          case PAUSED -> List.of(ExecutionStatus.IN_PROGRESS, ExecutionStatus.PAUSED);
          case COMPLETED_SUCCESS ->
              List.of(ExecutionStatus.IN_PROGRESS, ExecutionStatus.COMPLETED_SUCCESS);
          case COMPLETED_FAILURE -> List.of(ExecutionStatus.COMPLETED_FAILURE);
        };
    return way.stream().map(Import::changed).toList();
  }

  /** Every status from the first to this one; none if it is not told, or could not have been. */
  private List<ExecutionStatus> told(ExecutionStatus last) {
    String said = items.text("training/state_transitions");
    List<ExecutionStatus> way = new ArrayList<>();
    for (String word : said == null ? new String[0] : said.split(" -> ")) {
      ExecutionStatus next;
      try {
        next = ExecutionStatus.parse(word);
      } catch (Refusal other) {
        return List.of();
      }
      boolean may =
          way.isEmpty()
              ? next == ExecutionStatus.PLANNING
              : way.get(way.size() - 1).mayBecome(next);
      if (!may) return List.of();
      way.add(next);
    }
    return way.isEmpty() || way.get(way.size() - 1) != last ? List.of() : way;
  }

  /** Why it was paused is not in the files, so a person looks at it first. */
  private static Event changed(ExecutionStatus to) {
    boolean paused = to == ExecutionStatus.PAUSED;
    return new ExecutionEvent.StatusChanged(to, paused ? "it was imported paused" : null, paused);
  }
}
