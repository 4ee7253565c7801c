package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Block.Activity;
import dev.mainstay.bpmn.Block.AdHoc;
import dev.mainstay.bpmn.Block.Again;
import dev.mainstay.bpmn.Block.Beside;
import dev.mainstay.bpmn.Block.Choice;
import dev.mainstay.bpmn.Block.Guard;
import dev.mainstay.bpmn.Block.Guarded;
import dev.mainstay.bpmn.Block.Multi;
import dev.mainstay.bpmn.Block.Parallel;
import dev.mainstay.bpmn.Block.Race;
import dev.mainstay.bpmn.Block.Sequence;
import dev.mainstay.bpmn.Block.Sub;
import dev.mainstay.bpmn.Block.Task;
import dev.mainstay.domain.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What happens where a process leaves it open: who wins a race, and which event happens. */
final class Scenario {
  /** Events that never happen. */
  private final Set<String> idle = new HashSet<>();

  /** Boundary events that happen so often before what they stand beside is done. */
  private final Map<String, Integer> awaited = new HashMap<>();

  /** The error that is to happen in an activity. */
  private final Map<String, String> errors = new HashMap<>();

  /** Activities beside which every error is caught. */
  private final Set<String> catchAll = new HashSet<>();

  /** What is done in each ad-hoc sub-process, and whether one after the other. */
  private final Map<String, AdHoc> chosen = new HashMap<>();

  /** By which variables one call of another workflow is known from another. */
  private final Map<String, List<String>> calls = new HashMap<>();

  Scenario(Block process) {
    read(process);
  }

  boolean isIdle(String event) {
    return idle.contains(event);
  }

  /** How often a boundary event happens; none of other events. */
  int times(String event) {
    return awaited.getOrDefault(event, 0);
  }

  boolean catchesAll(String activity) {
    return catchAll.contains(activity);
  }

  boolean fails(String activity) {
    return errors.containsKey(activity);
  }

  String error(String activity) {
    return errors.getOrDefault(activity, "");
  }

  /** What somebody who chose these already says next. */
  JsonObject choice(String adHoc, List<String> before) {
    AdHoc of = Objects.requireNonNull(chosen.get(adHoc), adHoc);
    List<String> left =
        of.tasks().stream().map(Task::id).filter(each -> !before.contains(each)).toList();
    if (left.isEmpty()) return JsonObject.of("done", true);
    return of.sequential() ? JsonObject.of("next", left.get(0)) : JsonObject.of("next", left);
  }

  /** What another workflow is called for, told by the variables it is given. */
  String description(String call, JsonObject variables) {
    return Objects.requireNonNull(calls.get(call), call).stream()
        .map(name -> name + "=" + variables.get(name))
        .collect(Collectors.joining(" ", call + " ", ""));
  }

  private void read(Block block) {
    if (block instanceof AdHoc adHoc) chosen.put(adHoc.id(), adHoc);
    if (block instanceof Task task) calls.put(task.id(), task.seen());
    if (block instanceof Sequence sequence) sequence.blocks().forEach(this::read);
    else if (block instanceof Choice choice) choice.branches().forEach(each -> read(each.block()));
    else if (block instanceof Parallel parallel) parallel.branches().forEach(this::read);
    else if (block instanceof Again again) read(again.body());
    else if (block instanceof Sub sub) read(sub.body());
    else if (block instanceof Multi multi) read(multi.activity());
    else if (block instanceof Race race) {
      idle.add(race.timerWins() ? race.message() : race.timer());
      read(race.onMessage());
      read(race.onTimer());
    } else if (block instanceof Guarded guarded) {
      guard(guarded.activity(), guarded.guard());
      if (guarded.spare() != null) idle.add(guarded.spare().id());
      read(guarded.activity());
      read(guarded.after());
    }
  }

  private void guard(Activity activity, Guard guard) {
    if (!guard.happens()) {
      idle.add(guard.id());
    } else if (guard.what() == Beside.ERROR) {
      String code = BlockGraph.code(guard);
      if (code == null) catchAll.add(activity.id());
      if (activity instanceof Sub sub && sub.thrown() != null) return;
      errors.put(activity.id(), code == null ? "as planned" : code + ": as planned");
    } else {
      awaited.put(guard.id(), guard.times());
    }
  }
}
