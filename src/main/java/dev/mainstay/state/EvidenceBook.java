package dev.mainstay.state;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.CompletionGate;
import dev.mainstay.domain.CompletionGate.Standing;
import dev.mainstay.domain.Conflict;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Evidence;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Store;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What Mainstay itself saw of a task: how commands ended, and files that another task changed, too.
 * Only who ran or watched the command writes here; a model's own word goes elsewhere.
 */
public final class EvidenceBook {
  private final Store store;

  public EvidenceBook(Store store) {
    this.store = store;
  }

  /** A piece of evidence, and whether the files are still those it was seen on. */
  public record Entry(Evidence evidence, boolean fresh) {
    public JsonObject toJson() {
      return evidence.toJson().with("fresh", fresh);
    }
  }

  /** A criterion and how it stands now. */
  public record Judged(Criterion criterion, Standing standing) {
    public JsonObject toJson() {
      return criterion
          .toJson()
          .with("met", standing.isMet())
          .with("standing", standing.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Records how a command ended on the files of a workspace. */
  public Receipt record(TaskId id, EvidenceSeen seen, Call call) {
    var kept =
        new EvidenceSeen(Redacted.text(seen.command()), seen.exitCode(), seen.on(), seen.how());
    return Writing.write(
        store,
        call,
        "evidence.record",
        Writing.asked(id).with("evidence", kept.payload()),
        dossier -> dossier.observed().see(kept));
  }

  /** Records that another task changed the same file; what is known already changes nothing. */
  public Receipt recordConflict(TaskId id, ConflictSeen seen, Call call) {
    return Writing.write(
        store,
        call,
        "conflict.record",
        Writing.asked(id).with("conflict", seen.payload()),
        dossier -> dossier.observed().see(seen));
  }

  /** The conflicts about a file are settled. */
  public Receipt settle(TaskId id, String path, Call call) {
    return Writing.write(
        store,
        call,
        "conflict.settle",
        Writing.asked(id).with("path", path),
        dossier -> dossier.observed().settle(path));
  }

  /** The evidence of a task, newest last. */
  public List<Entry> list(TaskId id) {
    return judged(
        id,
        (dossier, trees) ->
            dossier.observed().evidence().stream()
                .map(evidence -> new Entry(evidence, evidence.isFresh(trees)))
                .toList());
  }

  /** The conflicts of a task that are not settled, newest last. */
  public List<Conflict> conflicts(TaskId id) {
    return judged(id, (dossier, trees) -> dossier.observed().conflicts());
  }

  /** The criteria of a task in their order, as the gate sees them now. */
  public List<Judged> criteria(TaskId id) {
    return judged(id, EvidenceBook::criteria);
  }

  /** The same of what was read a moment ago. */
  public List<Judged> criteria(Dossier known) {
    if (known.state().run().criteria().isEmpty()) return List.of();
    return store.reading(tx -> criteria(known, tx.dossiers().trees(known.observed())));
  }

  private static List<Judged> criteria(Dossier dossier, Map<String, String> trees) {
    return dossier.state().run().criteria().stream()
        .map(c -> new Judged(c, CompletionGate.standing(c, dossier.observed(), trees)))
        .toList();
  }

  private <T> T judged(TaskId id, BiFunction<Dossier, Map<String, String>, T> judging) {
    return store.reading(
        tx -> {
          tx.tasks().get(id);
          Dossier dossier = tx.dossiers().get(id).dossier();
          return judging.apply(dossier, tx.dossiers().trees(dossier.observed()));
        });
  }
}
