package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Our entry among an agent's MCP servers. */
final class Servers {
  static final String NAME = "mainstay";
  static final String KEY = "mcpServers";
  private static final String COMMAND = "mainstay";
  private static final String ARGUMENT = "mcp";

  private Servers() {}

  /** The program and its arguments apart, as most agents want it. */
  static Map<String, Object> entry() {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("command", COMMAND);
    entry.put("args", List.of(ARGUMENT));
    return entry;
  }

  /** The program and its arguments in one list. */
  static List<String> argv() {
    return List.of(COMMAND, ARGUMENT);
  }

  /** Whether a server starts {@code mainstay mcp}, whatever else its owner has set for it. */
  static boolean isOwn(@Nullable Object server) {
    if (!(server instanceof Map<?, ?> fields)) return false;
    Object command = fields.get("command");
    if (command instanceof List<?> argv) return startsWith(argv, argv());
    return COMMAND.equals(command)
        && fields.get("args") instanceof List<?> args
        && startsWith(args, List.of(ARGUMENT));
  }

  private static boolean startsWith(List<?> list, List<String> start) {
    return list.size() >= start.size() && list.subList(0, start.size()).equals(start);
  }

  /** Adds our server unless one is there; another one of the same name is left alone and told. */
  static void put(Draft draft, String path, JsonFile file, String key, Map<String, Object> entry) {
    JsonSpot there = file.at(List.of(key, NAME));
    if (there == null) file.put(List.of(key), NAME, entry);
    else if (!isOwn(there.value())) draft.remark(foreign(path));
  }

  static String foreign(String path) {
    return Phrase.of(
        "%s has a server called mainstay that starts something else and was left as it is; rename it and repeat to get Mainstay's",
        path);
  }

  static void remove(JsonFile file, String key, Map<String, String> empties) {
    JsonSpot there = file.at(List.of(key, NAME));
    if (there != null && isOwn(there.value())) file.remove(List.of(key, NAME), empties);
  }
}
