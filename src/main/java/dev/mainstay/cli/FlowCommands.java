package dev.mainstay.cli;

import dev.mainstay.domain.Flow;
import dev.mainstay.domain.FlowRun;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.terminal.FlowText;
import dev.mainstay.terminal.Flows;
import dev.mainstay.terminal.NewFlow;
import dev.mainstay.terminal.Profiles;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay flow ...}: agents that are started by the calendar. */
final class FlowCommands {
  private FlowCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Add(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Show(session))
        .addSubcommand(new Run(session))
        .addSubcommand(new Enable(session))
        .addSubcommand(new Disable(session))
        .addSubcommand(new Remove(session));
  }

  @CommandLine.Command(
      name = "flow",
      synopsisSubcommandLabel = "COMMAND",
      description = "Start agents by the calendar, if a script agrees.",
      footer = {
        "",
        "A flow is a markdown file: fields between two lines --- (name, schedule, profile; if need be",
        "zone, provider, script, missed, variables), and below them what the agent is told, in which",
        "[[name]] stands for a value. 'mainstay serve' runs what is due.",
        "",
        "Example:",
        "  mainstay flow add flows/nightly.md",
        "  mainstay flow run nightly"
      })
  private static final class Noun extends Command.Noun {}

  /** Commands about one flow that change something. */
  private abstract static class OfFlow extends Command {
    @Parameters(index = "0", paramLabel = "NAME", description = "the flow's name")
    String name;

    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    OfFlow(Session session) {
      super(session);
    }

    int told(Flow flow, String sentence) {
      if (json) session.json(flow.toJson());
      else session.print(sentence);
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "add",
      description = "Add a flow from its file, or replace the one of its name.",
      footer = {"", "Example:", "  mainstay flow add flows/nightly.md"})
  private static final class Add extends Command {
    @Parameters(index = "0", paramLabel = "FILE", description = "the flow as markdown")
    Path file;

    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      Path place = file.toAbsolutePath().normalize();
      Path folder = place.getParent();
      NewFlow wanted =
          FlowText.read(
              new FlowText.Source(
                  file.toString(),
                  session.input("the flow", place.toString()),
                  folder == null ? place : folder,
                  session.services().workDir(),
                  ZoneId.systemDefault()));
      // A name that no profile has would be found out at night.
      new Profiles(session.services().places()).get(wanted.work().profile());
      Flow flow = session.with(db, house -> house.flows().add(wanted, session.call(key)));
      if (json) session.json(flow.toJson());
      else session.print(sentence(flow));
      return ExitCodes.OK;
    }
  }

  private static String sentence(Flow flow) {
    return Phrase.of("%s runs %s, version %d", flow.name(), next(flow), flow.stamps().version());
  }

  /** When it runs next, by the clock of its zone. */
  private static String next(Flow flow) {
    if (!flow.stamps().enabled()) return "only by hand (disabled)";
    Instant next = flow.stamps().nextRun();
    return next == null ? "never again" : time(flow, next);
  }

  private static String time(Flow flow, Instant moment) {
    ZoneId zone = ZoneId.of(flow.timing().zone());
    String text = LocalDateTime.ofInstant(moment.truncatedTo(ChronoUnit.SECONDS), zone).toString();
    return text.replace('T', ' ') + " " + flow.timing().zone();
  }

  @CommandLine.Command(
      name = "list",
      description = "List the flows and when each runs next, by the clock of its zone.",
      footer = {"", "Example:", "  mainstay flow list"})
  private static final class ListAll extends Command {
    @Option(names = "--after", paramLabel = "NAME", description = "go on after this flow")
    @Nullable String after;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<Flow> all = session.withExisting(db, house -> house.flows().list(after, Flows.PAGE_MAX));
      if (json) {
        session.json(JsonObject.of("flows", all.stream().map(Flow::toJson).toList()));
      } else if (all.isEmpty()) {
        session.note("no flows; 'mainstay flow add FILE' adds one");
      } else {
        Table table =
            new Table(session.columns(), "NAME", "NEXT RUN", "SCHEDULE", "PROFILE", "HOST");
        for (Flow each : all) {
          table.row(
              each.name(),
              next(each),
              each.timing().schedule(),
              each.work().profile(),
              each.place().host());
        }
        session.print(table.lines());
      }
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "show",
      description = "Show a flow, its next runs, and what became of its last.",
      footer = {"", "Example:", "  mainstay flow show nightly"})
  private static final class Show extends Command {
    @Parameters(index = "0", paramLabel = "NAME", description = "the flow's name")
    String name;

    Show(Session session) {
      super(session);
    }

    @Override
    int run() {
      Flows.Shown shown = session.withExisting(db, house -> house.flows().show(name));
      if (json) session.json(shown.toJson());
      else session.print(lines(shown));
      return ExitCodes.OK;
    }
  }

  private static List<String> lines(Flows.Shown shown) {
    Flow flow = shown.flow();
    List<String> lines = new ArrayList<>();
    lines.add(sentence(flow));
    lines.add("schedule:  " + flow.timing().schedule() + ", " + flow.timing().zone());
    lines.add("missed:    " + flow.timing().missed().typed());
    lines.add("profile:   " + flow.work().profile());
    lines.add("provider:  " + or(flow.work().provider()));
    lines.add("script:    " + or(flow.work().script()));
    lines.add("place:     " + Printable.line(flow.place().host() + ":" + flow.place().workDir()));
    for (Instant each : shown.next()) lines.add("next:      " + time(flow, each));
    for (FlowRun each : shown.runs()) lines.add("run:       " + line(flow, each));
    lines.add("");
    lines.add(Printable.text(flow.work().body()));
    return lines;
  }

  private static String or(@Nullable String text) {
    return text == null ? "-" : Printable.line(text);
  }

  private static String line(Flow flow, FlowRun run) {
    return time(flow, run.dueAt()) + (run.byHand() ? " by hand" : "") + ": " + outcome(run);
  }

  private static String outcome(FlowRun run) {
    String status = run.outcome().status().name();
    if (run.outcome().terminal() != null) return status + " " + or(run.outcome().terminal());
    return status + (run.outcome().reason() == null ? "" : ", " + or(run.outcome().reason()));
  }

  @CommandLine.Command(
      name = "run",
      description = "Run a flow now: ask its script, and start its agent if it agrees.",
      footer = {"", "Example:", "  mainstay flow run nightly"})
  private static final class Run extends OfFlow {
    Run(Session session) {
      super(session);
    }

    @Override
    int run() {
      FlowRun run = session.withExisting(db, house -> house.flows().run(name, session.call(key)));
      if (json) session.json(run.toJson());
      else session.print(name + ": " + outcome(run));
      return run.outcome().status() == FlowRun.Status.FAILED ? ExitCodes.REFUSED : ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "enable",
      description = "Let a flow run by its schedule, from now on.",
      footer = {"", "Example:", "  mainstay flow enable nightly"})
  private static final class Enable extends OfFlow {
    Enable(Session session) {
      super(session);
    }

    @Override
    int run() {
      Flow flow = session.withExisting(db, house -> house.flows().enable(name, session.call(key)));
      return told(flow, sentence(flow));
    }
  }

  @CommandLine.Command(
      name = "disable",
      description = "Let a flow rest; it can still be run by hand.",
      footer = {"", "Example:", "  mainstay flow disable nightly"})
  private static final class Disable extends OfFlow {
    Disable(Session session) {
      super(session);
    }

    @Override
    int run() {
      Flow flow = session.withExisting(db, house -> house.flows().disable(name, session.call(key)));
      return told(flow, sentence(flow));
    }
  }

  @CommandLine.Command(
      name = "remove",
      description = "Take a flow away; agents it started go on.",
      footer = {"", "Example:", "  mainstay flow remove nightly"})
  private static final class Remove extends OfFlow {
    Remove(Session session) {
      super(session);
    }

    @Override
    int run() {
      Flow flow = session.withExisting(db, house -> house.flows().remove(name, session.call(key)));
      return told(flow, flow.name() + " is removed");
    }
  }
}
