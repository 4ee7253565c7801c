package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.domain.Workspace.Story;
import java.util.List;
import java.util.Optional;

/** The workspaces of all hosts. */
public final class WorkspaceTable {
  private final Tx tx;

  WorkspaceTable(Tx tx) {
    this.tx = tx;
  }

  /** Makes the row if it is not there; two who do so at once make one. */
  public Workspace open(Place place, String emptyTree) {
    tx.sql(
            """
            INSERT INTO workspaces (id, host, work_dir, tree_hash, updated_at)
            VALUES (:id, :host, :work_dir, :tree_hash, :now) ON CONFLICT (id) DO NOTHING""")
        .bind("id", place.id())
        .bind("host", place.host())
        .bind("work_dir", place.workDir())
        .bind("tree_hash", emptyTree)
        .bind("now", tx.now())
        .update();
    return lock(place.id());
  }

  public Optional<Workspace> find(String id) {
    return tx.sql("SELECT * FROM workspaces WHERE id = :id")
        .bind("id", id)
        .first(WorkspaceTable::workspace);
  }

  /** Locks the row: who writes and who reserves there go one after the other. */
  public Workspace lock(String id) {
    return tx.sql("SELECT * FROM workspaces WHERE id = :id <forUpdate>")
        .define("forUpdate", tx.dialect().forUpdate())
        .bind("id", id)
        .first(WorkspaceTable::workspace)
        .orElseThrow(() -> unknown(id));
  }

  private static Refusal unknown(String id) {
    return Refusal.notFound(
        "there is no workspace %s; 'mainstay repo scan' makes one of a folder".formatted(id));
  }

  public List<Workspace> list() {
    return tx.sql("SELECT * FROM workspaces ORDER BY host, work_dir")
        .list(WorkspaceTable::workspace);
  }

  /** Another story, or another list of what remains to be done. */
  public void setStory(String id, Story story) {
    tx.sql(
            """
            UPDATE workspaces SET story_id = :story, open_tasks = :open_tasks, updated_at = :now
            WHERE id = :id""")
        .bind("id", id)
        .bind("story", story.id())
        .bind("open_tasks", new JsonValue(story.tasks().stream().map(OpenTask::toJson).toList()))
        .bind("now", tx.now())
        .update();
  }

  /** The files are as this hash says. */
  public void setTree(String id, String treeHash) {
    tx.sql("UPDATE workspaces SET tree_hash = :tree_hash, updated_at = :now WHERE id = :id")
        .bind("id", id)
        .bind("tree_hash", treeHash)
        .bind("now", tx.now())
        .update();
  }

  private static Workspace workspace(Row row) {
    List<OpenTask> tasks =
        row.jsonList("open_tasks").stream()
            .map(JsonObject.class::cast)
            .map(OpenTask::fromJson)
            .toList();
    return new Workspace(
        row.text("id"),
        new Place(row.text("host"), row.text("work_dir")),
        new Story(row.textOrNull("story_id"), tasks),
        row.text("tree_hash"),
        row.instant("updated_at"));
  }
}
