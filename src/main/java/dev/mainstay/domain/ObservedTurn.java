package dev.mainstay.domain;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was seen of one turn of an agent: the tools that ran, and the files they touched. */
public record ObservedTurn(List<ToolUse> tools, List<String> files) {
  public static final int TOOLS_MAX = 1_000;
  public static final int FILES_SHOWN_MAX = 10;

  /** One call of a tool and what came of it; only hashes of both are kept. */
  public record ToolUse(String tool, String argumentsHash, String resultHash) {
    public static final int TOOL_CHARS_MAX = 128;

    public ToolUse {
      tool = Text.line("a tool's name", tool, TOOL_CHARS_MAX);
    }

    /** A call as it was seen, arguments and result in full length. */
    public static ToolUse of(String tool, String arguments, String result) {
      return new ToolUse(tool, JournalEntry.sha256(arguments), JournalEntry.sha256(result));
    }
  }

  public ObservedTurn {
    tools = List.copyOf(tools);
    files = List.copyOf(files);
    if (tools.size() > TOOLS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("a turn has at most %,d calls; send it in parts", TOOLS_MAX));
    }
  }

  /** In one line: {@code Read x3, Edit; files: src/A.java}; empty when no tool ran. */
  public String summary() {
    if (tools.isEmpty()) return "";
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (ToolUse use : tools) counts.merge(use.tool(), 1, Integer::sum);
    String names =
        counts.entrySet().stream()
            .map(e -> e.getValue() == 1 ? e.getKey() : e.getKey() + " x" + e.getValue())
            .collect(Collectors.joining(", "));
    List<String> shown = files.stream().distinct().limit(FILES_SHOWN_MAX).toList();
    long more = files.stream().distinct().count() - shown.size();
    String touched = shown.isEmpty() ? "" : "; files: " + String.join(", ", shown);
    String rest = more == 0 ? "" : Phrase.of(" and %d more", more);
    return Graphemes.cut(names + touched + rest, Trail.OBSERVED_CHARS_MAX);
  }

  /** The same for the same turn, and else another. */
  public String hash() {
    StringBuilder all = new StringBuilder();
    for (ToolUse use : tools) {
      all.append(use.tool()).append('\n').append(use.argumentsHash()).append('\n');
      all.append(use.resultHash()).append('\n');
    }
    for (String file : files) all.append(file.length()).append(':').append(file).append('\n');
    return JournalEntry.sha256(all.toString());
  }

  /** What its calls count as, against the limits of an execution. */
  public Spent spent() {
    Spent spent = Spent.NOTHING;
    for (ToolUse use : tools) spent = spent.plus(ToolKind.of(use.tool()).once());
    return spent;
  }

  /** The fuse after this turn; calls that only poll say nothing about going round in circles. */
  public RepeatFuse after(RepeatFuse fuse, Collection<String> polling) {
    if (tools.isEmpty()) return fuse; // a refused call ran nothing, and is counted already
    List<ToolUse> telling = tools.stream().filter(use -> !polling.contains(use.tool())).toList();
    if (telling.isEmpty()) return RepeatFuse.fresh(polling);
    if (telling.size() == 1) {
      ToolUse only = telling.get(0);
      return fuse.after(only.tool(), only.argumentsHash(), only.resultHash());
    }
    return fuse.after(
        joined(telling.stream().map(ToolUse::tool).toList()),
        JournalEntry.sha256(joined(telling.stream().map(ToolUse::argumentsHash).toList())),
        JournalEntry.sha256(joined(telling.stream().map(ToolUse::resultHash).toList())));
  }

  private static String joined(List<String> texts) {
    return String.join(", ", texts);
  }
}
