package dev.mainstay.state;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.DossierDiff;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Store;
import org.jspecify.annotations.Nullable;

/** What was known about a task at an earlier moment, and what changed between two. */
public final class TimeTravel {
  private final Store store;

  public TimeTravel(Store store) {
    this.store = store;
  }

  public Known at(TaskId id, Moment moment) {
    return store.reading(
        tx -> {
          long number = moment.number(tx, id);
          return new Known(id, number, tx.snapshots().at(id.stream(), number));
        });
  }

  /** The same as text. */
  public String textAt(TaskId id, Moment moment, @Nullable Actor reader) {
    return Notebooks.text(at(id, moment), reader);
  }

  public DossierDiff diff(TaskId id, Moment from, Moment to) {
    return store.reading(
        tx ->
            DossierDiff.between(
                tx.snapshots().at(id.stream(), from.number(tx, id)),
                tx.snapshots().at(id.stream(), to.number(tx, id))));
  }
}
