package dev.mainstay.store;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactEvent;
import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.DossierEvent;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.DossierTable.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything about one task, made anew from its journal entries, one after the other. */
public final class Replay {
  private final TaskId id;
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final List<RunRecord> runs = new ArrayList<>();
  private final List<Artifact> artifacts = new ArrayList<>();
  private @Nullable Task task;
  private Stored dossier = Stored.NONE;

  public Replay(TaskId id) {
    this.id = id;
  }

  /** Whether the journal stream belongs to a task. */
  public static boolean isTask(String stream) {
    return stream.startsWith("task/");
  }

  public static Replay of(String stream) {
    return new Replay(new TaskId(stream.substring("task/".length())));
  }

  public void apply(JournalEntry entry) {
    String kind = entry.content().kind();
    JsonObject payload = JsonText.object(entry.content().payload());
    if (Dossier.isAbout(kind)) applyDossier(entry, Dossier.read(kind, payload));
    else if (kind.startsWith(ArtifactEvent.KINDS)) applyArtifact(entry, payload);
    else if (kind.startsWith("task.")) applyTask(entry, TaskEvent.read(kind, payload));
    else throw new IllegalArgumentException("no such event: " + kind);
  }

  private void applyTask(JournalEntry entry, TaskEvent event) {
    Task before = task;
    if (before != null) task = event.applyTo(before, entry.origin().at());
    else if (event instanceof TaskEvent.Created created)
      task = created.first(id, entry.origin().at());
    else throw notCreated();
  }

  private void applyArtifact(JournalEntry entry, JsonObject payload) {
    if (task == null) throw notCreated();
    artifacts.add(ArtifactEvent.Added.read(id, payload, entry.origin().at()).artifact());
  }

  private void applyDossier(JournalEntry entry, Event event) {
    if (task == null) throw notCreated();
    long number = entry.place().number();
    dossier = new Stored(number, dossier.dossier().after(event, entry.origin()));
    if (RunRecord.isMovedBy(event)) follow(event, entry.origin().at());
    if (event instanceof DossierEvent.CheckpointSaved saved) {
      checkpoints.add(new Checkpoint(id, saved.name(), number, entry.origin().at()));
    }
  }

  private void follow(Event event, Instant at) {
    RunRecord last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    RunRecord now = RunRecord.after(id, last, event, dossier.dossier().state().run(), at);
    if (now == null) return;
    if (last != null && last.number() == now.number()) runs.remove(runs.size() - 1);
    runs.add(now);
  }

  private IllegalStateException notCreated() {
    return new IllegalStateException(id + " does not begin with its creation");
  }

  public TaskId id() {
    return id;
  }

  /** The task as its events made it; what is derived or local is not in it. */
  public @Nullable Task task() {
    return task;
  }

  /** What is remembered about it, and the number of the entry that changed that last. */
  public Stored dossier() {
    return dossier;
  }

  public List<RunRecord> runs() {
    return List.copyOf(runs);
  }

  /** What came out of it, oldest first; the contents are not in the journal. */
  public List<Artifact> artifacts() {
    return List.copyOf(artifacts);
  }

  public List<Checkpoint> checkpoints() {
    return List.copyOf(checkpoints);
  }
}
