package dev.mainstay.cli;

import dev.mainstay.directory.Finding;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Setting;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.state.Executions.View;
import dev.mainstay.state.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay exec feedback|accept|set}: what persons say about an execution. */
final class ExecReviewCommands {
  private static final int VALUE_CHARS_SHOWN_MAX = 100;

  private ExecReviewCommands() {}

  @CommandLine.Command(
      name = "feedback",
      description = "Say whether it goes well; the adaptation rules hear it.",
      footer = {
        "",
        "Example:",
        "  mainstay exec feedback \"great work\"",
        "  mainstay exec feedback --negative \"too long\""
      })
  static final class Feedback extends ExecCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "TEXT", description = "your words")
    @Nullable String words;

    @Option(names = "--positive", description = "it is praise")
    boolean positive;

    @Option(names = "--negative", description = "it is a complaint")
    boolean negative;

    Feedback(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (positive && negative) throw Refusal.invalid("say --positive or --negative, not both");
      Boolean said = positive ? Boolean.TRUE : negative ? Boolean.FALSE : null;
      String text = words == null ? "" : words;
      return answer(
          working((house, task) -> house.executions().feedback(task, text, said, caller())),
          "the feedback was heard");
    }
  }

  @CommandLine.Command(
      name = "accept",
      description = "Accept what waits for a person's decision; without a number, show it.",
      footer = {
        "",
        "Example:",
        "  mainstay exec accept",
        "  mainstay exec accept 1",
        "  mainstay exec accept 2 --reject",
        "  mainstay exec accept 1 --task T-001"
      })
  static final class Accept extends ExecCommand {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "N",
        description = "the proposal's number")
    @Nullable Integer number;

    @Option(names = "--reject", description = "turn it down instead")
    boolean reject;

    @Option(
        names = "--task",
        paramLabel = "T-001",
        description = "of this task, wherever its state directory is")
    @Nullable String task;

    Accept(Session session) {
      super(session);
    }

    @Override
    int run() {
      if (task != null) return run(session.task(db, task));
      Integer chosen = number;
      if (chosen == null) {
        var worked = looking((house, of) -> house.executions().view(of));
        return list(worked.answer(), worked.findings());
      }
      return answer(
          working((house, of) -> house.executions().settle(of, chosen, !reject, caller())),
          done(chosen));
    }

    /** Without its files, which follow when somebody next looks at them. */
    private int run(TaskId of) {
      Integer chosen = number;
      if (chosen == null) {
        return list(session.withExisting(db, house -> house.executions().view(of)), List.of());
      }
      Outcome outcome =
          session.withExisting(
              db, house -> house.executions().settle(of, chosen, !reject, caller()));
      if (json) session.json(outcome.toJson().with("findings", List.of()));
      else session.print(done(chosen));
      return ExitCodes.OK;
    }

    private String done(int chosen) {
      return Phrase.of("proposal %d is %s", chosen, reject ? "turned down" : "accepted");
    }

    private int list(View view, List<Finding> findings) {
      Execution execution = view.execution();
      List<Proposal> open = execution.review().open();
      if (json) {
        session.json(
            JsonObject.of("proposals", open.stream().map(p -> json(p, execution)).toList())
                .with("findings", json(findings)));
        return ExitCodes.OK;
      }
      for (Proposal proposal : open) {
        session.print(
            Printable.line(
                Phrase.of(
                    "%d. %s (asked for by %s)",
                    proposal.number(), proposal.shown(execution), proposal.origin().actor())));
      }
      if (open.isEmpty()) session.print("nothing waits for a decision");
      findings.forEach(finding -> session.note(Printable.line(finding.toString())));
      return ExitCodes.OK;
    }

    private static JsonObject json(Proposal proposal, Execution execution) {
      return JsonObject.of(
          "number",
          proposal.number(),
          "kind",
          proposal.kind(),
          "what",
          proposal.what(),
          "wanted",
          proposal.wanted(),
          "sentence",
          proposal.shown(execution));
    }
  }

  @CommandLine.Command(
      name = "set",
      description = "Give a constraint another value; an agent's looser one is a proposal.",
      footer = {
        "",
        "Example:",
        "  mainstay exec set max_cost_per_task 2.50",
        "  mainstay exec set priority quality"
      })
  static final class Set extends ExecCommand {
    @Parameters(index = "0", paramLabel = "FIELD", description = "a name in constraints.md")
    String field;

    @Parameters(index = "1", paramLabel = "VALUE", description = "its new value")
    String value;

    Set(Session session) {
      super(session);
    }

    @Override
    int run() {
      Setting setting = Setting.of(field);
      Object given = setting.kind() == Setting.Kind.TOOLS ? tools(setting) : setting.value(value);
      var worked = working((house, task) -> house.executions().set(task, setting, given, caller()));
      boolean asked = worked.answer().review();
      return answer(
          worked,
          asked
              ? "it was proposed"
              : Phrase.of("%s is now %s", field, setting.shown(setting.value(given))));
    }

    /** A shell takes quotes away, so the form is told rather than where the JSON went wrong. */
    private Object tools(Setting setting) {
      try {
        return JsonText.list(value);
      } catch (Refusal noList) {
        throw Refusal.invalid(
            Phrase.of(
                "%s is a list such as [\"Read\", \"Write\"], not %s; in a shell, put it into single quotes",
                setting.key(), Graphemes.cut(value, VALUE_CHARS_SHOWN_MAX)));
      }
    }
  }
}
