package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.DossierEvent;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Named places in a task's history, to go back to or to begin another task from. */
public final class Checkpoints {
  private final Store store;

  public Checkpoints(Store store) {
    this.store = store;
  }

  /** Names the present place; without a name it is called after its entry. */
  public Checkpoint save(TaskId id, @Nullable String name, Call call) {
    return store.inTransaction(
        Once.of(
            call,
            "checkpoint.save",
            Writing.asked(id).with("name", name),
            Checkpoint::toJson,
            Checkpoint::fromJson),
        tx -> {
          tx.tasks().lock(id).admit(call);
          String chosen = name == null ? unnamed(tx, id) : Redacted.text(name).strip();
          refuseTaken(tx, id, chosen);
          Writing.write(tx, id, call, dossier -> dossier.mark(chosen));
          return tx.checkpoints().find(id, chosen).orElseThrow();
        });
  }

  private static String unnamed(Tx tx, TaskId id) {
    return "entry-" + (tx.journal().head(id.stream()).number() + 1);
  }

  private static void refuseTaken(Tx tx, TaskId id, String name) {
    if (tx.checkpoints().find(id, name).isPresent()) {
      throw Refusal.conflict(
          Phrase.of(
              "%s has a checkpoint \"%s\" already, and a checkpoint does not move; choose another name",
              id, name));
    }
    if (tx.checkpoints().count(id) >= Checkpoint.CHECKPOINTS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "%s has %,d checkpoints, which is the most; name an entry by its number instead, like #12",
              id, Checkpoint.CHECKPOINTS_MAX));
    }
  }

  /** Oldest first. */
  public List<Checkpoint> list(TaskId id) {
    return store.reading(
        tx -> {
          tx.tasks().get(id);
          return tx.checkpoints().list(id);
        });
  }

  /** Goes back to an earlier moment; that is itself a change, which can be undone the same way. */
  public Receipt restore(TaskId id, Moment moment, Call call) {
    return store.inTransaction(
        Once.of(
            call,
            "checkpoint.restore",
            Writing.asked(id).with("moment", moment.named()),
            Receipt::toJson,
            Receipt::fromJson),
        tx -> {
          tx.tasks().lock(id).admit(call);
          long number = moment.number(tx, id);
          Dossier then = tx.snapshots().at(id.stream(), number);
          return Writing.write(
              tx, id, call, dossier -> dossier.restore(then, moment.named(), number));
        });
  }

  /** Makes a new task that knows what this one knew at a moment; its journal says where from. */
  public Task fork(TaskId id, Moment moment, @Nullable String title, Call call) {
    String name = title == null ? null : Redacted.text(title);
    JsonObject asked = Writing.asked(id).with("moment", moment.named()).with("title", name);
    return store.inTransaction(
        Once.of(call, "checkpoint.fork", asked, TaskJson::write, TaskJson::read),
        tx -> {
          Task parent = tx.tasks().get(id);
          long number = moment.number(tx, id);
          Dossier then = tx.snapshots().at(id.stream(), number);
          Brief was = parent.brief();
          Brief brief =
              new Brief(
                  name == null ? was.title() : name,
                  was.description(),
                  was.type(),
                  was.priority(),
                  // A fork is nobody's yet, whatever opened its parent.
                  was.isOpenedByPrompt()
                      ? was.metadata().with(Brief.OPENED_BY, "fork")
                      : was.metadata());
          var created = new TaskEvent.Created(brief, null, null, List.of());
          Task made = tx.tasks().create(tx.tasks().nextId(), created, 0, call);
          Dossier begins = tx.dossiers().get(id).dossier().forkedAt(then);
          var forked = new DossierEvent.Forked(id, number, begins);
          tx.dossiers().record(made.id(), Stored.NONE, List.of(forked), call);
          return made;
        });
  }
}
