package dev.mainstay.cli;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay journal}: what happened, in order. */
@CommandLine.Command(
    name = "journal",
    description = "Show what happened, newest last; with --follow as it happens.",
    footer = {
      "",
      "Example:",
      "  mainstay journal --task T-001",
      "  mainstay journal --follow --json"
    })
final class JournalCommand extends Command {
  private static final int KIND_COLUMNS = 24;
  private static final int PLACE_COLUMNS = 16;

  @Option(
      names = "--follow",
      description = "go on with what happens from now on, until interrupted")
  boolean follow;

  @Option(names = "--task", paramLabel = "T-001", description = "only what happened to this task")
  @Nullable String task;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "the newest so many entries (default 50)")
  int limit;

  @Option(
      names = "--since",
      paramLabel = "POSITION",
      description = "everything after this position; 'start' for all")
  @Nullable String since;

  JournalCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    String stream = task == null ? null : TaskId.parse(task).stream();
    return session.withExisting(
        db,
        house -> {
          if (task != null) house.tasks().show(TaskId.parse(task)); // an unknown one is said to be
          return run(house, stream);
        });
  }

  private int run(House house, @Nullable String stream) {
    if (since != null) {
      Position from = since.equals("start") ? Position.BEGINNING : Position.parse(since);
      if (follow) follow(house, from, stream);
      else pages(house, from, stream);
      return ExitCodes.OK;
    }
    if (!follow) {
      house.journal().newest(stream, limit).forEach(entry -> print(entry, null));
      return ExitCodes.OK;
    }
    follow(house, house.journal().end(), stream);
    return ExitCodes.OK;
  }

  private void pages(House house, Position from, @Nullable String stream) {
    Position position = from;
    while (true) {
      var page = house.journal().after(position, stream, 500);
      for (Placed placed : page) if (!print(placed)) return;
      if (page.isEmpty()) return;
      position = page.get(page.size() - 1).position();
    }
  }

  private void follow(House house, Position from, @Nullable String stream) {
    house.journal().follow(from, stream, this::print);
  }

  private boolean print(Placed placed) {
    return print(placed.entry(), placed.position());
  }

  /** False when nobody reads any more. */
  private boolean print(JournalEntry entry, @Nullable Position position) {
    if (json) session.json(json(entry, position));
    else session.print(line(entry));
    session.io().out().flush();
    return !session.io().out().checkError();
  }

  private static JsonObject json(JournalEntry entry, @Nullable Position position) {
    return JsonObject.of(
            "seq",
            entry.seq(),
            "stream",
            entry.place().stream(),
            "number",
            entry.place().number(),
            "actor",
            entry.origin().actor(),
            "source",
            entry.origin().source(),
            "at",
            entry.origin().at(),
            "kind",
            entry.content().kind(),
            "payload",
            JsonText.object(entry.content().payload()))
        .with("previous_hash", entry.seal().previousHash())
        .with("hash", entry.seal().hash())
        .with("position", position);
  }

  private String line(JournalEntry entry) {
    String place =
        entry.place().stream().replaceFirst("^task/", "") + " #" + entry.place().number();
    String text =
        Phrase.of(
            "%s  %s %s %s  %s",
            TaskText.time(entry.origin().at()),
            Printable.pad(place, PLACE_COLUMNS),
            Printable.pad(entry.content().kind(), KIND_COLUMNS),
            entry.origin().actor(),
            entry.content().payload());
    return Printable.fit(Printable.line(text), session.columns());
  }
}
