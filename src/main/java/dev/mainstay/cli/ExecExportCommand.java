package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay exec export}: what an execution leaves behind. */
@CommandLine.Command(
    name = "export",
    description = "Print the trace of the execution, or lines to learn from (JSON, JSON Lines).",
    footer = {
      "",
      "Example:",
      "  mainstay exec export --trace > trace.json",
      "  mainstay exec export --training --conversation chat.jsonl >> training.jsonl"
    })
final class ExecExportCommand extends ExecCommand {
  @Option(names = "--trace", description = "the whole execution in one object (default)")
  boolean trace;

  @Option(names = "--training", description = "training data; for executions, not simulations")
  boolean training;

  @Option(
      names = "--conversation",
      paramLabel = "FILE",
      description = "what was said, a JSON object a line, in place of what hooks saw; - reads it")
  @Nullable String conversation;

  ExecExportCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    if (trace && training) throw Refusal.invalid("say --trace or --training, not both");
    if (conversation != null && !training) {
      throw Refusal.invalid("--conversation belongs to --training");
    }
    List<JsonObject> said = said();
    var worked =
        looking(
            (house, task) ->
                training
                    ? house.traces().training(task, said)
                    : List.of(house.traces().trace(task)));
    worked.answer().forEach(session::json);
    worked.findings().forEach(finding -> session.note(Printable.line(finding.toString())));
    return ExitCodes.OK;
  }

  private List<JsonObject> said() {
    List<JsonObject> said = new ArrayList<>();
    if (conversation == null) return said;
    int number = 0;
    for (String line : session.input("the conversation", conversation).split("\\R")) {
      number++;
      if (line.isBlank()) continue;
      try {
        said.add(JsonText.object(line));
      } catch (Refusal bad) {
        throw Refusal.invalid(Phrase.of("line %d of the conversation: %s", number, bad.sentence()));
      }
    }
    return said;
  }
}
