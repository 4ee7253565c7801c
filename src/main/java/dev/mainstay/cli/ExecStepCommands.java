package dev.mainstay.cli;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.StepWork.Report;
import dev.mainstay.state.StepWork.Started;
import dev.mainstay.state.StepWork.Usage;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay exec step ...}: one step after the other. */
final class ExecStepCommands {
  private ExecStepCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Start(session))
        .addSubcommand(new Finish(session));
  }

  @CommandLine.Command(
      name = "step",
      synopsisSubcommandLabel = "COMMAND",
      description = "Start and finish the steps of the plan.",
      footer = {
        "",
        "Example:",
        "  mainstay exec step start",
        "  mainstay exec step finish --output \"3 pages\" --cost 0.04"
      })
  private static final class Noun extends Command.Noun {}

  @CommandLine.Command(
      name = "start",
      description = "Start a step and print its inputs, with the references resolved.",
      footer = {"", "Example:", "  mainstay exec step start", "  mainstay exec step start 2"})
  private static final class Start extends ExecCommand {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "N",
        description = "the step's number, from 1 (default: the next one)")
    @Nullable Integer number;

    Start(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (number != null && number < 1) throw Refusal.invalid("steps are counted from 1");
      var worked = working((house, task) -> house.steps().start(task, number, caller()));
      Started started = worked.answer();
      String waitsFor = started.waitsFor();
      if (json) {
        session.json(
            started
                .outcome()
                .toJson()
                .with("step", started.step())
                .with("waits_for", waitsFor)
                .with("inputs", started.inputs())
                .with("findings", json(worked.findings())));
      } else if (waitsFor == null) {
        session.print(Phrase.of("step %d is under way", started.step()));
        for (var input : started.inputs().asMap().entrySet()) {
          Object value = input.getValue();
          String text = value instanceof String plain ? plain : JsonText.write(value);
          session.print(Printable.line(Phrase.of("  %s: %s", input.getKey(), text)));
        }
      }
      told(worked, started.outcome());
      if (waitsFor == null) return ExitCodes.OK;
      session.note(
          Phrase.of(
              "mainstay: step %d was not started, a person must agree first: %s",
              started.step(), waitsFor));
      return ExitCodes.REFUSED;
    }
  }

  @CommandLine.Command(
      name = "finish",
      description = "Write down how the step that is under way went.",
      footer = {
        "",
        "Example:",
        "  mainstay exec step finish --output \"3 pages\" --cost 0.04 --tool WebFetch",
        "  mainstay exec step finish --error \"the site did not answer\"",
        "  mainstay exec step finish --set extracted_data.total=42"
      })
  private static final class Finish extends ExecCommand {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "N",
        description = "the step's number, to be sure")
    @Nullable Integer number;

    @Option(names = "--output", paramLabel = "TEXT", description = "what came out; - reads it")
    @Nullable String output;

    @Option(names = "--error", paramLabel = "TEXT", description = "what went wrong: it failed")
    @Nullable String error;

    @Option(names = "--inputs", paramLabel = "TEXT", description = "what really went in")
    @Nullable String inputs;

    @Option(names = "--component", paramLabel = "NAME", description = "who did it")
    @Nullable String component;

    @Option(names = "--tool", paramLabel = "NAME", description = "the tool that was used")
    @Nullable String tool;

    @Option(names = "--changes", paramLabel = "TEXT", description = "files made or changed")
    @Nullable String changes;

    @Option(names = "--notes", paramLabel = "TEXT", description = "what else was noticed")
    @Nullable String notes;

    @Option(names = "--cost", paramLabel = "DOLLARS", description = "what it cost")
    @Nullable String cost;

    @Option(
        names = "--time",
        paramLabel = "TIME",
        description = "how long it took (default: since it was started)")
    @Nullable String time;

    @Option(names = "--file-ops", paramLabel = "N", description = "file operations it made")
    @Nullable Long fileOperations;

    @Option(names = "--web-requests", paramLabel = "N", description = "web requests it made")
    @Nullable Long webRequests;

    @Option(
        names = "--set",
        paramLabel = "PATH=VALUE",
        description = "a variable for later steps; the value is JSON, or else text")
    Map<String, String> set = new LinkedHashMap<>();

    Finish(Session session) {
      super(session);
    }

    @Override
    int run() {
      Map<Field, String> texts = new EnumMap<>(Field.class);
      put(texts, Field.REAL_OUTPUTS, session.textOrInput("the output", output));
      put(texts, Field.ERRORS, error);
      put(texts, Field.REAL_INPUTS, inputs);
      put(texts, Field.COMPONENT_USED, component);
      put(texts, Field.TOOL_USED, tool);
      put(texts, Field.STATE_CHANGES, changes);
      put(texts, Field.NOTES, notes);
      if (error != null && error.isBlank()) throw Refusal.invalid("say what went wrong");
      Usage usage =
          new Usage(
              cost == null ? null : Amount.dollars("--cost", cost),
              time == null ? null : Amount.seconds("--time", time),
              fileOperations,
              webRequests);
      Report report = new Report(texts, usage, variables(), number);
      var worked = working((house, task) -> house.steps().finish(task, report, caller()));
      return answer(worked, error == null ? "the step is done" : "the step failed");
    }

    private static void put(Map<Field, String> texts, Field field, @Nullable String text) {
      if (text != null) texts.put(field, text);
    }

    private JsonObject variables() {
      JsonObject variables = JsonObject.EMPTY;
      for (var entry : set.entrySet()) {
        variables = variables.withAny(entry.getKey(), value(entry.getValue()));
      }
      return variables;
    }

    private static @Nullable Object value(String typed) {
      try {
        return JsonText.object("{\"value\":" + typed + "}").get("value");
      } catch (Refusal plainText) {
        return typed;
      }
    }
  }
}
