package dev.mainstay.setup;

import dev.mainstay.domain.AgentName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Claude Code: hooks in its settings, the server in a file of its own; all strict JSON. */
final class ClaudeCode implements Agent {
  private static final long TIMEOUT_SECONDS = 10;

  /** Everything it tells that Mainstay has a use for. */
  static final List<String> EVENTS =
      List.of(
          "SessionStart",
          "UserPromptSubmit",
          "PreToolUse",
          "PostToolUse",
          "PostToolUseFailure",
          "PreCompact",
          "Stop",
          "SubagentStop",
          "SessionEnd",
          "Notification");

  private static final String SETTINGS = ".claude/settings.json";
  private static final String LOCAL_SETTINGS = ".claude/settings.local.json";
  private static final String COMMAND = ".claude/commands/remember.md";
  private static final String PLUGIN = ".claude-plugin/plugin.json";
  private static final String PLUGIN_SERVERS = ".mcp.json";
  private static final String PLUGIN_HOOKS = "hooks/hooks.json";
  private static final String PLUGIN_COMMAND = "commands/remember.md";

  @Override
  public About about() {
    return new About(
        AgentName.CLAUDE_CODE,
        "Claude Code",
        "claude",
        List.of(".claude", ".mcp.json", "CLAUDE.md"));
  }

  private static String servers(Scope scope) {
    return scope == Scope.USER ? ".claude.json" : ".mcp.json";
  }

  private static String words(Scope scope) {
    return scope == Scope.USER ? ".claude/CLAUDE.md" : "CLAUDE.md";
  }

  @Override
  public void wire(Draft draft, Scope scope) {
    putServer(draft, servers(scope));
    wireHooks(draft, scope);
    draft.putOwn(COMMAND, Texts.read("remember.md"), Texts.MARK);
    putWords(draft, scope);
  }

  /** Into one file, for Claude Code runs the hooks of both; a file that has ours keeps them. */
  private static void wireHooks(Draft draft, Scope scope) {
    String settings = draft.text(SETTINGS).orElse("");
    boolean wired =
        settings.contains("mainstay") && HookEntries.isIn(new JsonFile(SETTINGS, settings, false));
    if (scope == Scope.PROJECT && !wired) {
      putHooks(draft, LOCAL_SETTINGS);
      return;
    }
    putHooks(draft, SETTINGS);
    if (scope != Scope.USER) draft.undoJson(LOCAL_SETTINGS, false, HookEntries::remove);
  }

  void putWords(Draft draft, Scope scope) {
    Instructions.put(draft, scope, words(scope), "@AGENTS.md");
  }

  private static void putServer(Draft draft, String path) {
    Map<String, Object> entry = Servers.entry();
    // Else its tools may be hidden behind a search, and the first turn does not wait for them.
    entry.put("alwaysLoad", true);
    draft.editJson(path, false, file -> Servers.put(draft, path, file, Servers.KEY, entry));
  }

  private static void putHooks(Draft draft, String path) {
    draft.editJson(path, false, file -> HookEntries.merge(file, hooks()));
  }

  static List<HookEntries.Wanted> hooks() {
    return HookEntries.Wanted.all(EVENTS, "", TIMEOUT_SECONDS);
  }

  @Override
  public void unwire(Draft draft, Scope scope) {
    unwireButWords(draft, scope);
    Instructions.removeFrom(draft, words(scope));
  }

  /** Takes out what a plugin brings as well, so that nothing is told twice. */
  void unwireButWords(Draft draft, Scope scope) {
    removeServer(draft, servers(scope));
    draft.undoJson(SETTINGS, false, HookEntries::remove);
    if (scope != Scope.USER) draft.undoJson(LOCAL_SETTINGS, false, HookEntries::remove);
    draft.removeOwn(COMMAND, Texts.MARK);
  }

  private static void removeServer(Draft draft, String path) {
    draft.undoJson(path, false, (file, empties) -> Servers.remove(file, Servers.KEY, empties));
  }

  /** The same as a plugin, in a folder of its own. */
  void wirePlugin(Draft draft) {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("name", Servers.NAME);
    about.put("description", "Keeps the state of the work outside the context; " + Texts.MARK);
    String text = new JsonStyle("\n", "  ", false).write(about, "") + "\n";
    draft.putOwn(PLUGIN, text, Texts.MARK);
    putServer(draft, PLUGIN_SERVERS);
    putHooks(draft, PLUGIN_HOOKS);
    draft.putOwn(PLUGIN_COMMAND, Texts.read("remember.md"), Texts.MARK);
  }

  void unwirePlugin(Draft draft) {
    draft.removeOwn(PLUGIN, Texts.MARK);
    removeServer(draft, PLUGIN_SERVERS);
    draft.undoJson(PLUGIN_HOOKS, false, HookEntries::remove);
    draft.removeOwn(PLUGIN_COMMAND, Texts.MARK);
  }

  @Override
  public String next(Scope scope) {
    return scope == Scope.USER
        ? "start claude in any project and ask it something; /mcp and /hooks show Mainstay"
        : "start claude in this folder, trust the folder, choose \"use this MCP server\" for mainstay, and ask it something";
  }
}
