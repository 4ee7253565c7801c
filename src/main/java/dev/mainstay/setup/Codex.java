package dev.mainstay.setup;

import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Map;

/** Codex: one block in its config.toml; hooks go into hooks.json where the project has one. */
final class Codex implements Agent {
  private static final long TIMEOUT_SECONDS = 10;

  static final List<String> EVENTS =
      List.of(
          "SessionStart",
          "UserPromptSubmit",
          "PreToolUse",
          "PostToolUse",
          "PreCompact",
          "Stop",
          "SubagentStop",
          "SessionEnd");

  /** Codex starts servers without these unless they are named. */
  private static final List<String> VARIABLES =
      List.of("JAVA_HOME", "MAINSTAY_JAVA_HOME", "MAINSTAY_DB", "MAINSTAY_TERMINAL");

  /**
   * Tools that look, or change nothing but what Mainstay keeps. Without a word for them a run that
   * may not ask a person is refused each call; files and other agents are still asked about.
   */
  private static final List<String> KEEPING =
      List.of(
          "state",
          "recall",
          "update",
          "next_task",
          "create_task",
          "finish_task",
          "checkpoint",
          "message");

  private static final String OPTIONS = " --agent " + AgentName.CODEX;
  private static final String CONFIG = ".codex/config.toml";
  private static final String HOOKS = ".codex/hooks.json";
  private static final String USER_WORDS = ".codex/AGENTS.md";

  @Override
  public About about() {
    return new About(AgentName.CODEX, "Codex", "codex", List.of(".codex"));
  }

  static List<HookEntries.Wanted> hooks() {
    return HookEntries.Wanted.all(EVENTS, OPTIONS, TIMEOUT_SECONDS);
  }

  @Override
  public void wire(Draft draft, Scope scope) {
    String outside = MarkedBlock.TOML.remove(CONFIG, draft.text(CONFIG).orElse(""));
    Map<String, ?> settings = Toml.read(CONFIG, outside);
    StringBuilder lines = new StringBuilder();
    Object server =
        settings.get("mcp_servers") instanceof Map<?, ?> all ? all.get(Servers.NAME) : null;
    if (server == null) lines.append(server());
    else if (!Servers.isOwn(server)) draft.remark(Servers.foreign(CONFIG));
    // Codex warns of a folder that has hooks in both files.
    if (draft.text(HOOKS).isPresent()) {
      draft.editJson(HOOKS, false, file -> HookEntries.merge(file, hooks()));
    } else if (!String.valueOf(settings.get("hooks")).contains("mainstay hook ")) {
      hooks().forEach(hook -> lines.append(table(hook)));
    }
    if (lines.isEmpty()) draft.removeBlock(CONFIG, MarkedBlock.TOML);
    else draft.putBlock(CONFIG, MarkedBlock.TOML, lines.toString());
    refuseUnlessValid(draft.text(CONFIG).orElse(""));
    if (scope == Scope.USER) Instructions.put(draft, scope, USER_WORDS, "");
  }

  private static String server() {
    StringBuilder lines = new StringBuilder("[mcp_servers.mainstay]\n");
    lines.append("command = \"mainstay\"\nargs = [\"mcp\"]\n");
    lines.append("env_vars = ").append(JsonStyle.compact(VARIABLES)).append('\n');
    for (String tool : KEEPING) {
      lines.append(Phrase.of("\n[mcp_servers.mainstay.tools.%s]\n", tool));
      lines.append("approval_mode = \"approve\"\n");
    }
    return lines.toString();
  }

  private static String table(HookEntries.Wanted hook) {
    return Phrase.of(
        "\n[[hooks.%1$s]]\n[[hooks.%1$s.hooks]]\ntype = \"command\"\ncommand = %2$s\ntimeout = %3$s\n",
        hook.event(),
        JsonStyle.compact(hook.command().get("command")),
        hook.command().get("timeout"));
  }

  private static void refuseUnlessValid(String text) {
    try {
      Toml.read(CONFIG, text);
    } catch (Refusal clash) {
      throw Refusal.invalid(
          CONFIG
              + " has hooks or mcp_servers on one line, to which nothing can be added; write them as tables ([mcp_servers.NAME], [[hooks.EVENT]]) and repeat, nothing was written");
    }
  }

  @Override
  public void unwire(Draft draft, Scope scope) {
    draft.removeBlock(CONFIG, MarkedBlock.TOML);
    draft.undoJson(HOOKS, false, HookEntries::remove);
    if (scope == Scope.USER) Instructions.removeFrom(draft, USER_WORDS);
  }

  @Override
  public String next(Scope scope) {
    String hooks = "accept its hooks when Codex shows them (or type /hooks), and ask it something";
    return scope == Scope.USER
        ? "start codex in any project, " + hooks
        : "start codex in this folder, trust the folder, " + hooks;
  }
}
