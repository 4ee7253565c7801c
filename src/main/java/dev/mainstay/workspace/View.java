package dev.mainstay.workspace;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Once;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keeps {@code repostate.json} what the store says, whoever changed, damaged or deleted it. The
 * store knows the hash of what was written last, so that nothing needs to be believed of the file.
 */
final class View {
  private final Site site;
  private final StateFile file;

  View(Site site) {
    this.site = site;
    this.file = new StateFile(site.folder());
  }

  /** A state and the workspace it was read with. */
  record Read(Workspace workspace, RepoState state) {}

  /**
   * Writes it unless it fits. Processes do so one after the other and read the state while they are
   * alone, so that an older one never covers a newer.
   */
  void write(Supplier<Read> state) {
    if (fits()) return;
    site.alone(
        () -> {
          if (fits()) return true; // somebody else was quicker
          Read now = state.get();
          String written = file.write(now.state()) + ":" + hash(now.state().openTasks());
          long version = now.workspace().files().version();
          return site.store()
              .inTransaction(
                  Once.unkeyed(),
                  tx -> {
                    tx.workspaces().setView(site.id(), version, written);
                    return true;
                  });
        });
  }

  /** Removes what a writer of the view who died has left beside it. */
  boolean discard() {
    return file.discard();
  }

  /** The plan may have moved without a change of the workspace, so the tasks are asked as well. */
  private boolean fits() {
    String known = site.load().files().viewHash();
    if (known == null) return false;
    List<OpenTask> open =
        site.store()
            .reading(
                tx ->
                    tx.workspaces()
                        .find(site.id())
                        .map(workspace -> RepoStates.openTasks(tx, workspace))
                        .orElse(List.of()));
    return file.hash().filter(hash -> known.equals(hash + ":" + hash(open))).isPresent();
  }

  private static String hash(List<OpenTask> tasks) {
    return JournalEntry.sha256(JsonText.write(tasks.stream().map(OpenTask::toJson).toList()));
  }
}
