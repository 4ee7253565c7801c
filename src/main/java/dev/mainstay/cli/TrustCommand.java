package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.trust.Standing;
import dev.mainstay.trust.Standing.Level;
import dev.mainstay.upkeep.ForeignContent.Item;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** {@code mainstay trust}: a person decides how much of a {@code .mainstay} folder counts. */
@CommandLine.Command(
    name = "trust",
    description =
        "Decide how much of this project's .mainstay counts, when it was not made here by you; for persons only.",
    footer = {
      "",
      "Without an option its tasks and notes open as quoted data. Settings that run a program, open the",
      "server or name a store, tokens, binding orders, flows, profiles and providers in it do not count.",
      "A container or CI names trusted projects in MAINSTAY_TRUST_FOLDERS, or as trust.folders in",
      "~/.config/mainstay/config.toml.",
      "",
      "Example:",
      "  mainstay trust --show",
      "  mainstay trust",
      "  mainstay trust --all"
    })
final class TrustCommand extends Command {
  /** At most one of them. */
  static final class How {
    @Option(names = "--show", description = "only list what would be believed")
    boolean show;

    @Option(names = "--all", description = "list what is there, and believe all of it")
    boolean all;
  }

  @ArgGroup How how = new How();

  TrustCommand(Session session) {
    super(session);
  }

  static void refuseAgent(Session session) {
    if (session.call(null).actor().isAgent()) {
      throw Refusal.conflict("only a person decides what is trusted; ask one to run this command")
          .reserved();
    }
  }

  @Override
  int run() {
    refuseAgent(session);
    if (db != null) {
      throw Refusal.invalid("trust is about this project's .mainstay folder; leave --db out");
    }
    Standing standing = session.services().standing();
    if (standing.level() == Level.REFUSED) throw standing.refusal();
    boolean lists = how.show || how.all;
    List<Item> found = lists ? session.services().foreignContent() : List.of();
    if (!how.show && !standing.isTrusted()) session.services().trust(how.all);
    Level now = session.services().standing().level();
    if (json) {
      session.json(JsonObject.of("folder", standing.folder(), "level", now, "found", json(found)));
      return ExitCodes.OK;
    }
    print(session, found);
    if (lists && found.isEmpty()) session.note("there is nothing in it that would be believed");
    session.print(sentence(standing, now));
    return ExitCodes.OK;
  }

  private static String sentence(Standing standing, Level now) {
    return switch (now) {
      case ABSENT ->
          Phrase.of("there is no %s yet; the one Mainstay makes is trusted", standing.folder());
      case TRUSTED -> Phrase.of("%s is trusted, with everything in it", standing.folder());
      case DATA ->
          Phrase.of(
              "%s is open for its tasks and notes, which are quoted as data; 'mainstay trust --all' believes the rest",
              standing.folder());
      default -> Phrase.of("%s is not trusted", standing.folder());
    };
  }

  static void print(Session session, List<Item> items) {
    for (Item item : items) {
      session.print(Phrase.of("%s: %s", item.kind(), Printable.line(item.what())));
    }
  }

  static List<JsonObject> json(List<Item> items) {
    return items.stream()
        .map(item -> JsonObject.of("kind", item.kind(), "what", item.what()))
        .toList();
  }
}
