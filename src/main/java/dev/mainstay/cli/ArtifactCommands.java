package dev.mainstay.cli;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Artifacts.Collected;
import dev.mainstay.queue.NewArtifact;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay artifact ...}: what came out of tasks. */
final class ArtifactCommands {
  private ArtifactCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Add(session))
        .addSubcommand(new ListAll(session))
        .addSubcommand(new Get(session))
        .addSubcommand(new Collect(session));
  }

  @CommandLine.Command(
      name = "artifact",
      synopsisSubcommandLabel = "COMMAND",
      description = "Hand over what came out of a task, and fetch it again.",
      footer = {
        "",
        "Example:",
        "  mainstay artifact add T-001 src/login.py --fence 1",
        "  mainstay artifact collect T-001,T-002"
      })
  private static final class Noun extends Command.Noun {}

  private static Artifacts artifacts(Session session, House house) {
    return house.artifacts(session.services().workDir());
  }

  @CommandLine.Command(
      name = "add",
      description = "Hand over a file by its path and SHA-256, or a short text itself.",
      footer = {
        "",
        "A relative path begins at the root of the worktree. A text has at most 64 KiB.",
        "",
        "Example:",
        "  mainstay artifact add T-001 src/login.py --type CODE --fence 1",
        "  pytest | mainstay artifact add T-001 --type TEST_RESULT --content - --fence 1"
      })
  private static final class Add extends Command.WritingOfTask {
    @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "the file")
    @Nullable String file;

    @Option(
        names = "--type",
        paramLabel = "CODE",
        defaultValue = "CODE",
        description = "CODE (default), LOG, TEST_RESULT, ERROR, DIFF or a name of your own")
    String type;

    @Option(
        names = "--content",
        paramLabel = "TEXT",
        description = "a text in place of a file; - reads it from standard input")
    @Nullable String content;

    @Option(
        names = "--sha256",
        paramLabel = "HASH",
        description = "the SHA-256 it must have; anything else is refused")
    @Nullable String sha256;

    Add(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId id = session.task(db, task);
      String text = session.textOrInput("the artifact", content);
      var wanted = new NewArtifact(new ArtifactType(type), file, text, sha256);
      Artifact added =
          session.withExisting(db, house -> artifacts(session, house).add(id, wanted, caller()));
      if (json) session.json(added.toJson());
      else
        session.print(
            Phrase.of(
                "artifact %d of %s: %,d bytes, SHA-256 %s",
                added.id(), id, added.content().bytes(), added.content().hash()));
      return ExitCodes.OK;
    }
  }

  @CommandLine.Command(
      name = "list",
      description = "List the artifacts of tasks, oldest first.",
      footer = {"", "Example:", "  mainstay artifact list T-001 T-002"})
  private static final class ListAll extends Command {
    @Parameters(arity = "1..*", paramLabel = "TASK", description = "the tasks' ids")
    List<String> tasks;

    ListAll(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<TaskId> ids = tasks.stream().map(TaskId::parse).toList();
      return show(this, collected(this, ids, null));
    }
  }

  @CommandLine.Command(
      name = "collect",
      description = "Gather the artifacts of several tasks, to hand them to a reviewer.",
      footer = {"", "Example:", "  mainstay artifact collect T-001,T-002,T-003 --type CODE --json"})
  private static final class Collect extends Command {
    @Parameters(arity = "1..*", split = ",", paramLabel = "TASKS", description = "the tasks' ids")
    List<String> tasks;

    @Option(names = "--type", paramLabel = "CODE", description = "only artifacts of this type")
    @Nullable String type;

    Collect(Session session) {
      super(session);
    }

    @Override
    int run() {
      List<TaskId> ids = tasks.stream().map(TaskId::parse).toList();
      Collected all = collected(this, ids, type == null ? null : new ArtifactType(type));
      int code = show(this, all);
      if (!json) {
        List<String> counts = new ArrayList<>();
        all.counts().forEach((id, count) -> counts.add(Phrase.of("%s %d", id, count)));
        session.note(String.join(", ", counts));
      }
      return code;
    }
  }

  @CommandLine.Command(
      name = "get",
      description = "Print an artifact's content, once it is found to be what was handed over.",
      footer = {
        "",
        "With --json only what is known about it is printed, and its content is not read.",
        "",
        "Example:",
        "  mainstay artifact get T-001 1",
        "  mainstay artifact get T-001 1 --out login.py"
      })
  private static final class Get extends Command.OfTask {
    @Parameters(index = "1", paramLabel = "ID", description = "the artifact's number")
    long id;

    @Option(
        names = "--out",
        paramLabel = "FILE",
        description = "write it to this new file and not to standard output")
    @Nullable Path out;

    Get(Session session) {
      super(session);
    }

    @Override
    int run() {
      TaskId of = session.task(db, task);
      if (json) {
        if (out != null) throw Refusal.invalid("say --json or --out, not both");
        var known = session.withExisting(db, house -> artifacts(session, house).show(of, id));
        session.json(known.toJson());
        return ExitCodes.OK;
      }
      byte[] content =
          session.withExisting(db, house -> artifacts(session, house).get(of, id)).content();
      if (out != null) write(out, content);
      else session.io().out().write(content, 0, content.length);
      return ExitCodes.OK;
    }
  }

  /** What is there is not written over: it may be the only copy of something. */
  private static void write(Path file, byte[] content) {
    try {
      Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException there) {
      throw Refusal.conflict(file + " is there already; name another file with --out");
    } catch (IOException fault) {
      throw Refusal.unavailable(
          Phrase.of("%s cannot be written: %s", file, fault.getMessage()), fault);
    }
  }

  private static Collected collected(
      Command command, List<TaskId> ids, @Nullable ArtifactType type) {
    Session session = command.session;
    return session.withExisting(command.db, house -> artifacts(session, house).collect(ids, type));
  }

  private static int show(Command command, Collected all) {
    Session session = command.session;
    if (command.json) {
      session.json(all.toJson());
      return ExitCodes.OK;
    }
    if (all.artifacts().isEmpty()) {
      session.note("no artifacts; 'mainstay artifact add TASK FILE' hands one over");
      return ExitCodes.OK;
    }
    Table table = new Table(session.columns(), "TASK", "ID", "TYPE", "BYTES", "SHA-256", "WHERE");
    for (Artifact each : all.artifacts()) {
      var place = each.place();
      table.row(
          each.task().value(),
          String.valueOf(each.id()),
          each.type().name(),
          String.valueOf(each.content().bytes()),
          each.content().hash().substring(0, 12),
          place == null ? "in the store" : Phrase.of("%s:%s", place.host(), place.path()));
    }
    session.print(table.lines());
    return ExitCodes.OK;
  }
}
