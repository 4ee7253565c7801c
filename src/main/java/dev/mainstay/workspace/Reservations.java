package dev.mainstay.workspace;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.Reservation;
import dev.mainstay.domain.Reservation.Pattern;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Files that a task's holder keeps for itself. A reservation ends with the lease, whoever ended it,
 * and nobody needs to give it back.
 */
public final class Reservations {
  private final Site site;

  public Reservations(Store store, Path folder) {
    this(store, folder, own -> false);
  }

  /** The same; a state file of a lost store is used as {@link Tracker#open} says. */
  public Reservations(Store store, Path folder, Predicate<Path> isTrusted) {
    this.site = Site.at(store, folder, isTrusted);
  }

  /** Keeps paths or globs for the task; one that meets another task's is refused, and all are. */
  public List<Reservation> reserve(TaskId id, List<String> patterns, Call call) {
    if (patterns.size() > Reservation.OF_A_TASK_MAX) throw tooMany();
    List<Pattern> wanted = patterns.stream().map(Pattern::new).toList();
    JsonObject asked =
        JsonObject.of("workspace", site.id(), "task", id.value(), "patterns", patterns);
    return site.store()
        .inTransaction(
            Once.of(call, "repo.reserve", asked, Reservations::write, Reservations::read),
            tx -> {
              tx.workspaces().lock(site.id());
              Task task = held(tx, id, call);
              tx.reservations().sweep(site.id());
              List<Reservation> made = new ArrayList<>();
              for (Pattern pattern : wanted) made.add(reserved(tx, task, pattern));
              long all =
                  tx.reservations().holding(site.id()).stream()
                      .filter(r -> r.task().equals(id))
                      .count();
              if (all > Reservation.OF_A_TASK_MAX) throw tooMany();
              return made;
            });
  }

  private static Refusal tooMany() {
    return Refusal.tooLarge(
        Phrase.of(
            "a task reserves at most %d patterns; reserve a folder instead",
            Reservation.OF_A_TASK_MAX));
  }

  private Reservation reserved(Tx tx, Task task, Pattern pattern) {
    for (Reservation other : tx.reservations().holding(site.id())) {
      if (!other.task().equals(task.id()) && other.pattern().meets(pattern)) {
        throw Refusal.conflict(
            Phrase.of(
                "\"%s\" cannot be reserved for %s: \"%s\" is reserved for %s, held by %s; wait until it is done or choose other files",
                pattern, task.id(), other.pattern(), other.task(), other.holder()));
      }
    }
    var lease = task.lease().orElseThrow();
    var reservation = new Reservation(pattern, task.id(), task.fence(), lease.holder());
    tx.reservations().put(site.id(), reservation);
    return reservation;
  }

  /** Gives a reservation back before the lease ends. */
  public void release(TaskId id, String pattern, Call call) {
    Pattern given = new Pattern(pattern);
    JsonObject asked =
        JsonObject.of("workspace", site.id(), "task", id.value(), "pattern", pattern);
    site.store()
        .inTransaction(
            Once.of(call, "repo.release", asked, done -> JsonObject.EMPTY, json -> true),
            tx -> {
              tx.workspaces().lock(site.id());
              held(tx, id, call);
              if (!tx.reservations().remove(site.id(), id, given)) {
                throw Refusal.notFound(
                    Phrase.of(
                        "%s has not reserved \"%s\"; 'mainstay repo reservations' lists what is",
                        id, given));
              }
              return true;
            });
  }

  /** Everything that is reserved here now. */
  public List<Reservation> list() {
    return site.store().reading(tx -> tx.reservations().holding(site.id()));
  }

  /**
   * What is reserved for others among these paths, spelt as an agent's host gives them; paths
   * elsewhere are nobody's.
   */
  public List<Reservation> against(List<String> paths, @Nullable TaskId task) {
    List<Reservation> foreign = list().stream().filter(each -> !each.task().equals(task)).toList();
    if (foreign.isEmpty()) return List.of();
    List<RepoPath> wanted =
        paths.stream()
            .flatMap(path -> Attribution.within(site.tree().root(), path).stream())
            .toList();
    return foreign.stream()
        .filter(each -> wanted.stream().anyMatch(each.pattern()::covers))
        .toList();
  }

  private static Task held(Tx tx, TaskId id, Call call) {
    Task task = tx.tasks().lock(id);
    task.admit(call);
    if (!task.status().isHeld()) {
      throw Refusal.leaseLost(
          Phrase.of(
              "%s is %s; only the holder of a task reserves files: claim it first",
              id, task.status()));
    }
    return task;
  }

  /** Refuses a write to what is reserved for another task. */
  static void admit(Tx tx, String workspace, RepoPath path, @Nullable TaskId task) {
    for (Reservation other : tx.reservations().holding(workspace)) {
      if (!other.task().equals(task) && other.pattern().covers(path)) {
        throw Refusal.conflict(
            Phrase.of(
                "%s is reserved for %s (\"%s\"), held by %s; nothing was written: take another step, or ask its holder",
                path, other.task(), other.pattern(), other.holder()));
      }
    }
  }

  public static JsonObject json(Reservation reservation) {
    return JsonObject.of(
            "pattern", reservation.pattern().text(), "task", reservation.task().value())
        .with("fence", reservation.fence())
        .with("holder", reservation.holder());
  }

  private static JsonObject write(List<Reservation> made) {
    return JsonObject.of("reservations", made.stream().map(Reservations::json).toList());
  }

  private static List<Reservation> read(JsonObject json) {
    return json.objects("reservations").stream()
        .map(
            each ->
                new Reservation(
                    new Pattern(each.text("pattern")),
                    new TaskId(each.text("task")),
                    each.number("fence"),
                    each.text("holder")))
        .toList();
  }
}
