package dev.mainstay.cli;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Prompts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay prompt}: what an agent would be shown. */
@CommandLine.Command(
    name = "prompt",
    description = "Print what an agent is shown about a task, within a budget.",
    footer = {
      "",
      "Example:",
      "  mainstay prompt T-001 --for claude-code",
      "  mainstay prompt T-001 --budget 1500 --stats"
    })
final class PromptCommand extends Command.OfTask {
  private static final String ANY_HOST = "api";

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "at most so many tokens (characters for claude-code)")
  @Nullable Integer budget;

  @Option(
      names = "--for",
      paramLabel = "HOST",
      description =
          "claude-code (10,000 characters), codex (2,500 tokens) or api (5,000 tokens);"
              + " default: the agent that asks")
  @Nullable String host;

  @Option(
      names = "--stats",
      description = "show its size by section, and how much stays the same from turn to turn")
  boolean stats;

  PromptCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    return run(session, db, new Asked(task, host, budget), stats, json);
  }

  /** Which task, for which host, within which limit. */
  record Asked(String task, @Nullable String host, @Nullable Integer budget) {}

  static int run(Session session, @Nullable String db, Asked asked, boolean stats, boolean json) {
    TaskId id = session.task(db, asked.task());
    Prompts.Wanted wanted = wanted(session, asked);
    if (stats) return stats(session, db, id, wanted, json);
    String text = session.withExisting(db, house -> house.prompts().render(id, wanted));
    if (json) session.json(JsonObject.of("task_id", id.value(), "prompt", text));
    else session.io().out().print(Printable.text(text));
    return ExitCodes.OK;
  }

  private static Prompts.Wanted wanted(Session session, Asked asked) {
    Actor reader = session.call(null).actor();
    String host = asked.host();
    if (host == null) host = Prompts.HOSTS.contains(reader.name()) ? reader.name() : ANY_HOST;
    return Prompts.Wanted.by(host).within(asked.budget()).readBy(reader);
  }

  private static int stats(
      Session session, @Nullable String db, TaskId id, Prompts.Wanted wanted, boolean json) {
    Prompts.Stats stats = session.withExisting(db, house -> house.prompts().stats(id, wanted));
    if (json) {
      session.json(stats.toJson());
      return ExitCodes.OK;
    }
    Table table = new Table(session.columns(), "SECTION", "TOKENS");
    stats.tokens().forEach((name, tokens) -> table.row(name, String.valueOf(tokens)));
    session.print(table.row("total", String.valueOf(stats.total())).lines());
    JsonObject all = stats.toJson();
    session.print(
        Phrase.of(
            "the same from turn to turn: %,d of %,d bytes (%s) over the last %d turns",
            all.number("common_prefix_bytes"),
            all.number("total_bytes"),
            all.text("common_prefix_ratio"),
            stats.turns()));
    return ExitCodes.OK;
  }
}
