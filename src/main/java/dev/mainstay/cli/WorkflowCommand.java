package dev.mainstay.cli;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.workflow.WorkflowExecutions;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands about workflows share. */
abstract class WorkflowCommand extends Command {
  WorkflowCommand(Session session) {
    super(session);
  }

  /** Without a server nobody else looks at the clock, so what is due happens first. */
  <T> T upToDate(Function<WorkflowExecutions, T> use) {
    return session.withExisting(
        db,
        house -> {
          house.workflowExecutions().due();
          return use.apply(house.workflowExecutions());
        });
  }

  int told(WorkflowExecution execution, String sentence) {
    if (json) session.json(execution.toJson());
    else session.print(Printable.line(sentence));
    return ExitCodes.OK;
  }

  /** Commands that change something. */
  abstract static class Writing extends WorkflowCommand {
    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    Writing(Session session) {
      super(session);
    }

    Call caller() {
      return session.call(key);
    }
  }

  /** Commands that change one execution. */
  abstract static class OfExecution extends Writing {
    @Parameters(index = "0", paramLabel = "EXECUTION", description = "the execution's id")
    String execution;

    OfExecution(Session session) {
      super(session);
    }

    int told(WorkflowExecution after) {
      return told(after, WorkflowText.sentence(after));
    }
  }
}
