package dev.mainstay.cli;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.McpServer;
import dev.mainstay.domain.Redactor;
import dev.mainstay.terminal.Listed;
import dev.mainstay.terminal.Profiles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** {@code mainstay profile ...}: the agents that can be started, and where they come from. */
final class ProfileCommands {
  private ProfileCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Show(session));
  }

  private static Profiles profiles(Session session) {
    return new Profiles(session.services().places());
  }

  @CommandLine.Command(
      name = "profile",
      synopsisSubcommandLabel = "COMMAND",
      description = "Look at the profiles of agents: the project's, yours, and the built-in ones.",
      footer = {
        "",
        "A profile is a file NAME.md in .mainstay/agents or ~/.config/mainstay/agents: fields between",
        "two lines ---, the system prompt below them.",
        "",
        "Example:",
        "  mainstay profile show developer"
      })
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "list",
      description = "List the profiles, where each comes from, and which one hides another.",
      footer = {"", "Example:", "  mainstay profile list"})
  private static final class ListAll extends Command {
    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Listed<AgentProfile>> all = profiles(session).list();
      if (json) {
        session.json(JsonObject.of("profiles", all.stream().map(ListAll::json).toList()));
        return ExitCodes.OK;
      }
      Table table = new Table(session.columns(), "NAME", "FROM", "PROVIDER", "ROLE", "DESCRIPTION");
      for (Listed<AgentProfile> each : all) {
        AgentProfile profile = each.item();
        table.row(
            each.source().name(),
            each.source().origin().spelled() + (each.hiddenBy() == null ? "" : ", hidden"),
            profile == null ? "-" : or(profile.engine().provider()),
            profile == null ? "-" : or(profile.about().role()),
            profile == null ? "cannot be read" : profile.about().description());
      }
      session.print(table.lines());
      for (Listed<AgentProfile> each : all) {
        if (each.fault() != null) session.note(Printable.line(each.fault()));
      }
      return ExitCodes.OK;
    }

    private static JsonObject json(Listed<AgentProfile> each) {
      AgentProfile profile = each.item();
      return JsonObject.of("name", each.source().name(), "where", each.source().where())
          .with("origin", each.source().origin().spelled())
          .with("hidden_by", each.hiddenBy())
          .with("fault", each.fault())
          .with("provider", profile == null ? null : profile.engine().provider())
          .with("role", profile == null ? null : profile.about().role())
          .with("description", profile == null ? null : profile.about().description());
    }
  }

  @CommandLine.Command(
      name = "show",
      description = "Show a profile: what it runs on and what it tells its agent.",
      footer = {"", "Example:", "  mainstay profile show developer"})
  private static final class Show extends Command {
    @Parameters(index = "0", paramLabel = "NAME", description = "the profile's name")
    String name;

    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      Profiles profiles = profiles(session);
      Listed.Source source = profiles.source(name);
      AgentProfile profile = profiles.get(name);
      if (json) {
        // A server's environment is where people keep keys, and what is shown is often pasted.
        session.json(
            Redactor.DEFAULT
                .redactObject(profile.toJson())
                .with("origin", source.origin().spelled())
                .with("where", source.where()));
      } else {
        session.print(lines(source, profile));
      }
      return ExitCodes.OK;
    }
  }

  private static List<String> lines(Listed.Source source, AgentProfile profile) {
    AgentProfile.Engine engine = profile.engine();
    List<String> lines = new ArrayList<>();
    lines.add(profile.name() + ": " + Printable.line(profile.about().description()));
    lines.add("from:           " + Printable.line(source.where()));
    lines.add("role:           " + or(profile.about().role()));
    lines.add("provider:       " + or(engine.provider()));
    lines.add("model:          " + or(engine.model()));
    lines.add("allowed tools:  " + or(joined(engine.allowedTools())));
    lines.add(
        "MCP servers:    "
            + or(joined(engine.mcpServers().stream().map(McpServer::name).toList())));
    lines.add("initial prompt: " + or(profile.prompts().initial()));
    lines.add("");
    lines.add(Printable.text(Redactor.DEFAULT.redact(profile.prompts().system())));
    return lines;
  }

  private static @Nullable String joined(List<String> texts) {
    return texts.isEmpty() ? null : texts.stream().collect(Collectors.joining(", "));
  }

  private static String or(@Nullable String text) {
    return text == null ? "-" : Printable.line(text);
  }
}
