package dev.mainstay.hook;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.AgentSession.Host;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedTurn.ToolUse;
import dev.mainstay.domain.ToolCatalogue;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.json.JsonText;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One event of a host, read: what happened, of which agent's session, in which folder, and the
 * payload, whose unknown fields are left alone. Reading it opens no store.
 */
public record Happening(Told told, EventKind kind, Host host, Path folder, JsonObject payload) {
  private static final String UNNAMED = "unnamed";
  private static final int NAME_CHARS_MAX = 120;

  /** A tool that is about to run or has run: its name, arguments and answer as text, and its id. */
  record Tool(String name, String input, String response, @Nullable String useId) {}

  /** Reads what a host told; what is no JSON object is refused. */
  public static Happening of(Told told) {
    JsonObject payload = JsonText.object(told.payload());
    Dialect dialect = Dialect.of(told.agent());
    String session = text(payload, "session_id");
    String terminal = told.env().getOrDefault("MAINSTAY_TERMINAL", "");
    Host host =
        new Host(
            told.agent(),
            session == null || session.isBlank() ? UNNAMED : session,
            terminal.isBlank() ? null : terminal);
    return new Happening(
        told, dialect.kind(told.event(), payload), host, dialect.folder(told, payload), payload);
  }

  /** Whether anything is to be done about it; else no store need be opened. */
  public boolean isOfInterest() {
    return kind != EventKind.OTHER;
  }

  /** Whether a session begins or goes on with this, also one that was over. */
  boolean begins() {
    return kind == EventKind.SESSION_START || kind == EventKind.PROMPT;
  }

  /** Whether the agent stops, so that nothing waits for what is done now but the host. */
  public boolean endsTurn() {
    return kind == EventKind.STOP;
  }

  boolean isOfTool() {
    return kind == EventKind.BEFORE_TOOL
        || kind == EventKind.AFTER_TOOL
        || kind == EventKind.TOOL_FAILED;
  }

  Dialect dialect() {
    return Dialect.of(told.agent());
  }

  Answer answer(Outcome outcome) {
    return dialect().answer(told.event(), kind, outcome);
  }

  static @Nullable String text(JsonObject payload, String field) {
    return payload.get(field) instanceof String text ? text : null;
  }

  private String textOrEmpty(String field) {
    String text = text(payload, field);
    return text == null ? "" : text;
  }

  /** Where a session begins from: startup, resume, clear or compact. */
  String source() {
    return textOrEmpty("source");
  }

  String prompt() {
    return dialect().typed(textOrEmpty("prompt"));
  }

  /** Why something happened, as far as the host says so. */
  String reason() {
    String trigger = textOrEmpty("trigger");
    return word(trigger.isEmpty() ? textOrEmpty("reason") : trigger);
  }

  /** Whether the agent goes on only because it was told so when it last stopped. */
  boolean stopsAgain() {
    return Boolean.TRUE.equals(payload.get("stop_hook_active"));
  }

  /** What a subagent is called; empty if it is the agent itself, or has no name. */
  String subagent() {
    return word(textOrEmpty("agent_type"));
  }

  boolean isOfSubagent() {
    return text(payload, "agent_id") != null;
  }

  /** Whether the host says that it waits for its person. */
  boolean asksPerson() {
    String type = textOrEmpty("notification_type");
    return kind == EventKind.PERMISSION_ASKED
        || type.contains("ermission") // ToolPermission, permission_prompt
        || type.contains("elicitation");
  }

  Tool tool() {
    String name = word(textOrEmpty("tool_name"));
    Object failed = payload.get("error");
    Object response = payload.get("tool_response");
    return new Tool(
        name.isEmpty() ? UNNAMED : Graphemes.cut(name, ToolUse.TOOL_CHARS_MAX),
        JsonText.write(payload.get("tool_input")),
        JsonText.write(response == null ? failed : response),
        text(payload, "tool_use_id"));
  }

  /** What the tool means for files; where the agent went by itself is where it names them from. */
  ToolMeaning meaning() {
    String cwd = text(payload, "cwd");
    return ToolCatalogue.read(tool().name(), payload).from(cwd == null ? folder.toString() : cwd);
  }

  /**
   * A key under which a part of this event is done once, however often it is told or heard; none
   * where neither the host nor the one who put it down gave it a name.
   */
  @Nullable String key(String part) {
    String id = text(payload, "tool_use_id");
    if (id == null && kind == EventKind.PROMPT) {
      id = text(payload, "prompt_id");
      if (id == null) id = text(payload, "turn_id");
    }
    boolean counts = isOfTool() || kind == EventKind.PROMPT;
    if (id == null && counts) id = told.env().get(Told.RECEIPT);
    if (id == null) return null;
    String all = String.join("\n", host.agent(), host.sessionId(), id, told.event());
    return "hook/" + JournalEntry.sha256(all + "\n" + told.payload()) + "/" + part;
  }

  /** The person at the keyboard. */
  Actor person() {
    String user = told.env().getOrDefault("USER", told.env().getOrDefault("LOGNAME", ""));
    return Actor.person(user.isBlank() ? System.getProperty("user.name", "somebody") : user);
  }

  /** Whether an agent runs this one, so that nobody sits at the keyboard. */
  boolean isWithinAnother() {
    return AgentName.around(told.env()).stream().anyMatch(each -> !each.equals(host.agent()))
        || Starter.isAgent(told.env());
  }

  private static String word(String text) {
    return Graphemes.cut(text.replaceAll("\\p{Cntrl}+", " ").strip(), NAME_CHARS_MAX);
  }
}
