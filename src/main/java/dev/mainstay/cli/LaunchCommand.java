package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Terminal;
import dev.mainstay.terminal.LaunchOrder;
import dev.mainstay.terminal.LaunchOrder.Where;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay launch}: starts agents in windows of tmux. */
@CommandLine.Command(
    name = "launch",
    description = "Start agents, each in a window of tmux that goes on without this command.",
    footer = {
      "",
      "'mainstay profile list' shows whom there is to start. Messages to an agent are typed onto its",
      "screen while 'mainstay serve' runs.",
      "",
      "Example:",
      "  mainstay launch --agents code_supervisor",
      "  mainstay launch --agents developer,reviewer --provider codex --session login",
      "  mainstay launch --agents developer --provider shell -- bash"
    })
final class LaunchCommand extends Command {
  private static final Duration BEGIN_LIMIT = Duration.ofSeconds(20);

  @Option(
      names = "--agents",
      required = true,
      split = ",",
      paramLabel = "PROFILE",
      description = "the profiles to start, separated by commas; one twice starts two")
  List<String> profiles = List.of();

  @Option(
      names = "--provider",
      paramLabel = "P",
      description = "the agents' program, in place of their profile's")
  @Nullable String provider;

  @Option(
      names = "--session",
      paramLabel = "S",
      defaultValue = LaunchOrder.SESSION,
      description = "the tmux session they share (default: ${DEFAULT-VALUE})")
  String inSession;

  @Option(names = "--dir", paramLabel = "DIR", description = "where they work (default: here)")
  @Nullable Path folder;

  @Option(
      names = "--prompt",
      paramLabel = "TEXT",
      description = "what they are told first, in place of their profile's; - reads it")
  @Nullable String prompt;

  @Option(
      names = "--var",
      paramLabel = "K=V",
      description = "a variable that {{name}} in the prompt stands for; can be given several times")
  Map<String, String> variables = Map.of();

  @Option(
      names = "--reuse",
      description =
          "take a free terminal of the profile in that session and folder if there is one")
  boolean reuse;

  @Option(names = "--attach", description = "look at the first one at once")
  boolean attach;

  @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
  @Nullable String key;

  @Parameters(
      paramLabel = "PROGRAM",
      description = "what to run, with a provider that runs any program; after --")
  List<String> program = List.of();

  LaunchCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    Path where = folder == null ? session.services().workDir() : folder;
    JsonObject told =
        JsonObject.of(
            "variables",
            variables.isEmpty() ? null : variables,
            "initial_prompt",
            session.textOrInput("the prompt", prompt));
    List<Terminal> started =
        session.with(db, house -> start(house, new Where(inSession, where), told));
    if (json)
      session.json(JsonObject.of("terminals", started.stream().map(Terminal::toJson).toList()));
    else started.forEach(each -> session.print(sentence(each)));
    if (!attach) return ExitCodes.OK;
    List<String> argv =
        session.withExisting(db, house -> house.screens().attach(started.get(0).id()));
    return ScreenCommands.attached(session, argv);
  }

  private List<Terminal> start(House house, Where where, JsonObject told) {
    profiles.forEach(each -> house.launches().mustKnow(each, provider));
    List<Terminal> made = new ArrayList<>();
    int count = 0;
    for (String profile : profiles) {
      var order = new LaunchOrder(profile, provider, where, told, program);
      String own = key == null ? null : key + (count == 0 ? "" : "/" + count);
      made.add(
          reuse
              ? house.launches().findOrLaunch(order, session.call(own))
              : house.launches().launch(order, session.call(own)));
      count++;
    }
    return made.stream().map(each -> house.tend(each.id(), BEGIN_LIMIT)).toList();
  }

  private static String sentence(Terminal each) {
    Seat.Standing standing = each.seated().standing();
    String head = Printable.line(each.id());
    if (!each.isLive()) {
      return Phrase.of(
          "%s is over already: %s; 'mainstay terminal output %s' shows its last lines",
          head, Printable.line(String.valueOf(standing.why())), head);
    }
    String how =
        switch (standing.status()) {
          case READY, DONE, BUSY -> "runs";
          case WAITING_FOR_PERSON -> "waits for you: " + standing.why();
          default -> "was started and is not ready yet";
        };
    return Phrase.of(
        "%s %s; 'mainstay terminal attach %s' shows it", head, Printable.line(how), head);
  }
}
