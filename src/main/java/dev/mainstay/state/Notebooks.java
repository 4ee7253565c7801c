package dev.mainstay.state;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.DossierEvent;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.NotebookEvent;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Resolution;
import dev.mainstay.domain.StateUpdateText;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.NotebookText;
import dev.mainstay.render.TaskStateText;
import dev.mainstay.store.Store;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The notebook that everybody who works on a task shares. */
public final class Notebooks {
  public static final int PAGE_MAX = 1_000;

  private static final Set<String> HISTORY_KINDS = historyKinds();

  private final Store store;

  public Notebooks(Store store) {
    this.store = store;
  }

  /** What changes a notebook: its own events, and those of the dossier as a whole. */
  private static Set<String> historyKinds() {
    Set<String> kinds = new TreeSet<>(NotebookEvent.READERS.keySet());
    kinds.addAll(DossierEvent.READERS.keySet());
    return kinds;
  }

  /** The notebook; empty if nothing was noted yet. */
  public Notebook load(TaskId id) {
    return known(id).dossier().notebook();
  }

  /** Everything that is known about a task now. */
  public Known known(TaskId id) {
    return store.reading(
        tx -> {
          var stored = tx.dossiers().open(id).stored();
          return new Known(id, stored.number(), stored.dossier());
        });
  }

  /** The notebook as text; each note names its author unless that is the reader. */
  public String dump(TaskId id, @Nullable Actor reader) {
    return NotebookText.render(load(id), id, reader);
  }

  /** The same in a {@code <state>} block, to be embedded in a prompt; empty if nothing is noted. */
  public String block(TaskId id, @Nullable Actor reader) {
    return NotebookText.wrapped(load(id), id, reader);
  }

  /** Notebook and run as text. */
  public String show(TaskId id, @Nullable Actor reader) {
    return text(known(id), reader);
  }

  static String text(Known known, @Nullable Actor reader) {
    String state = TaskStateText.compact(known.dossier());
    String notes = NotebookText.render(known.dossier().notebook(), known.task(), reader);
    boolean both = !state.isEmpty() && !notes.isEmpty();
    return state + (both ? "\n\n" : "") + notes;
  }

  /** Adds to the notebook; what two callers add at the same time is both there. */
  public Receipt merge(TaskId id, NotebookDelta update, Call call) {
    NotebookDelta delta = Redacted.delta(update);
    return Writing.write(
            store,
            call,
            "notebook.merge",
            Writing.asked(id).with("delta", delta.toJson()),
            dossier -> dossier.notebook().merge(delta))
        .with(delta.cuts(id));
  }

  /**
   * Adds what a model's text says in its {@code <state_update>} blocks: all of them or, when one is
   * not JSON, none.
   */
  public Receipt mergeText(TaskId id, String text, Call call) {
    return merge(id, updates(text), call);
  }

  /** What all updates in a model's text say together; nothing when there are none. */
  static NotebookDelta updates(String text) {
    NotebookDelta all = NotebookDelta.EMPTY;
    for (var update : StateUpdateText.find(text)) {
      try {
        all = all.then(NotebookDelta.fromJson(JsonText.object(update.json())));
      } catch (Refusal malformed) {
        throw update.malformed(malformed.sentence());
      }
    }
    return all;
  }

  /** Puts a whole notebook in place of the one there is. */
  public Receipt save(TaskId id, NotebookDelta whole, Call call) {
    NotebookDelta redacted = Redacted.delta(whole);
    return Writing.write(
            store,
            call,
            "notebook.save",
            Writing.asked(id).with("whole", redacted.toJson()),
            dossier -> dossier.notebook().save(redacted))
        .with(redacted.cuts(id));
  }

  /** Settles an open issue or decides a hypothesis, named by its text or its number from 1. */
  public Receipt resolve(TaskId id, String item, Resolution how, Call call) {
    String named = Redacted.text(item);
    return Writing.write(
        store,
        call,
        "notebook.resolve",
        Writing.asked(id).with("item", named).with("how", how.typed()),
        dossier -> dossier.notebook().resolve(named, how));
  }

  /**
   * Everything that was ever noted, in full length, oldest first: the entries after number {@code
   * after}, at most {@code limit} of them.
   */
  public List<JournalEntry> history(TaskId id, long after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", PAGE_MAX));
    }
    return store.reading(
        tx -> {
          tx.tasks().get(id);
          return tx.journal().ofKinds(id.stream(), HISTORY_KINDS, after, limit);
        });
  }
}
