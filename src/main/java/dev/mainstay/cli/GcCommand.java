package dev.mainstay.cli;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Times;
import dev.mainstay.json.JsonText;
import dev.mainstay.upkeep.Archive;
import dev.mainstay.upkeep.Archive.Kept;
import dev.mainstay.upkeep.ArchiveFile;
import dev.mainstay.upkeep.Retention;
import dev.mainstay.upkeep.Retention.Report;
import dev.mainstay.upkeep.Retention.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What is over and old leaves the store into a file; and a look into such a file. */
@CommandLine.Command(
    name = "gc",
    description = {
      "Let tasks and executions that ended long ago, and old terminal states, leave into an"
          + " archive file.",
      "Without --apply it only tells what would leave and what stays, and why."
    },
    footer = {
      "",
      "What is still referred to stays. Nothing is deleted that was not read back from the file.",
      "",
      "Example:",
      "  mainstay gc --older-than 90d",
      "  mainstay gc --older-than 90d --apply",
      "  mainstay gc --show .mainstay/archive/2026-01-31-1.jsonl.gz",
      "  mainstay gc --show .mainstay/archive/2026-01-31-1.jsonl.gz --task T-001"
    })
final class GcCommand extends Command {
  private static final Pattern AGE = Pattern.compile("(\\d{1,6})(s|m|h|d)");

  @Option(
      names = "--older-than",
      paramLabel = "AGE",
      description = "how long it must be over, such as 12h or 30d (default: 30d)")
  @Nullable String olderThan;

  @Option(names = "--apply", description = "do it")
  boolean apply;

  @Option(
      names = "--into",
      paramLabel = "FILE",
      description =
          "the archive to write; it must not exist (default: .mainstay/archive/DATE-N.jsonl.gz of this repository)")
  @Nullable Path into;

  @Option(
      names = "--show",
      paramLabel = "FILE",
      description = "check an archive and list what is in it")
  @Nullable Path show;

  @Option(
      names = "--task",
      paramLabel = "TASK",
      description = "with --show: everything of this task, as JSON")
  @Nullable String task;

  GcCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    refuseContradictions();
    if (show != null) return show(show.toAbsolutePath().normalize());
    Duration age = age();
    if (!apply) {
      Report report = session.withExisting(db, house -> house.retention().plan(age));
      if (json) session.json(json(report).with("applied", false));
      else print(report);
      return ExitCodes.OK;
    }
    Result result = session.withExisting(db, house -> applied(house.retention(), age));
    if (json) session.json(json(result));
    else print(result);
    return ExitCodes.OK;
  }

  private void refuseContradictions() {
    if (show != null && (apply || into != null || olderThan != null)) {
      throw Refusal.invalid("--show only looks into a file; leave out what --apply needs");
    }
    if (task != null && show == null) {
      throw Refusal.invalid("--task picks a task of an archive; name that with --show");
    }
    if (into != null && !apply) {
      throw Refusal.invalid("--into names the file that --apply writes; add --apply");
    }
  }

  private Duration age() {
    if (olderThan == null) return Retention.AGE;
    Matcher matcher = AGE.matcher(olderThan.strip());
    if (!matcher.matches()) {
      throw Refusal.invalid(
          Phrase.of("--older-than must be a time such as 12h or 30d, not \"%s\"", olderThan));
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  private Result applied(Retention retention, Duration age) {
    if (into != null) return retention.apply(age, into.toAbsolutePath().normalize());
    return retention.applyIn(age, session.services().root().resolve(".mainstay/archive"));
  }

  private static JsonObject json(Report report) {
    var leaving = report.leaving();
    var stays =
        report.stays().stream().map(s -> JsonObject.of("id", s.id(), "why", s.why())).toList();
    return JsonObject.of(
        "until", Times.write(report.until()),
        "tasks", leaving.tasks(),
        "executions", leaving.executions(),
        "terminals", leaving.terminals(),
        "entries", leaving.entries(),
        "bytes", leaving.bytes(),
        "leaving", leaving.ids(),
        "staying", report.staying(),
        "stays", stays,
        "more", report.more());
  }

  private static JsonObject json(Result result) {
    JsonObject json =
        json(result.report())
            .with("applied", true)
            .with("left", result.left())
            .with("changed", result.changed());
    Archive archive = result.archive();
    if (archive == null) return json;
    return json.with("archive", archive.file().toString()).with("sha256", archive.sha256());
  }

  private void print(Report report) {
    var leaving = report.leaving();
    for (var each : report.stays()) {
      session.print(Printable.line(Phrase.of("stays %s: %s", each.id(), each.why())));
    }
    long unnamed = report.staying() - report.stays().size();
    if (unnamed > 0) session.print(Phrase.of("and %,d more stay", unnamed));
    if (!leaving.ids().isEmpty()) {
      String dots = leaving.ids().size() < leaving.all() ? " ..." : "";
      session.print(Printable.line("would leave: " + String.join(" ", leaving.ids()) + dots));
    }
    session.print(
        Phrase.of(
            "%,d tasks, %,d executions and %,d terminal states would leave with %,d entries"
                + " (%,d bytes); %s",
            leaving.tasks(),
            leaving.executions(),
            leaving.terminals(),
            leaving.entries(),
            leaving.bytes(),
            leaving.ids().isEmpty() ? "there is nothing to do" : "--apply does it"));
    if (report.more()) session.print("there is more that is old; run it again afterwards");
  }

  private void print(Result result) {
    Archive archive = result.archive();
    if (archive == null) {
      session.print("nothing is old enough and free to leave; 'mainstay gc' says what stays");
      return;
    }
    session.print(Phrase.of("%,d left into %s", result.left(), archive.file()));
    if (!result.changed().isEmpty()) {
      session.print(
          "changed meanwhile and stay here as well: " + String.join(" ", result.changed()));
    }
    if (result.report().more()) session.print("there is more that is old; run it again");
  }

  private int show(Path file) {
    if (task != null) return showTask(file, session.task(db, task));
    Archive archive = ArchiveFile.read(file, ArchiveFile.Reader.NOBODY);
    var header = archive.header();
    if (json) {
      session.json(
          JsonObject.of(
              "file", file.toString(),
              "sha256", archive.sha256(),
              "epoch", header.epoch(),
              "at", Times.write(header.at()),
              "entries", header.entries(),
              "streams", archive.streams().stream().map(GcCommand::json).toList()));
      return ExitCodes.OK;
    }
    Table table = new Table(session.columns(), "STREAM", "ENTRIES", "STATUS", "TITLE");
    for (Kept each : archive.streams()) {
      table.row(
          each.stream(),
          Long.toString(each.number()),
          shown(each, "status"),
          Printable.line(shown(each, "title")));
    }
    session.print(table.lines());
    session.print(
        Phrase.of(
            "sound: %,d streams with %,d entries, archived %s",
            header.streams(), header.entries(), Times.write(header.at())));
    return ExitCodes.OK;
  }

  private static JsonObject json(Kept kept) {
    return JsonObject.of(
        "stream", kept.stream(),
        "number", kept.number(),
        "hash", kept.hash(),
        "about", kept.about());
  }

  private static String shown(Kept kept, String field) {
    String text = kept.about().textOrNull(field);
    return text == null ? "" : text;
  }

  private int showTask(Path file, TaskId id) {
    Picked picked = new Picked(id.stream());
    ArchiveFile.read(file, picked);
    if (!picked.found) throw Refusal.notFound(Phrase.of("%s is not in %s", id, file));
    session.json(JsonObject.of("task", id.value(), "entries", picked.entries, "rows", picked.rows));
    return ExitCodes.OK;
  }

  /** Keeps what belongs to one stream. */
  private static final class Picked implements ArchiveFile.Reader {
    private final String stream;
    private final List<JsonObject> entries = new ArrayList<>();
    private final List<JsonObject> rows = new ArrayList<>();
    private boolean here;
    private boolean found;

    Picked(String stream) {
      this.stream = stream;
    }

    @Override
    public void begin(String name) {
      here = name.equals(stream);
      found |= here;
    }

    @Override
    public void entry(JournalEntry entry) {
      if (!here) return;
      entries.add(
          JsonObject.of(
              "seq", entry.seq(),
              "number", entry.place().number(),
              "at", Times.write(entry.origin().at()),
              "actor", entry.origin().actor().toString(),
              "source", entry.origin().source(),
              "kind", entry.content().kind(),
              "payload", JsonText.object(entry.content().payload()),
              "hash", entry.seal().hash()));
    }

    @Override
    public void row(JsonObject row) {
      if (here) rows.add(row);
    }
  }
}
