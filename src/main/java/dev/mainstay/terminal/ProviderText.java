package dev.mainstay.terminal;

import dev.mainstay.domain.McpShape;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.Provider.Manners;
import dev.mainstay.domain.ProviderCommand;
import dev.mainstay.domain.ProviderCommand.Part;
import dev.mainstay.domain.ProviderCommand.Place;
import dev.mainstay.domain.ScreenSigns;
import dev.mainstay.domain.Sign;
import dev.mainstay.json.YamlFields;
import dev.mainstay.json.YamlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A provider as YAML. Every fault is one sentence with the file and the line. */
final class ProviderText implements Shelf.Kind<Provider> {
  private static final String[] FIELDS = {
    "name",
    "description",
    "command",
    "any_program",
    "arguments",
    "environment",
    "screen",
    "exit",
    "settle",
    "enter_after",
    "pastes"
  };
  private static final String[] SCREEN = {"dialogs", "waiting", "busy", "ready", "answered"};

  @Override
  public String noun() {
    return "provider";
  }

  @Override
  public String folder() {
    return "providers";
  }

  @Override
  public String ending() {
    return ".yaml";
  }

  @Override
  public List<String> builtIn() {
    return List.of("claude-code", "codex", "copilot-cli", "gemini-cli", "opencode", "q", "shell");
  }

  @Override
  public Provider read(String name, String where, String text) {
    YamlFields fields = YamlText.fields(where, text).only(FIELDS);
    ProfileText.refuseOtherName(name, fields);
    ProviderCommand command = fields.at("command", () -> command(fields));
    Manners manners =
        fields.at(
            "exit",
            () ->
                new Manners(
                    fields.required("exit"),
                    duration(fields, "settle", Duration.ofSeconds(1)),
                    duration(fields, "enter_after", Duration.ofMillis(100)),
                    bracketsPastes(fields)));
    return fields.at(
        "environment",
        () ->
            new Provider(
                name,
                command,
                fields.textsByName("environment"),
                signs(fields.fields("screen").only(SCREEN)),
                manners));
  }

  private static ProviderCommand command(YamlFields fields) {
    YamlFields arguments =
        fields
            .fields("arguments")
            .only(Stream.of(Place.values()).map(Place::spelled).toArray(String[]::new));
    Map<Place, Part> parts = new LinkedHashMap<>();
    McpShape shape = McpShape.MCP_SERVERS;
    for (String name : arguments.names()) {
      YamlFields one =
          arguments.fields(name).only("words", "environment", "join", "typed", "shape");
      Place place = Stream.of(Place.values()).filter(p -> p.spelled().equals(name)).toList().get(0);
      parts.put(place, arguments.at(name, () -> part(one)));
      String typed = one.text("shape");
      if (typed == null) continue;
      if (place != Place.MCP_CONFIG) {
        throw one.fault("shape", "only mcp_config has a shape; leave it out here");
      }
      shape = one.at("shape", () -> McpShape.parse(typed));
    }
    return new ProviderCommand(fields.texts("command"), fields.truth("any_program"), parts, shape);
  }

  private static Part part(YamlFields one) {
    return new Part(
        one.texts("words"), one.textsByName("environment"), one.text("join"), one.truth("typed"));
  }

  private static ScreenSigns signs(YamlFields screen) {
    return screen.at(
        "",
        () ->
            new ScreenSigns(
                signs(screen, "dialogs"),
                signs(screen, "waiting"),
                signs(screen, "busy"),
                signs(screen, "ready"),
                signs(screen, "answered")));
  }

  /** Each pattern behind what it means. */
  private static List<Sign> signs(YamlFields screen, String kind) {
    YamlFields all = screen.fields(kind);
    List<Sign> signs = new ArrayList<>();
    for (String meaning : all.names()) {
      for (String pattern : all.texts(meaning)) {
        signs.add(all.at(meaning, () -> Sign.of(meaning, pattern)));
      }
    }
    return signs;
  }

  /** How the program takes what is pasted: in brackets, unless it takes every byte for a key. */
  private static boolean bracketsPastes(YamlFields fields) {
    String text = fields.text("pastes");
    if (text == null || text.equals("brackets")) return true;
    if (text.equals("keys")) return false;
    throw fields.fault("pastes", "the field \"pastes\" must be brackets or keys");
  }

  private static Duration duration(YamlFields fields, String name, Duration otherwise) {
    String text = fields.text(name);
    if (text == null) return otherwise;
    if (text.matches("\\d{1,6}ms")) {
      return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
    }
    if (text.matches("\\d{1,3}s")) {
      return Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
    }
    throw fields.fault(
        name, Phrase.of("the field \"%s\" must be a time such as 500ms or 2s", name));
  }
}
