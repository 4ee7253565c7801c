package dev.mainstay.terminal;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.AgentProfile.About;
import dev.mainstay.domain.AgentProfile.Engine;
import dev.mainstay.domain.AgentProfile.Prompts;
import dev.mainstay.domain.McpServer;
import dev.mainstay.domain.Phrase;
import dev.mainstay.json.FrontMatter;
import dev.mainstay.json.YamlFields;
import java.util.ArrayList;
import java.util.List;

/**
 * A profile as markdown: fields above, the system prompt below. Every fault is one sentence with
 * the file and the line.
 */
final class ProfileText implements Shelf.Kind<AgentProfile> {
  private static final String[] FIELDS = {
    "name",
    "description",
    "provider",
    "role",
    "allowed_tools",
    "mcp_servers",
    "model",
    "initial_prompt"
  };

  @Override
  public String noun() {
    return "profile";
  }

  @Override
  public String folder() {
    return "agents";
  }

  @Override
  public String ending() {
    return ".md";
  }

  @Override
  public List<String> builtIn() {
    return List.of("code_supervisor", "developer", "reviewer");
  }

  @Override
  public AgentProfile read(String name, String where, String text) {
    FrontMatter parts = FrontMatter.read(where, text);
    YamlFields fields = parts.fields().only(FIELDS);
    refuseOtherName(name, fields);
    About about =
        new About(
            fields.at("description", () -> line(fields)),
            fields.at("role", () -> new About("role", fields.text("role")).role()));
    return new AgentProfile(name, about, engine(fields), prompts(fields, parts.body()));
  }

  private static String line(YamlFields fields) {
    return new About(fields.required("description"), null).description();
  }

  /** What is found by its file's name must not call itself by another. */
  static void refuseOtherName(String name, YamlFields fields) {
    String own = fields.text("name");
    if (own == null || own.equals(name)) return;
    throw fields.fault(
        "name",
        Phrase.of(
            "the name \"%s\" is not the file's, \"%s\"; make them the same or leave it out",
            own, name));
  }

  private static Engine engine(YamlFields fields) {
    List<McpServer> none = List.of();
    var provider =
        fields.at("provider", () -> new Engine(fields.text("provider"), null, List.of(), none));
    var model = fields.at("model", () -> new Engine(null, fields.text("model"), List.of(), none));
    var tools =
        fields.at(
            "allowed_tools", () -> new Engine(null, null, fields.texts("allowed_tools"), none));
    return fields.at(
        "mcp_servers",
        () ->
            new Engine(provider.provider(), model.model(), tools.allowedTools(), servers(fields)));
  }

  private static List<McpServer> servers(YamlFields fields) {
    YamlFields all = fields.fields("mcp_servers");
    List<McpServer> servers = new ArrayList<>();
    for (String name : all.names()) {
      YamlFields one = all.fields(name).only("command", "args", "url", "env");
      List<String> words = new ArrayList<>(one.texts("command"));
      words.addAll(one.texts("args"));
      servers.add(
          all.at(name, () -> new McpServer(name, words, one.text("url"), one.textsByName("env"))));
    }
    return servers;
  }

  private static Prompts prompts(YamlFields fields, String body) {
    Prompts begin =
        fields.at("initial_prompt", () -> new Prompts("", fields.text("initial_prompt")));
    return fields.at("", () -> new Prompts(body, begin.initial()));
  }
}
