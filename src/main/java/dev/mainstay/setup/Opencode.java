package dev.mainstay.setup;

import dev.mainstay.domain.AgentName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** opencode: the server in its configuration, with or without comments, and a plugin file. */
final class Opencode implements Agent {
  private static final String KEY = "mcp";
  private static final String USER_FOLDER = ".config/opencode/";

  @Override
  public About about() {
    return new About(
        AgentName.OPENCODE,
        "opencode",
        "opencode",
        List.of(".opencode", "opencode.json", "opencode.jsonc"));
  }

  private static List<String> configs(Scope scope) {
    String folder = scope == Scope.USER ? USER_FOLDER : "";
    return List.of(folder + "opencode.json", folder + "opencode.jsonc");
  }

  private static String plugin(Scope scope) {
    return scope == Scope.USER
        ? USER_FOLDER + "plugins/mainstay.js"
        : ".opencode/plugins/mainstay.js";
  }

  private static String command(Scope scope) {
    return (scope == Scope.USER ? USER_FOLDER : ".opencode/") + "commands/remember.md";
  }

  private static Map<String, Object> entry() {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("type", "local");
    entry.put("command", Servers.argv());
    entry.put("enabled", true);
    return entry;
  }

  @Override
  public void wire(Draft draft, Scope scope) {
    String json = configs(scope).get(0);
    String withComments = configs(scope).get(1);
    boolean plain = draft.text(json).isPresent() || draft.text(withComments).isEmpty();
    String path = plain ? json : withComments;
    draft.editJson(path, true, file -> Servers.put(draft, path, file, KEY, entry()));
    draft.putOwn(plugin(scope), Texts.read("opencode-plugin.js"), Texts.MARK);
    draft.putOwn(command(scope), Texts.read("remember.md"), Texts.MARK);
    if (scope == Scope.USER) Instructions.put(draft, scope, USER_FOLDER + "AGENTS.md", "");
  }

  @Override
  public void unwire(Draft draft, Scope scope) {
    for (String path : configs(scope)) {
      draft.undoJson(path, true, (file, empties) -> Servers.remove(file, KEY, empties));
    }
    draft.removeOwn(plugin(scope), Texts.MARK);
    draft.removeOwn(command(scope), Texts.MARK);
    if (scope == Scope.USER) Instructions.removeFrom(draft, USER_FOLDER + "AGENTS.md");
  }

  @Override
  public String next(Scope scope) {
    return "start opencode in "
        + (scope == Scope.USER ? "any project" : "this folder")
        + " and ask it something";
  }
}
