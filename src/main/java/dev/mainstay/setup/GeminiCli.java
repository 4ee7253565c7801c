package dev.mainstay.setup;

import dev.mainstay.domain.AgentName;
import java.util.List;

/** Gemini CLI: servers and hooks in one settings file, which may have comments. */
final class GeminiCli implements Agent {
  private static final long TIMEOUT_MS = 10_000;

  static final List<String> EVENTS =
      List.of(
          "SessionStart",
          "BeforeAgent",
          "BeforeTool",
          "AfterTool",
          "PreCompress",
          "AfterAgent",
          "SessionEnd",
          "Notification");

  private static final String OPTIONS = " --agent " + AgentName.GEMINI;
  private static final String SETTINGS = ".gemini/settings.json";

  @Override
  public About about() {
    return new About(AgentName.GEMINI, "Gemini CLI", "gemini", List.of(".gemini", "GEMINI.md"));
  }

  static List<HookEntries.Wanted> hooks() {
    return HookEntries.Wanted.all(EVENTS, OPTIONS, TIMEOUT_MS).stream()
        // The automatic kind is told before every request, whether anything is compressed or not.
        .map(hook -> hook.event().equals("PreCompress") ? hook.only("manual") : hook)
        .toList();
  }

  private static String words(Scope scope) {
    return scope == Scope.USER ? ".gemini/GEMINI.md" : "GEMINI.md";
  }

  @Override
  public void wire(Draft draft, Scope scope) {
    draft.editJson(
        SETTINGS,
        true,
        file -> {
          Servers.put(draft, SETTINGS, file, Servers.KEY, Servers.entry());
          HookEntries.merge(file, hooks());
        });
    Instructions.put(draft, scope, words(scope), "@./AGENTS.md");
  }

  @Override
  public void unwire(Draft draft, Scope scope) {
    draft.undoJson(
        SETTINGS,
        true,
        (file, empties) -> {
          HookEntries.remove(file, empties);
          Servers.remove(file, Servers.KEY, empties);
        });
    Instructions.removeFrom(draft, words(scope));
  }

  @Override
  public String next(Scope scope) {
    return scope == Scope.USER
        ? "start gemini in any project and ask it something; /mcp and /hooks show Mainstay"
        : "start gemini in this folder, trust the folder if it asks, and ask it something";
  }
}
