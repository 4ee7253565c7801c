package dev.mainstay.cli;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JournalFilter;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.upkeep.Journal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
      "  mainstay journal --kind task.failed --actor agent",
      "  mainstay journal --follow --json"
    })
final class JournalCommand extends Command {
  private static final int KIND_COLUMNS = 24;
  private static final int PLACE_COLUMNS = 16;
  private static final int PAYLOAD_LINES_MAX = 8;
  private static final String INDENT = "    ";

  @Option(
      names = "--follow",
      description = "go on with what happens from now on, until interrupted")
  boolean follow;

  @Option(names = "--task", paramLabel = "T-001", description = "only what happened to this task")
  @Nullable String task;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "only this kind, such as task.created, or all of task")
  @Nullable String kind;

  @Option(
      names = "--actor",
      paramLabel = "WHO",
      description = "only what person:ada did, or every person")
  @Nullable String actor;

  @Option(
      names = "--stream",
      paramLabel = "STREAM",
      description = "only this stream, such as terminal/coder-1, or all of terminal")
  @Nullable String stream;

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
    if (task != null && stream != null) {
      throw Refusal.invalid("a task has a stream of its own; give one of --task and --stream");
    }
    TaskId named = task == null ? null : session.task(db, task);
    String one = named == null ? stream : named.stream();
    var filter = new JournalFilter(one, kind, actor);
    return session.withExisting(
        db,
        house -> {
          if (named != null) house.tasks().show(named); // an unknown one is said to be
          return run(house, filter);
        });
  }

  private int run(House house, JournalFilter filter) {
    if (since != null) {
      Position from = since.equals("start") ? Position.BEGINNING : Position.parse(since);
      if (follow) follow(house, from, filter);
      else pages(house, from, filter);
      return ExitCodes.OK;
    }
    if (!follow) {
      newest(house, filter).forEach(entry -> print(entry, null));
      return ExitCodes.OK;
    }
    follow(house, house.journal().end(), filter);
    return ExitCodes.OK;
  }

  /** The newest so many, oldest of them first; looks as far back as it takes. */
  private List<JournalEntry> newest(House house, JournalFilter filter) {
    boolean plain = filter.equals(JournalFilter.ALL) || filter.isOneStream();
    if (plain) return house.journal().newest(filter.stream(), limit);
    Journal.checkNewest(limit);
    List<JournalEntry> all = new ArrayList<>();
    Position from = Position.END;
    while (from != null && all.size() < limit) {
      var found = house.journal().search(filter, from, true, limit - all.size());
      for (Placed placed : found.entries()) all.add(placed.entry());
      from = found.next();
    }
    Collections.reverse(all);
    return all;
  }

  private void pages(House house, Position from, JournalFilter filter) {
    Position position = from;
    while (position != null) {
      var page = house.journal().search(filter, position, false, 500);
      for (Placed placed : page.entries()) if (!print(placed)) return;
      position = page.next();
    }
  }

  private void follow(House house, Position from, JournalFilter filter) {
    house
        .journal()
        .follow(
            from, filter.wholeStream(), placed -> !filter.lets(placed.entry()) || print(placed));
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
    String head =
        Phrase.of(
            "%s  %s %s %s",
            TaskText.time(entry.origin().at()),
            Printable.pad(place, PLACE_COLUMNS),
            Printable.pad(entry.content().kind(), KIND_COLUMNS),
            entry.origin().actor());
    return laidOut(
        Printable.line(head), Printable.line(entry.content().payload()), session.io().screen());
  }

  /** One whole line in a pipe. On a screen, what does not fit beside the head is wrapped below. */
  static String laidOut(String head, String payload, Io.Screen screen) {
    String whole = head + "  " + payload;
    if (!screen.isTerminal() || Printable.width(whole) <= screen.columns()) return whole;
    List<String> lines = Printable.wrap(payload, screen.columns() - INDENT.length());
    boolean isCut = lines.size() > PAYLOAD_LINES_MAX;
    if (isCut) lines = lines.subList(0, PAYLOAD_LINES_MAX);
    String below = INDENT + String.join("\n" + INDENT, lines);
    String rest = isCut ? "\n" + INDENT + "… (--json shows the whole entry)" : "";
    return head + "\n" + below + rest;
  }
}
