package dev.mainstay.domain;

import dev.mainstay.domain.OpenTasks.Draft;
import dev.mainstay.domain.ToolMeaning.CommandSeen;
import dev.mainstay.domain.ToolMeaning.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the tools of the agents' hosts mean for a workspace, as one table. A result is either what a
 * host's hook receives ({@code tool_name, tool_input, tool_response}; {@code args, metadata} of an
 * opencode plugin) or the tool's own answer together with its arguments.
 */
public final class ToolCatalogue {
  public static final int PATHS_MAX = 1_000;
  public static final int PATH_CHARS_MAX = 4_096;
  public static final int TASKS_MAX = RepoState.OPEN_TASKS_MAX;
  public static final int COMMAND_CHARS_MAX = 4_096;

  /** Where hosts put a tool's arguments, and where its answer; "" is the result itself. */
  private static final List<String> ARGUMENTS = List.of("tool_input", "args", "state.input", "");

  private static final List<String> ANSWERS =
      List.of("tool_response", "metadata", "state.metadata", "");

  /** Our own server is called "mainstay", and hosts put that before its tools' names. */
  private static final List<String> OWN_PREFIXES = List.of("mcp_mainstay_", "mainstay_");

  private static final String MCP_PREFIX = "mcp__";

  /** Tools with the same effect, and where in their results the particulars are found. */
  private record Row(Set<String> tools, Effect effect, Places at) {}

  private record Places(
      List<JsonPlace> paths, List<JsonPlace> patches, List<JsonPlace> lists, boolean command) {}

  private static final Places NOWHERE = new Places(List.of(), List.of(), List.of(), false);

  private static final List<Row> ROWS =
      List.of(
          // Claude Code
          files(Set.of("Write", "Edit", "MultiEdit"), in(ARGUMENTS, "file_path"), "filePath"),
          files(Set.of("NotebookEdit"), in(ARGUMENTS, "notebook_path"), "notebook_path"),
          // Gemini CLI says file_path; our own write_file says path.
          files(Set.of("write_file", "replace"), in(ARGUMENTS, "file_path", "path"), "path"),
          // opencode
          files(
              Set.of("write", "edit", "multiedit"),
              in(ARGUMENTS, "filePath"),
              "filepath",
              "filediff.file"),
          // Codex and opencode; Codex's hooks give the patch as the command.
          patches(
              Set.of("apply_patch", "patch"),
              in(ARGUMENTS, "command", "input", "patchText", "patch", "diff"),
              in(ANSWERS, "files.filePath", "files.movePath")),
          shells("Bash", "BashOutput", "TaskOutput", "KillShell", "KillBash", "PowerShell"),
          shells("shell", "local_shell", "shell_command", "container.exec"),
          shells("exec_command", "unified_exec", "write_stdin"),
          shells("run_shell_command", "bash"),
          // A helper agent has all tools, and its calls are not always reported.
          new Row(Set.of("Task", "Agent", "task", "invoke_agent"), Effect.DISK, NOWHERE),
          lists(Set.of("TodoWrite", "write_todos", "todowrite"), "todos", "newTodos"),
          lists(Set.of("update_plan"), "plan", "plan"),
          lists(Set.of("TaskList"), "tasks", "tasks"),
          // Each of the first three is about one task by its number; the whole list comes with
          // TaskList.
          readers("TaskCreate", "TaskUpdate", "TaskGet", "TodoRead", "todoread"),
          readers("Read", "NotebookRead", "Glob", "Grep", "LS", "WebFetch", "WebSearch"),
          readers("read_file", "read_many_files", "list_directory", "list_dir", "view_image"),
          readers("glob", "grep_search", "search_file_content", "grep_files", "web_fetch"),
          readers("google_web_search", "read", "grep", "list", "webfetch", "websearch"));

  /** A tool that nobody declared: to look at a path it names costs little, to miss one a lot. */
  private static final Row UNKNOWN =
      files(
          Set.of(),
          in(ARGUMENTS, "path", "file_path", "filePath", "paths", "source", "destination"),
          "path",
          "file_path",
          "filePath",
          "paths",
          "files",
          "files.path");

  private static final Map<String, Row> BY_NAME = byName();

  private static final List<JsonPlace> NAMES = places("tool_name", "tool");
  private static final List<JsonPlace> COMMANDS = in(ARGUMENTS, "command", "cmd", "action.command");
  private static final List<JsonPlace> EXIT_CODES =
      in(ANSWERS, "exit_code", "exitCode", "exit", "metadata.exit_code", "data.exitCode");
  private static final List<JsonPlace> EXIT_TEXTS =
      places("tool_response", "tool_response.llmContent", "tool_response.output", "output");
  private static final JsonPlace ERROR = JsonPlace.of("error");

  // Claude Code reports a command that exited otherwise through another event, with "error"; so
  // its silence about the code means 0, unless the command was cut short or goes on.
  private static final JsonPlace SILENT_ZERO = JsonPlace.of("tool_response.stdout");
  private static final List<JsonPlace> NOT_SILENT =
      places(
          "tool_response.interrupted",
          "tool_response.backgroundTaskId",
          "tool_response.returnCodeInterpretation");

  /** Where a tool tells of its failure, and what it then says there. */
  private record Signal(String field, Predicate<Object> tells) {}

  private static final List<JsonPlace> TELLERS =
      places("", "tool_response", "tool_response.structuredContent", "structuredContent", "state");

  private static final Set<Object> BAD_STATUS = Set.of("error", "failed", "declined");

  private static final List<Signal> FAILURES =
      List.of(
          new Signal("success", Boolean.FALSE::equals),
          new Signal("is_error", Boolean.TRUE::equals),
          new Signal("isError", Boolean.TRUE::equals),
          new Signal("error", ToolCatalogue::saysSomething),
          new Signal("interrupted", Boolean.TRUE::equals),
          new Signal("is_interrupt", Boolean.TRUE::equals),
          new Signal("status", BAD_STATUS::contains),
          new Signal("hook_event_name", "PostToolUseFailure"::equals));

  private static final List<Signal> NO_OPS = List.of(new Signal("noop", Boolean.TRUE::equals));

  private ToolCatalogue() {}

  /** What the result of a tool says. It never throws: what cannot be understood means nothing. */
  public static ToolMeaning read(@Nullable String tool, @Nullable JsonObject result) {
    JsonObject given = result == null ? JsonObject.EMPTY : result;
    Row row = row(tool == null || tool.isBlank() ? named(given) : tool);
    return switch (row.effect()) {
      case NOTHING -> ToolMeaning.NOTHING;
      // A command that exits with 1 may have written before, so a shell's failure proves nothing.
      case DISK -> disk(row, given);
      case FILES ->
          tells(FAILURES, given) || tells(NO_OPS, given) ? ToolMeaning.NOTHING : files(row, given);
      case TASKS -> tells(FAILURES, given) ? ToolMeaning.NOTHING : tasks(row, given);
    };
  }

  /** Whether it is known what the tool does, and not guessed from its arguments. */
  public static boolean isKnown(String tool) {
    return row(tool) != UNKNOWN;
  }

  private static ToolMeaning files(Row row, JsonObject given) {
    Set<String> paths = paths(row, given);
    // A tool of another server may have a known name and fields of its own.
    if (paths.isEmpty()) paths = paths(UNKNOWN, given);
    if (paths.isEmpty()) return ToolMeaning.NOTHING;
    return paths.size() > PATHS_MAX
        ? new ToolMeaning(Effect.DISK, List.of(), List.of(), null)
        : new ToolMeaning(Effect.FILES, List.copyOf(paths), List.of(), null);
  }

  private static ToolMeaning disk(Row row, JsonObject given) {
    String command = row.at().command() ? command(given) : null;
    Set<String> paths = new LinkedHashSet<>();
    if (command != null && command.contains(PatchText.ENVELOPE)) {
      PatchText.paths(command, path -> take(path, paths));
    }
    List<String> known = paths.size() > PATHS_MAX ? List.of() : List.copyOf(paths);
    CommandSeen seen = command == null ? null : new CommandSeen(storable(command), exitCode(given));
    return new ToolMeaning(Effect.DISK, known, List.of(), seen);
  }

  private static ToolMeaning tasks(Row row, JsonObject given) {
    for (JsonPlace place : row.at().lists()) {
      if (!(place.value(given) instanceof List<?> items)) continue;
      List<Draft> drafts = OpenTasks.drafts(items);
      // A list without one readable task must not wipe out the tasks that are known.
      if (drafts.isEmpty() && !items.isEmpty()) continue;
      return new ToolMeaning(Effect.TASKS, List.of(), OpenTasks.gather(drafts).tasks(), null);
    }
    return ToolMeaning.NOTHING;
  }

  /** The paths of the row's places, at most one more than {@link #PATHS_MAX}. */
  private static Set<String> paths(Row row, JsonObject given) {
    Set<String> paths = new LinkedHashSet<>();
    for (JsonPlace place : row.at().paths()) place.texts(given, path -> take(path, paths));
    for (JsonPlace place : row.at().patches()) {
      String patch = CommandText.command(place.value(given));
      if (patch != null) PatchText.paths(patch, path -> take(path, paths));
    }
    return paths;
  }

  /** Takes a path that can be one; false when more than enough are known. */
  private static boolean take(String path, Set<String> paths) {
    boolean possible = !path.isBlank() && path.length() <= PATH_CHARS_MAX && path.indexOf('\0') < 0;
    if (possible) paths.add(path);
    return paths.size() <= PATHS_MAX;
  }

  private static @Nullable String command(JsonObject given) {
    for (JsonPlace place : COMMANDS) {
      String command = CommandText.command(place.value(given));
      if (command != null) return command;
    }
    return null;
  }

  private static @Nullable Integer exitCode(JsonObject given) {
    for (JsonPlace place : EXIT_CODES) {
      if (place.value(given) instanceof Long code && code == code.intValue()) {
        return code.intValue();
      }
    }
    for (JsonPlace place : EXIT_TEXTS) {
      if (!(place.value(given) instanceof String text)) continue;
      Integer code = CommandText.exitCode(text);
      if (code != null) return code;
    }
    if (ERROR.value(given) instanceof String error) return CommandText.errorCode(error);
    boolean silent = SILENT_ZERO.value(given) instanceof String && !tells(FAILURES, given);
    for (JsonPlace place : NOT_SILENT) silent &= !saysSomething(place.value(given));
    return silent ? 0 : null;
  }

  /** The beginning of a command, without what no database keeps. */
  private static String storable(String command) {
    StringBuilder kept = new StringBuilder();
    Graphemes.cut(command, COMMAND_CHARS_MAX)
        .codePoints()
        .filter(c -> c != 0 && Character.getType(c) != Character.SURROGATE)
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static boolean tells(List<Signal> signals, JsonObject given) {
    for (JsonPlace teller : TELLERS) {
      if (!(teller.value(given) instanceof JsonObject answer)) continue;
      for (Signal signal : signals) {
        Object value = answer.get(signal.field());
        if (value != null && signal.tells().test(value)) return true;
      }
    }
    return false;
  }

  private static boolean saysSomething(@Nullable Object value) {
    if (value instanceof String text) return !text.isBlank();
    if (value instanceof JsonObject object) return !object.isEmpty();
    if (value instanceof List<?> items) return !items.isEmpty();
    return value != null && !Boolean.FALSE.equals(value);
  }

  private static String named(JsonObject given) {
    for (JsonPlace place : NAMES) if (place.value(given) instanceof String name) return name;
    return "";
  }

  private static Row row(String tool) {
    Row row = BY_NAME.get(tool);
    return row != null ? row : BY_NAME.getOrDefault(withoutServer(tool), UNKNOWN);
  }

  private static String withoutServer(String tool) {
    for (String prefix : OWN_PREFIXES) {
      if (tool.startsWith(prefix)) return tool.substring(prefix.length());
    }
    int end = tool.startsWith(MCP_PREFIX) ? tool.indexOf("__", MCP_PREFIX.length()) : -1;
    return end < 0 ? tool : tool.substring(end + 2);
  }

  private static Map<String, Row> byName() {
    Map<String, Row> rows = new HashMap<>();
    for (Row row : ROWS) {
      for (String tool : row.tools()) {
        if (rows.put(tool, row) != null) throw new IllegalStateException(tool + " is there twice");
      }
    }
    return Map.copyOf(rows);
  }

  private static Row files(Set<String> tools, List<JsonPlace> arguments, String... answers) {
    List<JsonPlace> paths = new ArrayList<>(arguments);
    for (JsonPlace place : in(ANSWERS, answers)) if (!paths.contains(place)) paths.add(place);
    return new Row(tools, Effect.FILES, new Places(paths, List.of(), List.of(), false));
  }

  private static Row patches(Set<String> tools, List<JsonPlace> patches, List<JsonPlace> paths) {
    return new Row(tools, Effect.FILES, new Places(paths, patches, List.of(), false));
  }

  private static Row shells(String... tools) {
    return new Row(Set.of(tools), Effect.DISK, new Places(List.of(), List.of(), List.of(), true));
  }

  private static Row lists(Set<String> tools, String argument, String answer) {
    List<JsonPlace> lists = new ArrayList<>(in(ARGUMENTS, argument));
    lists.addAll(in(ANSWERS, answer));
    return new Row(tools, Effect.TASKS, new Places(List.of(), List.of(), lists, false));
  }

  private static Row readers(String... tools) {
    return new Row(Set.of(tools), Effect.NOTHING, NOWHERE);
  }

  private static List<JsonPlace> in(List<String> objects, String... fields) {
    List<JsonPlace> places = new ArrayList<>();
    for (String object : objects) {
      for (String field : fields) {
        places.add(JsonPlace.of(object.isEmpty() ? field : object + "." + field));
      }
    }
    return List.copyOf(places);
  }

  private static List<JsonPlace> places(String... dotted) {
    return in(List.of(""), dotted);
  }
}
