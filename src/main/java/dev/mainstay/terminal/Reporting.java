package dev.mainstay.terminal;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.Delegation.Branch;
import dev.mainstay.domain.Delegation.Notice;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Lease;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Artifacts;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.WorkPlaces.Patch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What becomes of work that was given: kept while it goes on, taken back, and told when over. */
final class Reporting {
  /** Whoever is idle for so long after it was told what to do has perhaps forgotten it. */
  static final Duration IDLE = Duration.ofSeconds(30);

  static final int RESULT_CHARS_MAX = 16_000;
  static final int LAST_LINES_MAX = 20;
  private static final int LAST_LINES_CHARS_MAX = 4_000;
  private static final int ARTIFACTS_NAMED_MAX = 20;
  private static final ArtifactType BRANCH = new ArtifactType("BRANCH");
  private static final ArtifactType DIFF = new ArtifactType("DIFF");
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "delegation");

  private final Store store;
  private final WorkPlaces places;
  private final Artifacts artifacts;

  Reporting(Store store, WorkPlaces places, Artifacts artifacts) {
    this.store = store;
    this.places = places;
    this.artifacts = artifacts;
  }

  /** Mainstay tells the caller something, if that has an inbox. */
  static void tell(Tx tx, Delegation delegation, String text) {
    if (!delegation.isByTerminal() || tx.terminals().find(delegation.caller()).isEmpty()) return;
    String said = Message.text(Redactor.DEFAULT.redact(text));
    Inbox.sent(tx, Message.MAINSTAY, delegation.caller(), said, SYSTEM);
  }

  /** Tells the caller that the task is over, once, after what came out of it was collected. */
  boolean report(Delegation open) {
    String lost = collect(open);
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Task task = tx.tasks().lock(open.task());
          Delegation locked = tx.delegations().lock(open.task());
          if (!locked.status().isOpen() || !task.status().isEnded()) return false;
          tell(tx, locked, text(tx, DelegationView.in(tx, task.id()), lost));
          tx.delegations().moved(locked.reported(tx.now()));
          return true;
        });
  }

  private static String text(Tx tx, DelegationView view, String lost) {
    Task task = view.task();
    var ended = view.ended();
    JsonObject result = view.result();
    String error = view.error();
    String came =
        error != null ? error : result.isEmpty() ? "no result was given" : JsonText.write(result);
    List<Artifact> all = tx.artifacts().list(task.id());
    String named =
        all.stream()
            .limit(ARTIFACTS_NAMED_MAX)
            .map(each -> each.type() + " " + each.id())
            .collect(Collectors.joining(", "));
    int more = all.size() - ARTIFACTS_NAMED_MAX;
    return Phrase.of("%s %s", task.id(), task.status())
        + (ended == null ? "" : " by " + ended.terminal())
        + Phrase.of(" (%s): ", task.title())
        + Graphemes.cut(came, RESULT_CHARS_MAX)
        + (came.length() > RESULT_CHARS_MAX
            ? Phrase.of("\n(... 'mainstay task assignments %s --json' has the rest)", task.id())
            : "")
        + (all.isEmpty()
            ? ""
            : Phrase.of(
                "\nArtifacts: %s%s; 'mainstay artifact get %s ID' fetches one",
                named, more > 0 ? " and " + more + " more" : "", task.id()))
        + lost;
  }

  /** Branch and changes become artifacts; what went wrong with that, in words, or nothing. */
  private String collect(Delegation delegation) {
    Branch branch = delegation.standing().branch();
    if (branch == null) return "";
    TaskId task = delegation.task();
    long fence = store.reading(tx -> tx.tasks().get(task).fence());
    try {
      add(task, NewArtifact.text(BRANCH, branch.name()), fence);
      Path folder = Path.of(delegation.wish().site().folder());
      Optional<Patch> patch = places.patch(task.value(), folder, branch.base());
      if (patch.isPresent()) add(task, artifact(patch.get()), fence);
      return "";
    } catch (Refusal refused) {
      return "\nIts changes could not be collected: " + refused.sentence();
    }
  }

  private static NewArtifact artifact(Patch patch) {
    String text = patch.text();
    return text == null
        ? NewArtifact.file(DIFF, patch.file().toString())
        : NewArtifact.text(DIFF, text);
  }

  /** Under a key of the task's end, so that whoever comes after a crash adds nothing again. */
  private void add(TaskId task, NewArtifact wanted, long fence) {
    String key = Phrase.of("delegation-%s-%d-%s", task, fence, wanted.type());
    try {
      artifacts.add(task, wanted, SYSTEM.withKey(key));
    } catch (Refusal refused) {
      // Another look before the crash saw other changes; the first one counts.
      if (refused.code() != Refusal.Code.CONFLICT) throw refused;
    }
  }

  /** The task is nobody's any more, so another terminal may get it. */
  boolean takeBack(Delegation given) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Task task = tx.tasks().lock(given.task());
          Delegation locked = tx.delegations().lock(given.task());
          boolean lost = locked.status() == Status.GIVEN && task.status() == TaskStatus.PENDING;
          if (!lost) return false;
          tx.delegations().moved(locked.returned(why(tx, locked, task), tx.now()));
          return true;
        });
  }

  private static String why(Tx tx, Delegation given, Task task) {
    String terminal = String.valueOf(given.standing().terminal());
    Seat seat = tx.terminals().find(terminal).map(Terminal::seat).orElse(null);
    if (seat != null && !seat.isLive()) {
      String reason = seat.standing().why();
      return Phrase.of("%s is %s%s", terminal, seat.status(), reason == null ? "" : ": " + reason);
    }
    String reason = task.progress().reason();
    return Phrase.of("%s no longer has it%s", terminal, reason == null ? "" : ": " + reason);
  }

  /** Keeps the lease of a terminal that lives, and tells the caller of one that idles, once. */
  boolean watch(Delegation given) {
    record Seen(Task task, Optional<Terminal> terminal, Optional<Message> message, Instant now) {}
    String worker = given.standing().terminal();
    Long message = given.standing().message();
    if (worker == null || message == null) return false;
    Seen seen =
        store.reading(
            tx ->
                new Seen(
                    tx.tasks().get(given.task()),
                    tx.terminals().find(worker).filter(Terminal::isLive),
                    tx.inbox().find(message),
                    tx.now()));
    if (seen.terminal().isEmpty() || !isHolder(seen.task(), worker)) return false;
    boolean kept = keep(seen.task(), worker, seen.now());
    boolean idle =
        seen.message().filter(each -> isLong(each, seen.now())).isPresent()
            && isIdle(seen.terminal().get(), seen.now());
    boolean told = idle && !given.standing().notice().told() && tellOfIdling(given, worker);
    return kept || told;
  }

  private static boolean isHolder(Task task, String worker) {
    return task.lease().map(Lease::holder).filter(worker::equals).isPresent();
  }

  private boolean keep(Task held, String worker, Instant now) {
    Instant half = now.plus(Placing.LEASE.dividedBy(2));
    if (held.lease().filter(lease -> lease.until().isBefore(half)).isEmpty()) return false;
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Task task = tx.tasks().lock(held.id());
          if (!isHolder(task, worker)) return false;
          Leases.keptIn(tx, task, Placing.LEASE);
          return true;
        });
  }

  private static boolean isLong(Message message, Instant now) {
    Instant delivered = message.standing().moments().deliveredAt();
    return delivered != null && !delivered.plus(IDLE).isAfter(now);
  }

  private static boolean isIdle(Terminal terminal, Instant now) {
    Seat seat = terminal.seated();
    return seat.status().takesInput() && !seat.standing().lastActive().plus(IDLE).isAfter(now);
  }

  private boolean tellOfIdling(Delegation given, String worker) {
    return store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Task task = tx.tasks().lock(given.task());
          Delegation locked = tx.delegations().lock(given.task());
          boolean due =
              locked.status() == Status.GIVEN
                  && worker.equals(locked.standing().terminal())
                  && !locked.standing().notice().told()
                  && isHolder(task, worker);
          Seat seat = tx.terminals().get(worker).seat();
          if (!due || seat == null) return false;
          String reason = Phrase.of("%s is idle, and %s is not completed", worker, task.id());
          tell(tx, locked, idling(reason, worker, seat));
          tx.delegations().moved(locked.noted(new Notice(reason, true), tx.now()));
          return true;
        });
  }

  private static String idling(String reason, String worker, Seat seat) {
    List<String> lines = seat.standing().lastLines();
    List<String> last = lines.subList(Math.max(0, lines.size() - LAST_LINES_MAX), lines.size());
    String shown = Graphemes.excerpt(String.join("\n", last), LAST_LINES_CHARS_MAX);
    return reason
        + Phrase.of(
            ". Ask it to go on with 'mainstay inbox send %s TEXT', or cancel the task.", worker)
        + (shown.isBlank() ? "" : "\nIts last lines:\n" + shown);
  }
}
