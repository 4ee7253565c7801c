package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.TaskType;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay task claim|start|heartbeat|complete|fail|release}: hold a task and end it. */
final class LeaseCommands {
  private static final Pattern LENGTH = Pattern.compile("(\\d{1,6})(s|m|h|d)");

  private LeaseCommands() {}

  static void addTo(CommandLine task, Session session) {
    task.addSubcommand(new Claim(session))
        .addSubcommand(new Start(session))
        .addSubcommand(new Heartbeat(session))
        .addSubcommand(new Complete(session))
        .addSubcommand(new Fail(session))
        .addSubcommand(new Release(session));
  }

  static Duration length(String typed) {
    return length("a lease", typed);
  }

  static Duration length(String what, String typed) {
    Matcher matcher = LENGTH.matcher(typed.strip());
    if (!matcher.matches()) {
      throw Refusal.invalid(
          Phrase.of("invalid length \"%s\": %s is a time such as 90s, 10m, 2h or 1d", typed, what));
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofHours(amount);
    };
  }

  private static int show(Command command, Task task, String sentence) {
    if (command.json) command.session.json(TaskJson.write(task));
    else command.session.print(sentence);
    return ExitCodes.OK;
  }

  @CommandLine.Command(
      name = "claim",
      description = "Take the most urgent ready tasks; prints each with its fence.",
      footer = {"", "Example:", "  mainstay task claim --as coder-1 --type CODE --lease 10m"})
  private static final class Claim extends Command.Writing {
    @Option(names = "--as", required = true, paramLabel = "WORKER", description = "who takes them")
    String worker;

    @Option(
        names = "--type",
        paramLabel = "CODE",
        split = ",",
        description = "only tasks of this type, or of these")
    List<String> types = List.of();

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "1",
        description = "at most so many (default 1)")
    int limit;

    @Option(
        names = "--lease",
        paramLabel = "10m",
        defaultValue = "10m",
        description = "for how long, unless renewed (default 10m)")
    String lease;

    @Option(
        names = "--wait",
        paramLabel = "30s",
        defaultValue = "0s",
        description = "for so long if nothing is ready, at most 60s (default 0s)")
    String wait;

    Claim(Session session) {
      super(session);
    }

    private List<Task> claim(House house, Wanted wanted) {
      return house.dispatcher().claim(wanted, length("a wait", wait), caller());
    }

    @Override
    int run() {
      var wanted =
          new Wanted(worker, types.stream().map(TaskType::new).toList(), limit, length(lease));
      List<Task> held = session.withExisting(db, house -> claim(house, wanted));
      if (json) session.json(JsonObject.of("tasks", held.stream().map(TaskJson::write).toList()));
      else if (held.isEmpty())
        session.note("no task is ready; 'mainstay task list' shows what they wait for");
      else
        held.forEach(
            t ->
                session.print(
                    Phrase.of("%s  fence %d  %s", t.id(), t.fence(), Printable.line(t.title()))));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "start",
      description = "Say that work on a claimed task has begun.",
      footer = {"", "Example:", "  mainstay task start T-001 --fence 1"})
  private static final class Start extends Command.WritingOfTask {
    Start(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task begun = session.withExisting(db, house -> house.leases().start(id, caller()));
      return show(this, begun, id + " is in progress");
    }
  }

  @CommandLine.Command(
      name = "heartbeat",
      description = "Keep a claimed task: renew its lease.",
      footer = {"", "Example:", "  mainstay task heartbeat T-001 --fence 1"})
  private static final class Heartbeat extends Command.WritingOfTask {
    @Option(
        names = "--lease",
        paramLabel = "10m",
        defaultValue = "10m",
        description = "for how long from now (default 10m)")
    String lease;

    Heartbeat(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task kept =
          session.withExisting(db, house -> house.leases().renew(id, length(lease), caller()));
      String until = kept.lease().map(l -> TaskText.time(l.until())).orElse("now");
      return show(this, kept, Phrase.of("%s is yours until %s", id, until));
    }
  }

  @CommandLine.Command(
      name = "complete",
      description =
          "End a claimed task well, unless steps or criteria are open; those that wait for it may become ready.",
      footer = {
        "",
        "Example:",
        "  mainstay task complete T-001 --fence 1 --result '{\"file\": \"openapi.yaml\"}'"
      })
  private static final class Complete extends Command.WritingOfTask {
    @Option(
        names = "--result",
        paramLabel = "JSON",
        description = "what came out, as a JSON object")
    @Nullable String result;

    @Option(
        names = "--override",
        paramLabel = "REASON",
        description = "complete it without the evidence its type requires (persons only)")
    @Nullable String override;

    Complete(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      JsonObject outcome = result == null ? JsonObject.EMPTY : JsonText.object(result);
      Task done =
          session.withExisting(
              db, house -> house.checks().complete(id, outcome, override, caller()));
      return show(this, done, id + " is completed");
    }
  }

  @CommandLine.Command(
      name = "fail",
      description = "End a claimed task badly; what cannot start without it is cancelled.",
      footer = {"", "Example:", "  mainstay task fail T-001 --fence 1 --error \"the API is gone\""})
  private static final class Fail extends Command.WritingOfTask {
    @Option(
        names = "--error",
        required = true,
        paramLabel = "TEXT",
        description = "why; kept with the task")
    String error;

    Fail(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task failed = session.withExisting(db, house -> house.leases().fail(id, error, caller()));
      boolean again = failed.status() == TaskStatus.PENDING;
      return show(this, failed, id + (again ? " will be tried again" : " has failed"));
    }
  }

  @CommandLine.Command(
      name = "release",
      description = "Give a claimed task back to the queue.",
      footer = {"", "Example:", "  mainstay task release T-001 --fence 1 --reason \"out of time\""})
  private static final class Release extends Command.WritingOfTask {
    @Option(
        names = "--reason",
        paramLabel = "TEXT",
        defaultValue = "",
        description = "why; kept with the task")
    String reason;

    Release(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      Task back = session.withExisting(db, house -> house.leases().release(id, reason, caller()));
      int parts = back.links().waiting().openChildren();
      String waits = parts == 0 ? " is back in the queue" : " waits for its open parts: " + parts;
      return show(this, back, id + waits);
    }
  }
}
