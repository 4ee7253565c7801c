package dev.mainstay.session;

import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Workspace;
import dev.mainstay.queue.Leases;
import dev.mainstay.state.EvidenceBook;
import dev.mainstay.state.Receipt;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.CheckRun;
import dev.mainstay.workspace.Tracker;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What must be seen before a task is done: checks are run here, and files looked at again. */
public final class Checks {
  /** So far back a queue is asked whether something of the task waits in it. */
  private static final int WAITING_MAX = 1_000;

  private final Store store;

  private final Function<Path, Tracker> workspaces;

  public Checks(Store store) {
    this(store, folder -> Tracker.open(store, folder));
  }

  /**
   * @param workspaces opens a folder as a workspace
   */
  public Checks(Store store, Function<Path, Tracker> workspaces) {
    this.store = store;
    this.workspaces = workspaces;
  }

  /** A check that was run. */
  public record Ran(String command, int exitCode) {
    public JsonObject toJson() {
      return JsonObject.of("command", command, "exit_code", exitCode);
    }
  }

  /** Runs all checks of a task's criteria in a workspace and records how each of them ended. */
  public List<Ran> runAll(TaskId id, Path folder, OutputStream shown, Call call) {
    List<String> checks =
        new TaskStates(store)
            .load(id).run().criteria().stream()
                .map(Criterion::check)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    if (checks.isEmpty()) {
      throw Refusal.notFound(
          Phrase.of(
              "%s has no criterion with a check; 'mainstay criteria add %s TEXT --check COMMAND' adds one",
              id, id));
    }
    List<Ran> all = new ArrayList<>();
    for (String check : checks) all.add(run(id, folder, check, shown, call));
    return all;
  }

  /** Runs one command in a workspace and records how it ended, and on which files. */
  public Ran run(TaskId id, Path folder, String command, OutputStream shown, Call call) {
    store.reading(tx -> tx.tasks().get(id)).admit(call);
    announce(command, shown);
    var outcome = CheckRun.run(workspaces.apply(folder), command, CheckRun.LIMIT, shown);
    var seen =
        new EvidenceSeen(
            command, outcome.exitCode(), new Tree(outcome.workspace(), outcome.tree()), How.RAN);
    // A key stands for one request; a run is evidence however often it is asked for.
    new EvidenceBook(store).record(id, seen, call.withKey(null));
    return new Ran(command, outcome.exitCode());
  }

  /** A check may have been set by an agent: whoever runs it sees first what is run. */
  private static void announce(String command, OutputStream shown) {
    try {
      shown.write(("$ " + command + "\n").getBytes(StandardCharsets.UTF_8));
      shown.flush();
    } catch (IOException nobodyLooks) {
      return;
    }
  }

  /**
   * Completes a task once nothing is open, with the files looked at again first, or evidence that
   * files have overtaken would pass for fresh.
   */
  public Task complete(TaskId id, JsonObject result, Call call) {
    return complete(id, result, null, call);
  }

  /** The same, where a person may do without the evidence that the type of task requires. */
  public Task complete(TaskId id, JsonObject result, @Nullable String override, Call call) {
    return complete(id, result, override, Amounts.NONE, call);
  }

  /** The same, with what was spent since that was said last. */
  public Task complete(
      TaskId id, JsonObject result, @Nullable String override, Amounts spent, Call call) {
    look(id);
    return new Leases(store).complete(id, result, override, spent, call);
  }

  /** Ends the run of a task; a good end asks what completing asks, and looks first as well. */
  public Receipt end(TaskId id, RunPhase how, String reason, Call call) {
    if (how == RunPhase.FINISHED) look(id);
    return new TaskStates(store).end(id, how, reason, call);
  }

  /**
   * Looks at the files of every workspace on this host that the task's evidence is about or in
   * which it is worked on, and where something it did waits to be looked at.
   */
  private void look(TaskId id) {
    List<Workspace> concerned =
        store.reading(
            tx -> {
              Set<String> ids = tx.dossiers().get(id).dossier().observed().workspaces();
              return tx.workspaces().list().stream()
                  .filter(Tracker::isHere)
                  .filter(
                      workspace ->
                          ids.contains(workspace.id())
                              || id.value().equals(workspace.story().id())
                              || tx.observations().waiting(workspace.id(), WAITING_MAX).stream()
                                  .anyMatch(seen -> id.equals(seen.task())))
                  .toList();
            });
    concerned.stream().map(Checks::folder).forEach(this::look);
  }

  private static Path folder(Workspace workspace) {
    return Path.of(workspace.place().workDir());
  }

  private void look(Path folder) {
    if (Files.isDirectory(folder)) workspaces.apply(folder).scan();
  }
}
