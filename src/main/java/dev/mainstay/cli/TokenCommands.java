package dev.mainstay.cli;

import dev.mainstay.access.AccessTokens;
import dev.mainstay.access.AccessTokens.Issued;
import dev.mainstay.domain.AccessToken;
import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay token ...}: who may call the server. */
final class TokenCommands {
  private static final Pattern LIFE = Pattern.compile("(\\d{1,6})(s|m|h|d)");

  private TokenCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Issue(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Revoke(session))
        .addSubcommand(new Rotate(session));
  }

  @CommandLine.Command(
      name = "token",
      synopsisSubcommandLabel = "COMMAND",
      description = "Say who may call the server.",
      footer = {"", "Example:", "  mainstay token issue --role viewer --name wall --life 30d"})
  private static final class Noun extends Command.Noun {}

  private static @Nullable Duration life(@Nullable String typed) {
    if (typed == null) return null;
    Matcher matcher = LIFE.matcher(typed.strip());
    if (!matcher.matches())
      throw Refusal.invalid("a token's life is a time such as 10m, 8h or 30d");
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  @CommandLine.Command(
      name = "issue",
      description = "Make a token and print its secret, which is shown this once.",
      footer = {
        "",
        "Example:",
        "  mainstay token issue --role agent --name coder --terminal coder-1",
        "  mainstay token issue --role viewer --name wall --life 30d"
      })
  private static final class Issue extends Command {
    @Option(
        names = "--role",
        required = true,
        paramLabel = "ROLE",
        description = "person, agent (bound to its terminal) or viewer (looks only)")
    String role;

    @Option(names = "--name", required = true, paramLabel = "NAME", description = "whose it is")
    String name;

    @Option(names = "--terminal", paramLabel = "ID", description = "the terminal of an agent")
    @Nullable String terminal;

    @Option(
        names = "--life",
        paramLabel = "30d",
        description = "how long it is good (default: until it is revoked)")
    @Nullable String life;

    Issue(Session session) {
      super(session);
    }

    @Override
    int run() {
      var wanted = new AccessTokens.Wanted(Role.parse(role), name, terminal, life(life));
      Issued issued = session.with(db, house -> house.access().issue(wanted, session.call(null)));
      if (json) session.json(issued.toJson());
      else session.print(issued.secret());
      if (!json) session.note(Phrase.of("this is %s; it is not shown again", issued.token().id()));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the tokens; secrets are not kept.",
      footer = {"", "Example:", "  mainstay token list"})
  private static final class ListAll extends Command {
    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<AccessToken> all = session.withExisting(db, house -> house.access().list());
      if (json) {
        session.json(JsonObject.of("tokens", all.stream().map(AccessToken::toJson).toList()));
        return ExitCodes.OK;
      }
      if (all.isEmpty()) session.note("no tokens; 'mainstay token issue' makes one");
      else session.print(table(all));
      return ExitCodes.OK;
    }

    private List<String> table(List<AccessToken> all) {
      Table table = new Table(session.columns(), "ID", "ROLE", "TERMINAL", "GOOD UNTIL", "NAME");
      for (AccessToken token : all) {
        Instant end = token.life().expiresAt();
        table.row(
            token.id(),
            token.role().typed(),
            token.terminal() == null ? "-" : token.terminal(),
            end == null ? "no end" : TaskText.time(end),
            token.name());
      }
      return table.lines();
    }
  }

  @CommandLine.Command(
      name = "revoke",
      description = "End a token at once.",
      footer = {"", "Example:", "  mainstay token revoke tok-0a1b2c3d4e"})
  private static final class Revoke extends Command {
    @Parameters(paramLabel = "ID", description = "which; 'mainstay token list' shows them")
    String id;

    Revoke(Session session) {
      super(session);
    }

    @Override
    int run() {
      AccessToken gone =
          session.withExisting(db, house -> house.access().revoke(id, session.call(null)));
      if (json) session.json(gone.toJson());
      else session.print(gone.id() + " lets nobody in any more");
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "rotate",
      description = "Replace your own token, the one in .mainstay/token; running servers follow.",
      footer = {"", "Example:", "  mainstay token rotate"})
  private static final class Rotate extends Command {
    Rotate(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (session.call(null).actor().isAgent()) {
        throw Refusal.conflict("a person's token is rotated by a person; ask one to do it")
            .reserved();
      }
      session.services().localToken().rotate();
      if (json) session.json(JsonObject.of("rotated", true));
      else
        session.print("the old token lets nobody in any more; the new one is in .mainstay/token");
      return ExitCodes.OK;
    }
  }
}
