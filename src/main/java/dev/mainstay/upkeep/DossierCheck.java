package dev.mainstay.upkeep;

import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.Replay;
import dev.mainstay.store.Tx;
import dev.mainstay.store.Unreadable;
import dev.mainstay.upkeep.Verification.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Compares what is remembered about tasks with what the journal says. */
final class DossierCheck {
  private DossierCheck() {}

  /** What differs between the rows of a task's dossier and the replay of its stream. */
  static List<Finding> journaled(Tx tx, Replay replay) {
    List<Finding> found = new ArrayList<>();
    checkDossier(tx, replay.id(), replay.dossier(), found);
    String id = String.valueOf(replay.id());
    checkRows("checkpoints." + id, tx.checkpoints()::list, replay, replay.checkpoints(), found);
    checkRows("runs." + id, tx.runs()::list, replay, replay.runs(), found);
    checkRows("task_artifacts." + id, tx.artifacts()::list, replay, replay.artifacts(), found);
    return found;
  }

  private static void checkRows(
      String where,
      Function<TaskId, List<?>> rows,
      Replay replay,
      List<?> wanted,
      List<Finding> found) {
    try {
      if (rows.apply(replay.id()).equals(wanted)) return;
      found.add(new Finding(where, "the rows are not those of the journal"));
    } catch (RuntimeException unreadable) {
      found.add(new Finding(where, "a row cannot be read: " + Unreadable.why(unreadable)));
    }
  }

  private static void checkDossier(Tx tx, TaskId id, Stored wanted, List<Finding> found) {
    String where = "dossiers." + id;
    Optional<Stored> row;
    try {
      row = tx.dossiers().examine(id);
    } catch (RuntimeException unreadable) {
      found.add(new Finding(where, "the row cannot be read: " + Unreadable.why(unreadable)));
      return;
    }
    if (row.isEmpty() && wanted.number() > 0) {
      found.add(new Finding(where, "the row is missing"));
    } else if (row.isPresent() && wanted.number() == 0) {
      found.add(new Finding(where, "no journal entry explains this row"));
    } else if (row.isPresent()) {
      found.addAll(
          TableCheck.differences(where, fields(wanted.dossier()), fields(row.get().dossier())));
      if (row.get().number() != wanted.number()) {
        String numbers = "it is at entry %d, the journal says %d";
        found.add(new Finding(where, Phrase.of(numbers, row.get().number(), wanted.number())));
      }
    }
  }

  /** The sections and fields side by side; no two have one name. */
  private static JsonObject fields(Dossier dossier) {
    JsonObject json = dossier.toJson();
    JsonObject all = json.object("task_state");
    for (var section : json.object("notebook").asMap().entrySet()) {
      all = all.with(section.getKey(), section.getValue());
    }
    for (var seen : json.object("observed").asMap().entrySet()) {
      all = all.with(seen.getKey(), seen.getValue());
    }
    JsonObject execution = json.object("execution");
    if (!execution.isEmpty()) all = all.with("execution", execution);
    return all;
  }

  /** What is wrong with the snapshot that was kept at the entry the replay has come to. */
  static Optional<Finding> snapshot(Tx tx, Replay replay, long number) {
    String where = "snapshots." + replay.id();
    try {
      boolean right =
          tx.snapshots()
              .upTo(replay.id().stream(), number)
              .filter(is -> is.dossier().equals(replay.dossier().dossier()))
              .isPresent();
      if (right) return Optional.empty();
      String problem = "the snapshot at entry %d is not what the journal says";
      return Optional.of(new Finding(where, Phrase.of(problem, number)));
    } catch (RuntimeException unreadable) {
      String problem = "the snapshot at entry %d cannot be read: %s";
      return Optional.of(
          new Finding(where, Phrase.of(problem, number, Unreadable.why(unreadable))));
    }
  }
}
