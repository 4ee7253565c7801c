package dev.mainstay.hook;

import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * How one host speaks: its names for events, where its agent works, how much it reads, and the form
 * of its answers. Most hosts took over Claude Code's forms, so those are what is usual here.
 */
interface Dialect {
  /** Hosts that show more than this to their model show a mere preview of it, or its two ends. */
  int SHOWN_MAX = 10_000;

  /** The dialect of an agent; one that is not known speaks as Claude Code does. */
  static Dialect of(String agent) {
    return switch (agent) {
      case AgentName.CODEX -> new Codex();
      case AgentName.GEMINI -> new Gemini();
      case AgentName.OPENCODE -> new Opencode();
      default -> new ClaudeCode();
    };
  }

  EventKind kind(String event, JsonObject payload);

  /** Whether the host tells of the context that begins after a compaction. */
  default boolean tellsOfCompacted() {
    return true;
  }

  /** Whether an agent that stops can be told to go on. */
  default boolean holdsAtStop() {
    return true;
  }

  /** The folder that the agent works in. */
  default Path folder(Told told, JsonObject payload) {
    String cwd = Happening.text(payload, "cwd");
    return cwd == null ? told.folder() : told.folder().resolve(cwd);
  }

  /** What was typed, of what the host says was. */
  default String typed(String prompt) {
    return prompt;
  }

  /** How much of what it reads this text is. */
  default int size(String text) {
    return text.length();
  }

  /** The answer in the host's form; what it cannot be told at this event is left out. */
  default Answer answer(String event, EventKind kind, Outcome outcome) {
    return switch (outcome.kind()) {
      case NOTHING -> Answer.SILENT;
      case CONTEXT -> shows(kind) ? context(event, fitting(outcome.text())) : Answer.SILENT;
      case DENIAL -> denial(event, outcome.text());
      case GO_ON -> json(JsonObject.of("decision", "block", "reason", outcome.text()));
    };
  }

  /** Whether the host shows its model what is said at this event. */
  default boolean shows(EventKind kind) {
    return switch (kind) {
      case SESSION_START, PROMPT, BEFORE_TOOL, AFTER_TOOL, TOOL_FAILED -> true;
      default -> false;
    };
  }

  default Answer denial(String event, String reason) {
    return json(
        JsonObject.of(
            "hookSpecificOutput",
            JsonObject.of("hookEventName", event, "permissionDecision", "deny")
                .with("permissionDecisionReason", reason)));
  }

  static Answer context(String event, String text) {
    return json(
        JsonObject.of(
            "hookSpecificOutput",
            JsonObject.of("hookEventName", event, "additionalContext", text)));
  }

  static Answer json(JsonObject answer) {
    return Answer.saying(JsonText.write(answer) + "\n");
  }

  /** Whoever has much to say keeps within the limit; this is for what nobody foresaw. */
  private String fitting(String text) {
    String kept = text;
    while (size(kept) > SHOWN_MAX) {
      int over = size(kept) - SHOWN_MAX;
      kept = Graphemes.cut(kept, Math.max(0, kept.length() - Math.max(1, over / 3)));
    }
    return kept;
  }

  /** Claude Code: where its agent went by {@code cd} is not where it works. */
  final class ClaudeCode implements Dialect {
    private static final Map<String, EventKind> EVENTS =
        Map.ofEntries(
            Map.entry("SessionStart", EventKind.SESSION_START),
            Map.entry("UserPromptSubmit", EventKind.PROMPT),
            Map.entry("PreToolUse", EventKind.BEFORE_TOOL),
            Map.entry("PostToolUse", EventKind.AFTER_TOOL),
            Map.entry("PostToolUseFailure", EventKind.TOOL_FAILED),
            Map.entry("PreCompact", EventKind.BEFORE_COMPACTION),
            Map.entry("Stop", EventKind.STOP),
            Map.entry("SubagentStop", EventKind.SUBAGENT_STOP),
            Map.entry("SessionEnd", EventKind.SESSION_END),
            Map.entry("Notification", EventKind.NOTIFICATION),
            Map.entry("PermissionRequest", EventKind.PERMISSION_ASKED));

    @Override
    public EventKind kind(String event, JsonObject payload) {
      return EVENTS.getOrDefault(event, EventKind.OTHER);
    }

    @Override
    public Path folder(Told told, JsonObject payload) {
      String project = told.env().getOrDefault("CLAUDE_PROJECT_DIR", "");
      return project.isBlank()
          ? Dialect.super.folder(told, payload)
          : told.folder().resolve(project);
    }
  }

  /** Codex: Claude Code's events, and a limit that counts bytes. */
  final class Codex implements Dialect {
    @Override
    public EventKind kind(String event, JsonObject payload) {
      return ClaudeCode.EVENTS.getOrDefault(event, EventKind.OTHER);
    }

    @Override
    public int size(String text) {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }
  }

  /** Gemini CLI: names of its own, and a tool is refused by a decision beside the reason. */
  final class Gemini implements Dialect {
    private static final Map<String, EventKind> EVENTS =
        Map.of(
            "SessionStart", EventKind.SESSION_START,
            "BeforeAgent", EventKind.PROMPT,
            "BeforeTool", EventKind.BEFORE_TOOL,
            "AfterTool", EventKind.AFTER_TOOL,
            "PreCompress", EventKind.BEFORE_COMPACTION,
            "AfterAgent", EventKind.STOP,
            "SessionEnd", EventKind.SESSION_END,
            "Notification", EventKind.NOTIFICATION);

    @Override
    public EventKind kind(String event, JsonObject payload) {
      EventKind kind = EVENTS.getOrDefault(event, EventKind.OTHER);
      // It tells of an automatic one before every request of its model, whether there is one or
      // not.
      boolean idle =
          kind == EventKind.BEFORE_COMPACTION && !"manual".equals(payload.get("trigger"));
      return idle ? EventKind.OTHER : kind;
    }

    @Override
    public boolean tellsOfCompacted() {
      return false;
    }

    @Override
    public boolean shows(EventKind kind) {
      return kind != EventKind.BEFORE_TOOL && Dialect.super.shows(kind);
    }

    @Override
    public Answer denial(String event, String reason) {
      return json(JsonObject.of("decision", "deny", "reason", reason));
    }
  }

  /** opencode: Mainstay's plugin there tells and reads Claude Code's forms. */
  final class Opencode implements Dialect {
    @Override
    public EventKind kind(String event, JsonObject payload) {
      return ClaudeCode.EVENTS.getOrDefault(event, EventKind.OTHER);
    }

    /** Its command line puts words that hold a blank into quotes; a goal or an order has none. */
    @Override
    public String typed(String prompt) {
      int last = prompt.length() - 1;
      boolean quoted = last > 0 && prompt.startsWith("\"") && prompt.indexOf('"', 1) == last;
      return quoted ? prompt.substring(1, last) : prompt;
    }

    @Override
    public boolean holdsAtStop() {
      return false;
    }
  }
}
