package dev.mainstay.setup;

import dev.mainstay.setup.JsonSpot.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The hooks in a settings file of the shape that Claude Code, Codex and Gemini CLI share: for each
 * event a list of groups, in each group a list of commands. Ours are known by their command.
 */
final class HookEntries {
  static final String HOOKS = "hooks";

  /** How our commands begin, in the files of earlier versions too, which had no guard. */
  private static final String OWN = "mainstay hook ";

  /**
   * Around our command, so that it does nothing and ends with 0 where Mainstay is missing. sh ends
   * with 0 and hides the shell's complaint, which some hosts show; the exit code of a hook says
   * nothing, for Mainstay answers on standard output. PowerShell reports two unknown commands and
   * ends with 0; it takes the last part for a comment, and version 5 could not parse it. cmd takes
   * everything before the bars for the arguments of one unknown command.
   */
  private static final String GUARD = "eval \"exec 2>/dev/null\"; ";

  private static final String GUARD_END = "; exit 0 # || exit 0";

  private HookEntries() {}

  /** Our command for one event. */
  record Wanted(String event, @Nullable String matcher, Map<String, Object> command) {

    /** {@code timeout} is in the unit of the agent that reads it. */
    static Wanted of(String event, String options, long timeout) {
      Map<String, Object> command = new LinkedHashMap<>();
      command.put("type", "command");
      command.put("command", GUARD + OWN + event + options + GUARD_END);
      command.put("timeout", timeout);
      return new Wanted(event, null, command);
    }

    /** The same for each of these events. */
    static List<Wanted> all(List<String> events, String options, long timeout) {
      return events.stream().map(event -> of(event, options, timeout)).toList();
    }

    /** The same, but only where the event is of this kind. */
    Wanted only(String kind) {
      return new Wanted(event, kind, command);
    }

    Map<String, Object> group() {
      Map<String, Object> group = new LinkedHashMap<>();
      if (matcher != null) group.put("matcher", matcher);
      group.put(HOOKS, List.of(command));
      return group;
    }
  }

  /** Adds what is missing, replaces what is outdated and leaves all others' hooks alone. */
  static void merge(JsonFile file, List<Wanted> wanted) {
    JsonSpot hooks = file.at(List.of(HOOKS), Kind.OBJECT);
    List<String> events = new ArrayList<>(wanted.stream().map(Wanted::event).toList());
    if (hooks != null) {
      for (JsonSpot.Entry entry : hooks.entries()) {
        if (!events.contains(entry.name())) removeFrom(file, entry.name(), Map.of(), 0);
      }
    }
    for (Wanted each : wanted) {
      List<List<Object>> own = own(file, each.event());
      if (own.isEmpty()) {
        file.append(List.of(HOOKS, each.event()), each.group());
        continue;
      }
      JsonSpot first = file.at(own.get(0));
      if (first != null && !first.holds(each.command())) file.replace(own.get(0), each.command());
      removeFrom(file, each.event(), Map.of(), 1);
    }
  }

  /** Whether one of our commands is in the file. */
  static boolean isIn(JsonFile file) {
    JsonSpot hooks = file.at(List.of(HOOKS));
    if (hooks == null || hooks.kind() != Kind.OBJECT) return false;
    return hooks.entries().stream()
        .map(JsonSpot.Entry::name)
        .anyMatch(event -> event != null && !own(file, event).isEmpty());
  }

  /** Takes all of ours out. */
  static void remove(JsonFile file, Map<String, String> empties) {
    JsonSpot hooks = file.at(List.of(HOOKS));
    if (hooks == null || hooks.kind() != Kind.OBJECT) return;
    for (JsonSpot.Entry entry : hooks.entries()) removeFrom(file, entry.name(), empties, 0);
  }

  private static void removeFrom(
      JsonFile file, @Nullable String event, Map<String, String> empties, int keep) {
    if (event == null) return;
    List<List<Object>> own = own(file, event);
    for (int i = own.size() - 1; i >= keep; i--) {
      List<Object> command = own.get(i);
      JsonSpot beside = file.at(command.subList(0, command.size() - 1));
      boolean alone = beside != null && beside.entries().size() == 1;
      // A group without a command is nothing, whatever else it says.
      file.remove(alone ? command.subList(0, command.size() - 2) : command, empties);
    }
  }

  /** The paths of our commands for an event. */
  private static List<List<Object>> own(JsonFile file, String event) {
    List<List<Object>> own = new ArrayList<>();
    JsonSpot groups = file.at(List.of(HOOKS, event));
    if (groups == null || groups.kind() != Kind.LIST) return own;
    for (int group = 0; group < groups.entries().size(); group++) {
      JsonSpot commands = groups.entries().get(group).value().child(HOOKS);
      if (commands == null || commands.kind() != Kind.LIST) continue;
      for (int i = 0; i < commands.entries().size(); i++) {
        JsonSpot command = commands.entries().get(i).value().child("command");
        boolean ours = command != null && command.scalar() instanceof String line && isOwn(line);
        if (ours) own.add(List.of(HOOKS, event, group, HOOKS, i));
      }
    }
    return own;
  }

  private static boolean isOwn(String line) {
    return line.startsWith(OWN) || line.startsWith(GUARD + OWN);
  }
}
