package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.json.JsonText;
import dev.mainstay.workflow.WorkflowExecutions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay workflow pause|resume|cancel|answer|migrate}: one execution held and helped. */
final class WorkflowControlCommands {
  private WorkflowControlCommands() {}

  static void addTo(CommandLine noun, Session session) {
    noun.addSubcommand(new Pause(session))
        .addSubcommand(new Resume(session))
        .addSubcommand(new Cancel(session))
        .addSubcommand(new Answer(session))
        .addSubcommand(new Migrate(session));
  }

  @CommandLine.Command(
      name = "pause",
      description = "Let an execution begin nothing new; what is under way goes on.",
      footer = {"", "Example:", "  mainstay workflow pause exec-0a1b2c3d --reason holidays"})
  private static final class Pause extends WorkflowCommand.OfExecution {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why")
    String reason;

    Pause(Session session) {
      super(session);
    }

    @Override
    int run() {
      return told(upToDate(executions -> executions.pause(execution, reason, caller())));
    }
  }

  @CommandLine.Command(
      name = "resume",
      description = "Let a paused execution go on, or help one over what went wrong.",
      footer = {
        "",
        "Example:",
        "  mainstay workflow resume exec-0a1b2c3d --retry build --var port=8081",
        "  mainstay workflow resume exec-0a1b2c3d --skip build --result '{\"built\": false}'"
      })
  private static final class Resume extends WorkflowCommand.OfExecution {
    @Option(names = "--retry", paramLabel = "NODE", description = "try again what went wrong there")
    @Nullable String retry;

    @Option(names = "--skip", paramLabel = "NODE", description = "go on as if that were done")
    @Nullable String skip;

    @Mixin VariableOptions variables;

    @Option(
        names = "--result",
        paramLabel = "JSON",
        description = "with --skip: " + VariableOptions.RESULT_MEANS)
    @Nullable String result;

    Resume(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (retry != null && skip != null) {
        throw Refusal.invalid("a node is tried again or skipped; give --retry or --skip, not both");
      }
      if (retry == null && !variables.typed.isEmpty()) {
        throw Refusal.invalid("--var goes with --retry NODE; name the node to try again");
      }
      if (skip == null && result != null) {
        throw Refusal.invalid("--result goes with --skip NODE; name the node to skip");
      }
      String given = session.textOrInput("the result", result);
      JsonObject outcome = given == null ? JsonObject.EMPTY : JsonText.object(given);
      return told(upToDate(executions -> resumed(executions, outcome)));
    }

    private WorkflowExecution resumed(WorkflowExecutions executions, JsonObject outcome) {
      String again = retry;
      String over = skip;
      if (again != null) return executions.retry(execution, again, variables.values(), caller());
      if (over != null) return executions.skip(execution, over, outcome, caller());
      return executions.resume(execution, caller());
    }
  }

  @CommandLine.Command(
      name = "cancel",
      description = "End an execution with all the work it still wants.",
      footer = {"", "Example:", "  mainstay workflow cancel exec-0a1b2c3d --reason \"not needed\""})
  private static final class Cancel extends WorkflowCommand.OfExecution {
    @Option(names = "--reason", paramLabel = "TEXT", defaultValue = "", description = "why")
    String reason;

    Cancel(Session session) {
      super(session);
    }

    @Override
    int run() {
      return told(upToDate(executions -> executions.cancel(execution, reason, caller())));
    }
  }

  @CommandLine.Command(
      name = "answer",
      description = "Answer what a workflow asks; 'mainstay workflow questions' shows what.",
      footer = {
        "",
        "Example:",
        "  mainstay workflow answer exec-0a1b2c3d approve --answer approve",
        "  mainstay workflow answer exec-0a1b2c3d approve --answer reject --var why=\"too early\""
      })
  private static final class Answer extends WorkflowCommand.OfExecution {
    @Parameters(index = "1", paramLabel = "NODE", description = "the node that asks")
    String node;

    @Option(
        names = "--answer",
        paramLabel = "TEXT",
        description = "the answer, as the field \"answer\"; - reads it")
    @Nullable String answer;

    @Mixin VariableOptions fields;

    Answer(Session session) {
      super(session);
    }

    @Override
    int run() {
      String text = session.textOrInput("the answer", answer);
      JsonObject given = fields.values().with("answer", text == null ? null : text.strip());
      return told(upToDate(executions -> executions.answer(execution, node, given, caller())));
    }
  }

  @CommandLine.Command(
      name = "migrate",
      description = "Let an execution go on by another version of its workflow.",
      footer = {"", "Example:", "  mainstay workflow migrate exec-0a1b2c3d --to 3"})
  private static final class Migrate extends WorkflowCommand.OfExecution {
    @Option(
        names = "--to",
        paramLabel = "VERSION",
        description = "the version's number (default: the newest)")
    @Nullable Long version;

    Migrate(Session session) {
      super(session);
    }

    @Override
    int run() {
      return told(upToDate(executions -> executions.migrate(execution, version, caller())));
    }
  }
}
