package dev.mainstay.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Refusals name commands of the command line; a model is told the tool that does the same, or who
 * else does it. It is never told how to make something disappear.
 */
final class Words {
  private static final String TASK = "(T-\\d+|TASK)";

  /** What is replaced by what, in this order; the last takes what is left. */
  private static final Map<Pattern, String> TOOLS = tools();

  private Words() {}

  private static Map<Pattern, String> tools() {
    Map<String, String> tools = new LinkedHashMap<>();
    tools.put(
        "'mainstay plan done " + TASK + " (\\d+)'",
        "update {\"steps\":[{\"step\":$2,\"status\":\"done\"}]}");
    tools.put("'mainstay criteria meet " + TASK + " (\\d+)'", "update {\"met\":[$2]}");
    tools.put("'mainstay (evidence run|exec step) ([^']*)'", "in a shell, mainstay $1 $2");
    tools.put(
        "; 'mainstay repo tasks FILE' takes a newer list", "; bring your own todo list up to date");
    tools.put("'mainstay plan set " + TASK + " STEP\\.\\.\\.'", "update with \"plan\"");
    tools.put("'mainstay task ready'", "recall tasks:ready");
    tools.put("'mainstay task list'", "recall tasks");
    tools.put("'mainstay task show " + TASK + "'", "recall task:$1");
    tools.put("'mainstay checkpoint list " + TASK + "'", "checkpoint {\"action\":\"list\"}");
    tools.put("'mainstay artifact list " + TASK + "'", "recall artifacts:$1");
    tools.put("'mainstay inbox list[^']*'", "recall messages");
    tools.put("'mainstay inbox send ([^' ]+)'", "message {\"to\":\"$1\"}");
    tools.put("'mainstay delegate list'", "recall delegations");
    tools.put("'mainstay terminal list'", "recall terminals");
    tools.put(
        ", or try it again with 'mainstay task retry " + TASK + "'",
        ", or ask a person to retry it");
    tools.put("with 'mainstay task retry " + TASK + "'", "by asking a person to retry it");
    tools.put(
        "remove that first with 'mainstay task depend [^']*'", "ask a person which way is meant");
    tools.put("; claim the task again$", "; call next_task for what you hold or for other work");
    tools.put(
        "; an agent gives the fence of its claim.*$",
        "; message its holder, or call next_task for other work");
    tools.put(
        ": ask \\S+ to name you as a helper, or a person at a terminal to do it$",
        "; message its holder, or call next_task for other work");
    tools.put("by --task$", "by \"task\"");
    tools.put("'mainstay ([^']*)'", "a person with 'mainstay $1'");
    Map<Pattern, String> compiled = new LinkedHashMap<>();
    tools.forEach((sentence, tool) -> compiled.put(Pattern.compile(sentence), tool));
    return compiled;
  }

  /** The sentence as a model can act on it. */
  static String forModel(String sentence) {
    String said = sentence;
    for (var tool : TOOLS.entrySet()) {
      said = tool.getKey().matcher(said).replaceAll(tool.getValue());
    }
    return said;
  }
}
