package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Files;
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
            VALUES (:id, :host, :work_dir, :tree_hash, :now) ON CONFLICT DO NOTHING""")
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
        Phrase.of("there is no workspace %s; 'mainstay repo scan' makes one of a folder", id));
  }

  /** Where a story is worked on. */
  public List<Workspace> ofStory(String story) {
    return tx.sql("SELECT * FROM workspaces WHERE story_id = :story ORDER BY host, work_dir")
        .bind("story", story)
        .list(WorkspaceTable::workspace);
  }

  public List<Workspace> list() {
    return tx.sql("SELECT * FROM workspaces ORDER BY host, work_dir")
        .list(WorkspaceTable::workspace);
  }

  /** Another story, or another list of what remains to be done. */
  public void setStory(String id, Story story) {
    tx.sql(
            """
            UPDATE workspaces SET story_id = :story, open_tasks = :open_tasks, updated_at = :now,
              version = version + 1, view_hash = NULL
            WHERE id = :id""")
        .bind("id", id)
        .bind("story", story.id())
        .bind("open_tasks", new JsonValue(story.tasks().stream().map(OpenTask::toJson).toList()))
        .bind("now", tx.now())
        .update();
  }

  /** The files are as this hash says; the version after that. */
  public long setTree(String id, String treeHash) {
    return tx.sql(
            """
            UPDATE workspaces SET tree_hash = :tree_hash, updated_at = :now,
              version = version + 1, view_hash = NULL
            WHERE id = :id RETURNING version""")
        .bind("id", id)
        .bind("tree_hash", treeHash)
        .bind("now", tx.now())
        .one(row -> row.number("version"));
  }

  /** Which bytes the view was written with, for this version and no later one. */
  public void setView(String id, long version, String viewHash) {
    tx.sql("UPDATE workspaces SET view_hash = :view_hash WHERE id = :id AND version = :version")
        .bind("id", id)
        .bind("version", version)
        .bind("view_hash", viewHash)
        .update();
  }

  private static Workspace workspace(Row row) {
    List<OpenTask> tasks =
        JsonObject.of("tasks", row.jsonList("open_tasks")).objects("tasks").stream()
            .map(OpenTask::fromJson)
            .toList();
    return new Workspace(
        row.text("id"),
        new Place(row.text("host"), row.text("work_dir")),
        new Story(row.textOrNull("story_id"), tasks),
        new Files(row.text("tree_hash"), row.number("version"), row.textOrNull("view_hash")),
        row.instant("updated_at"));
  }
}
