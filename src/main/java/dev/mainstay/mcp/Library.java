package dev.mainstay.mcp;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskLine;
import dev.mainstay.domain.TaskOrder;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Times;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.render.Neutral;
import dev.mainstay.session.Places;
import dev.mainstay.state.Notebooks;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.upkeep.Journal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What can be recalled, kind by kind, as text. */
final class Library {
  private static final int LISTED_MAX = 200;
  private static final int ENTRIES_MAX = 2_000;
  private static final int FOUND_MAX = 20;

  /** Room for what is said after the last entry that fits. */
  private static final int LAST_LINE_CHARS = 200;

  private final Rooms rooms;
  private final TaskTexts tasks;
  private final Map<String, Kind> kinds = new LinkedHashMap<>();

  Library(Rooms rooms) {
    this.rooms = rooms;
    this.tasks = new TaskTexts(rooms);
    add("state:TASK", "all that is known of the task", this::state);
    add("journal:TASK", "what happened, newest first", this::journal);
    add("history:TASK", "all that was ever noted, in full", this::history);
    add("task:TASK", "title, description, standing", (v, r) -> of(r, tasks.task(id(r))));
    add("evidence:TASK", "checks and criteria", (v, r) -> of(r, tasks.evidence(id(r))));
    add("checkpoints:TASK", "named places", (v, r) -> of(r, CheckpointTool.listed(rooms, id(r))));
    add("artifacts:TASK", "what came out", this::artifacts);
    add("artifact:TASK/1", "its text", this::artifact);
    add("delegation:TASK", "how delegated work stands", this::delegation);
    add("delegations", "all open ones", (v, r) -> of(r, delegations()));
    add("tasks:open", "or ready, all, COMPLETED, ...", (v, r) -> of(r, tasks.list(r.about())));
    add("message:1", "a message of yours", this::message);
    add("messages", "the newest of yours", (v, r) -> of(r, messages(v)));
    add("terminals", "who can be written to", (v, r) -> of(r, terminals()));
    add("snapshot", "files and open work of the worktree", this::snapshot);
  }

  /** A kind of reference, with an example and what it leads to. */
  record Kind(String example, String what, Reader reader) {}

  /** A text, and the reference that leads to this very text again if it has a moment. */
  record Read(Reference at, String text) {}

  @FunctionalInterface
  interface Reader {
    Read read(Visit visit, Reference wanted);
  }

  private void add(String example, String what, Reader reader) {
    kinds.put(example.replaceFirst(":.*", ""), new Kind(example, what, reader));
  }

  private static Read of(Reference wanted, String text) {
    return new Read(new Reference(wanted.kind(), wanted.about(), null, wanted.page()), text);
  }

  List<Kind> kinds() {
    return List.copyOf(kinds.values());
  }

  Read read(Visit visit, Reference wanted) {
    Kind kind = kinds.get(wanted.kind());
    if (kind == null && wanted.kind().equals("reply")) {
      throw Refusal.notFound("that reply is no longer kept; make the call again that gave it");
    }
    if (kind == null) {
      throw Refusal.notFound(
          Phrase.of(
              "there is nothing called \"%s\"; recall without ref lists all%s",
              wanted.kind(), Nearest.hint(wanted.kind(), kinds.keySet())));
    }
    Read read = kind.reader().read(visit, wanted);
    if (read.text().length() <= Shelf.TEXT_CHARS_MAX) return read;
    throw Refusal.tooLarge(
        Phrase.of(
            "%s has %,d characters, more than is read here; use a query, or look at the file itself",
            wanted.onPage(1), read.text().length()));
  }

  /** References to the tasks whose id, title or description contains all words. */
  String tasksWith(String query) {
    TaskFilter filter = TaskFilter.ALL.saying(query);
    var page = rooms.tasks().lines(filter, TaskOrder.OPEN, null, FOUND_MAX);
    StringBuilder text = new StringBuilder();
    for (TaskLine task : page.lines()) {
      String title = Neutral.line(TaskTexts.excerpt(task.title()));
      text.append(Phrase.of("task:%s %s: %s\n", task.id(), task.standing().status(), title));
    }
    if (page.next() != null) {
      text.append(Phrase.of("More than %d tasks have these words; add a word.\n", FOUND_MAX));
    }
    return text.toString();
  }

  private TaskId id(Reference wanted) {
    String about = wanted.about();
    if (about != null) return rooms.tasks().resolve(about);
    throw Refusal.invalid(
        Phrase.of("\"%s\" needs a task, like %s:T-001", wanted.kind(), wanted.kind()));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException noNumber) {
      throw Refusal.invalid("\"" + text + "\" is no number of an entry; leave out what is after @");
    }
  }

  private Read state(Visit visit, Reference wanted) {
    TaskId id = id(wanted);
    String moment = wanted.moment();
    long entry = moment == null ? rooms.notebooks().known(id).number() : number(moment);
    String text = StateText.whole(rooms, id, entry, visit.reader());
    return new Read(wanted.at(Long.toString(entry)), text);
  }

  /** From an entry backwards; what is older than fits has a reference of its own. */
  private Read journal(Visit visit, Reference wanted) {
    TaskId id = id(wanted);
    rooms.tasks().show(id);
    String moment = wanted.moment();
    List<JournalEntry> entries = entries(id, moment == null ? Long.MAX_VALUE : number(moment));
    long head = entries.isEmpty() ? 0 : entries.get(0).place().number();
    StringBuilder text = new StringBuilder();
    long oldest = head + 1;
    for (JournalEntry entry : entries) {
      if (!append(text, line(entry))) break;
      oldest = entry.place().number();
    }
    if (oldest > 1) text.append(Phrase.of("older: recall journal:%s@%d\n", id, oldest - 1));
    return new Read(wanted.at(moment == null ? Long.toString(head) : moment), text.toString());
  }

  /** The newest up to a number, newest first; only for an old moment are many looked at. */
  private List<JournalEntry> entries(TaskId id, long from) {
    List<JournalEntry> found = upTo(id, from, ENTRIES_MAX);
    boolean reached = !found.isEmpty() || from < 1;
    if (!reached) found = upTo(id, from, Journal.NEWEST_MAX);
    if (found.isEmpty()) {
      throw Refusal.notFound(
          Phrase.of(
              "entry %d of %s is not at hand; in a shell, mainstay journal shows it", from, id));
    }
    return found;
  }

  private List<JournalEntry> upTo(TaskId id, long from, int limit) {
    return rooms.journal().newest(id.stream(), limit).stream()
        .filter(entry -> entry.place().number() <= from)
        .sorted((one, other) -> Long.compare(other.place().number(), one.place().number()))
        .toList();
  }

  /** Everything that was noted up to an entry, oldest first. */
  private Read history(Visit visit, Reference wanted) {
    TaskId id = id(wanted);
    String moment = wanted.moment();
    long until = moment == null ? rooms.notebooks().known(id).number() : number(moment);
    StringBuilder text = new StringBuilder();
    List<JournalEntry> page = rooms.notebooks().history(id, 0, Notebooks.PAGE_MAX);
    while (!page.isEmpty()) {
      for (JournalEntry entry : page) {
        boolean later = entry.place().number() > until;
        if (later) return new Read(wanted.at(Long.toString(until)), text.toString());
        if (!append(text, line(entry))) {
          text.append("later ones: recall journal:").append(id).append('\n');
          return new Read(wanted.at(Long.toString(until)), text.toString());
        }
      }
      long last = page.get(page.size() - 1).place().number();
      page = rooms.notebooks().history(id, last, Notebooks.PAGE_MAX);
    }
    return new Read(wanted.at(Long.toString(until)), text.toString());
  }

  /** Adds a line while there is room; one that is too long by itself is cut, and says so. */
  private static boolean append(StringBuilder text, String line) {
    int room = Shelf.TEXT_CHARS_MAX - LAST_LINE_CHARS - text.length();
    if (line.length() > room && !text.isEmpty()) return false;
    text.append(line.length() <= room ? line : line.substring(0, room / 2) + "... (cut)\n");
    return true;
  }

  private static String line(JournalEntry entry) {
    return Phrase.of(
        "#%d %s %s %s %s\n",
        entry.place().number(),
        Times.write(entry.origin().at()),
        Neutral.line(entry.origin().actor().toString()),
        entry.content().kind(),
        Neutral.line(entry.content().payload()));
  }

  private Artifacts artifacts(Visit visit) {
    return rooms.artifacts(Path.of(Places.around(visit.guest().folder()).worktree()));
  }

  private Read artifacts(Visit visit, Reference wanted) {
    TaskId id = id(wanted);
    StringBuilder text = new StringBuilder();
    for (Artifact each : artifacts(visit).list(id)) {
      String where = each.place() == null ? "kept here" : Neutral.line(each.place().path());
      text.append(
          Phrase.of(
              "artifact:%s/%d %s %,d bytes, %s\n",
              id, each.id(), each.type().name(), each.content().bytes(), where));
    }
    return of(wanted, text.isEmpty() ? Phrase.of("%s has no artifacts.\n", id) : text.toString());
  }

  private Read artifact(Visit visit, Reference wanted) {
    String[] parts = String.valueOf(wanted.about()).split("/", 2);
    if (parts.length < 2) throw Refusal.invalid("an artifact is named like artifact:T-001/1");
    TaskId id = rooms.tasks().resolve(parts[0]);
    Artifacts all = artifacts(visit);
    long number = number(parts[1]);
    if (all.show(id, number).content().bytes() > Shelf.TEXT_CHARS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("artifact %d of %s is too large to be read here", number, id));
    }
    return of(wanted, new String(all.get(id, number).content(), StandardCharsets.UTF_8));
  }

  private Read delegation(Visit visit, Reference wanted) {
    return of(wanted, DelegateTool.shown(rooms.delegations().show(id(wanted))) + "\n");
  }

  private String delegations() {
    StringBuilder text = new StringBuilder();
    for (Delegation each : rooms.delegations().list(true, 0, LISTED_MAX)) {
      String to = each.standing().terminal();
      text.append(
          Phrase.of(
              "%s %s, profile %s%s\n",
              each.task(), each.status(), each.wish().profile(), to == null ? "" : ", " + to));
    }
    return text.isEmpty() ? "No work is delegated now.\n" : capped(text);
  }

  /** A message of somebody else is none. */
  private Read message(Visit visit, Reference wanted) {
    Message message = rooms.inbox().show(number(String.valueOf(wanted.about())));
    String holder = visit.holder().orElse("");
    boolean own = message.receiver().equals(holder) || message.sender().equals(holder);
    if (!own) throw Refusal.notFound(Phrase.of("there is no message %d of yours", message.id()));
    return of(wanted, MessageTool.shown(message) + "\n");
  }

  /** The newest first. */
  private String messages(Visit visit) {
    String holder = visit.session().holder();
    if (!MessageTool.isTerminal(rooms, holder)) return "You have no messages.\n";
    List<Message> newest = new ArrayList<>();
    List<Message> page = rooms.inbox().list(holder, Inbox.Filter.ALL, 0, LISTED_MAX);
    while (!page.isEmpty()) {
      newest = page;
      long last = page.get(page.size() - 1).id();
      page = rooms.inbox().list(holder, Inbox.Filter.ALL, last, LISTED_MAX);
    }
    StringBuilder text = new StringBuilder();
    for (int i = newest.size() - 1; i >= 0; i--) {
      Message each = newest.get(i);
      text.append(
          Phrase.of(
              "message:%d %s from %s: %s\n",
              each.id(),
              each.standing().status(),
              Neutral.line(each.sender()),
              Neutral.line(TaskTexts.excerpt(each.text()))));
    }
    return text.isEmpty() ? "You have no messages.\n" : text.toString();
  }

  private String terminals() {
    StringBuilder text = new StringBuilder();
    for (Terminal each : rooms.terminals().list(null, LISTED_MAX)) {
      String profile = each.profile() == null ? "" : ", profile " + each.profile();
      text.append(Phrase.of("%s (%s%s)\n", Neutral.line(each.id()), each.provider(), profile));
    }
    return text.isEmpty() ? "Nobody else is known.\n" : capped(text);
  }

  /** A list that may go on says so. */
  private static String capped(StringBuilder text) {
    boolean full = text.chars().filter(c -> c == '\n').count() >= LISTED_MAX;
    return full ? text + Phrase.of("These are the first %d.\n", LISTED_MAX) : text.toString();
  }

  private Read snapshot(Visit visit, Reference wanted) {
    Path root = Path.of(Places.around(visit.guest().folder()).worktree());
    return of(wanted, rooms.workspace(root).snapshot().text());
  }
}
