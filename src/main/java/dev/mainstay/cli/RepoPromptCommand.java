package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.workspace.RepoPrompts;
import dev.mainstay.workspace.RepoPrompts.Prompt;
import dev.mainstay.workspace.RepoPrompts.Wanted;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay repo prompt}: what an agent loop sends to its model. */
@CommandLine.Command(
    name = "prompt",
    description =
        "Build the prompt of a turn: the rules, what is in the workspace, and what remains to be done.",
    footer = {
      "",
      "With context.use_snapshot set to false, or --no-snapshot, the full history is given instead.",
      "A history is stored as SnapshotHistory.toJson gives it, for example:",
      "  {\"template\": \"the rules\", \"unchanged\": 0, \"ended\": 0}",
      "  {\"id\": \"m-1\", \"role\": \"user\", \"content\": \"Begin.\"}",
      "",
      "Example:",
      "  mainstay repo prompt --template rules.md --story T-001",
      "  mainstay repo prompt --history history.jsonl --no-snapshot --json"
    })
final class RepoPromptCommand extends RepoCommands.OfStory {
  @Option(
      names = "--template",
      paramLabel = "FILE",
      description = "the rules, as the system message")
  @Nullable String template;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description =
          "the messages so far, one JSON object a line; the first line is about all of them")
  @Nullable String history;

  @Option(names = "--additional", paramLabel = "TEXT", description = "more context for this turn")
  @Nullable String additional;

  @Option(
      names = "--snapshot",
      negatable = true,
      description = "whether the snapshot stands for the history (default: as configured)")
  @Nullable Boolean snapshot;

  RepoPromptCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    if (template != null && history != null) {
      throw Refusal.invalid(
          "a history has its template in it; give one of --template and --history");
    }
    boolean use = snapshot == null ? session.services().useSnapshot() : snapshot;
    var wanted =
        new Wanted(
            template == null ? "" : session.input("the template", template),
            additional == null ? "" : additional,
            history == null ? List.of() : lines(session.input("the history", history)),
            use);
    Prompt prompt =
        with(
            (house, tracker) -> {
              scanned(tracker);
              return new RepoPrompts(tracker).build(wanted);
            });
    if (prompt.messages().isEmpty()) {
      throw Refusal.invalid(
          "without a snapshot there is nothing to send yet; give --history or --template, or --snapshot");
    }
    if (json) {
      session.json(prompt.toJson());
      return ExitCodes.OK;
    }
    prompt
        .messages()
        .forEach(
            message -> {
              session.print("[" + message.text("role") + "]");
              session.print(Printable.text(message.text("content").stripTrailing()));
              session.print("");
            });
    session.note(Phrase.of("%,d tokens", prompt.tokens()));
    return ExitCodes.OK;
  }

  private static List<JsonObject> lines(String text) {
    List<JsonObject> lines =
        text.lines().filter(line -> !line.isBlank()).map(JsonText::object).toList();
    if (!lines.isEmpty() && lines.get(0).get("template") == null) {
      throw Refusal.invalid(
          "a history begins with a line that has its template; 'mainstay repo prompt --help' shows one");
    }
    return lines;
  }
}
