package dev.mainstay.domain;

import dev.mainstay.domain.ListReader.Listed;
import dev.mainstay.domain.OpenTasks.Draft;
import dev.mainstay.domain.RepoState.OpenTask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the task list in what a model wrote in its planning turn: a numbered or bulleted list,
 * check boxes, or JSON. Of several lists it takes the likeliest: JSON that names its tasks, then
 * one under a heading such as "Open Tasks", "Plan" or "Remaining", then one with statuses; among
 * equals the longest, among equally long ones the last. A list under "Completed" or "Done" is never
 * taken.
 */
public final class TaskListText {
  /** What is behind this many characters is not read. */
  public static final int TEXT_CHARS_MAX = 1_048_576;

  /** Each attempt may read the rest of the text, so there must be few. */
  public static final int JSON_ATTEMPTS_MAX = 16;

  private static final int NAMED_JSON = ListReader.NAMED + 1;
  private static final int JSON_DEPTH_MAX = 3;
  private static final int FENCE_SIGNS_MIN = 3;

  private static final List<String> LIST_KEYS =
      List.of("open_tasks", "openTasks", "tasks", "todos", "steps", "plan");

  private final String text;
  private final Function<String, JsonObject> json;
  private final ListReader reader = new ListReader();
  private final List<Listed> found = new ArrayList<>();
  private int attempts;

  private TaskListText(String text, Function<String, JsonObject> json) {
    this.text = text;
    this.json = json;
  }

  /** The tasks of a list in their order, and how many more it had than are kept. */
  public record Found(List<OpenTask> tasks, int dropped) {
    public Found {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * The tasks of the likeliest list in the text; none if it has no list. Only the outermost level
   * of a list counts, and code that is not JSON is passed over.
   *
   * @param json reads a JSON object or refuses it; a text that it refuses is no task list
   */
  public static Found parse(String text, Function<String, JsonObject> json) {
    String read = text.substring(0, Math.min(text.length(), TEXT_CHARS_MAX));
    return new TaskListText(read, json).likeliest();
  }

  private Found likeliest() {
    for (int at = 0; at < text.length(); ) at = next(at);
    found.addAll(reader.lists());
    Listed best = new Listed(List.of(), ListReader.PLAIN);
    for (Listed each : found) if (isBetter(each, best)) best = each;
    return OpenTasks.gather(best.drafts());
  }

  private static boolean isBetter(Listed each, Listed best) {
    if (each.rank() != best.rank()) return each.rank() > best.rank();
    return each.drafts().size() >= best.drafts().size();
  }

  /** Reads the line, the code or the JSON that begins here; where the next one begins. */
  private int next(int begin) {
    int end = lineEnd(begin);
    int at = begin;
    while (at < end && Character.isWhitespace(text.charAt(at))) at++;
    int signs = fence(at, end);
    if (signs > 0) {
      reader.block(at - begin);
      return code(afterLine(end), text.charAt(at), signs);
    }
    int behind = at < end ? bareJson(at) : -1;
    if (behind >= 0) {
      reader.block(at - begin);
      return afterLine(lineEnd(behind));
    }
    reader.line(text.substring(begin, end));
    return afterLine(end);
  }

  /** A fence that nobody closes goes on to the end of the text. */
  private int code(int begin, char sign, int signs) {
    int at = begin;
    int codeEnd = text.length();
    int after = text.length();
    while (at < text.length()) {
      int end = lineEnd(at);
      String line = text.substring(at, end).strip();
      boolean closes = line.length() >= signs && line.chars().allMatch(c -> c == sign);
      if (closes) {
        codeEnd = at;
        after = afterLine(end);
        break;
      }
      at = afterLine(end);
    }
    String code = text.substring(Math.min(begin, codeEnd), codeEnd).strip();
    if (code.startsWith("{") || code.startsWith("[")) takeJson(code);
    return after;
  }

  /** Behind the JSON that begins at the start of a line and lists tasks; -1 if none does. */
  private int bareJson(int begin) {
    char first = text.charAt(begin);
    if ((first != '{' && first != '[') || attempts >= JSON_ATTEMPTS_MAX) return -1;
    // "[ ] task" and "[done] task" are lines of lists.
    if (ListLine.read(text.substring(begin, lineEnd(begin))).kind().isItem()) return -1;
    int end = jsonEnd(begin);
    if (end < 0) attempts++;
    return end >= 0 && takeJson(text.substring(begin, end)) ? end : -1;
  }

  /** Behind the bracket that closes the one which stands here; -1 if none does. */
  private int jsonEnd(int begin) {
    int depth = 0;
    boolean quoted = false;
    for (int i = begin; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\n') return -1; // no JSON string goes over a line
      if (quoted && c == '\\') i++;
      else if (c == '"') quoted = !quoted;
      else if (!quoted && (c == '{' || c == '[')) depth++;
      else if (!quoted && (c == '}' || c == ']') && --depth == 0) return i + 1;
    }
    return -1;
  }

  /** Whether it was JSON with tasks in it. */
  private boolean takeJson(String code) {
    if (attempts++ >= JSON_ATTEMPTS_MAX) return false;
    boolean named = code.startsWith("{");
    JsonObject object;
    try {
      object = json.apply(named ? code : "{\"tasks\":" + code + "}");
    } catch (Refusal notJson) {
      return false;
    }
    List<Draft> drafts = drafts(object, 1);
    if (drafts == null || drafts.isEmpty()) return false;
    int heading = reader.rank();
    int rank = heading == ListReader.PLAIN ? ListReader.LIKELY : heading;
    found.add(new Listed(drafts, named ? NAMED_JSON : rank));
    return true;
  }

  /** The list of an object, or of an object within that has the name of a list. */
  private static @Nullable List<Draft> drafts(JsonObject object, int depth) {
    for (String key : LIST_KEYS) {
      Object value = object.get(key);
      if (value instanceof List<?> items) return OpenTasks.drafts(items);
      if (value instanceof JsonObject inner && depth < JSON_DEPTH_MAX) {
        List<Draft> drafts = drafts(inner, depth + 1);
        if (drafts != null) return drafts;
      }
    }
    return null;
  }

  /** How many signs open a fence here; 0 if this is none. */
  private int fence(int at, int end) {
    if (at >= end || (text.charAt(at) != '`' && text.charAt(at) != '~')) return 0;
    int behind = at;
    while (behind < end && text.charAt(behind) == text.charAt(at)) behind++;
    boolean inline = text.charAt(at) == '`' && text.substring(behind, end).indexOf('`') >= 0;
    return inline || behind - at < FENCE_SIGNS_MIN ? 0 : behind - at;
  }

  private int lineEnd(int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') at++;
    return at;
  }

  private int afterLine(int end) {
    boolean two = text.startsWith("\r\n", end);
    return end + (two ? 2 : 1);
  }
}
