package dev.mainstay.store;

import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.TrackedFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which task changed which file, the last time each. */
public final class TouchTable {
  private final Tx tx;

  TouchTable(Tx tx) {
    this.tx = tx;
  }

  public void put(String workspace, Touch touch) {
    tx.sql(
            """
            INSERT INTO workspace_touches (workspace_id, path, task_id, hash, touched_at)
            VALUES (:workspace, :path, :task, :hash, :at)
            ON CONFLICT (workspace_id, path, task_id)
            DO UPDATE SET hash = excluded.hash, touched_at = excluded.touched_at""")
        .bind("workspace", workspace)
        .bind("path", touch.path())
        .bind("task", touch.task())
        .bind("hash", touch.hash())
        .bind("at", touch.at())
        .update();
  }

  /** The changes that other tasks made to the file, of those that are still held. */
  public List<Touch> ofOthers(String workspace, String path, TaskId task) {
    return tx.sql(
            """
            SELECT touch.* FROM workspace_touches touch JOIN tasks ON tasks.id = touch.task_id
            WHERE touch.workspace_id = :workspace AND touch.path = :path
              AND touch.task_id <> :task AND tasks.lease_holder IS NOT NULL
            ORDER BY tasks.seq""")
        .bind("workspace", workspace)
        .bind("path", path)
        .bind("task", task)
        .list(TouchTable::touch);
  }

  /** What one task changed, the newest first. */
  public List<Touch> of(String workspace, TaskId task, int limit) {
    return tx.sql(
            """
            SELECT * FROM workspace_touches WHERE workspace_id = :workspace AND task_id = :task
            ORDER BY touched_at DESC, path LIMIT :limit""")
        .bind("workspace", workspace)
        .bind("task", task)
        .bind("limit", limit)
        .list(TouchTable::touch);
  }

  /** The paths that any task changed in a workspace, the last changed first. */
  public List<String> paths(String workspace, int limit) {
    return tx.sql(
            """
            SELECT path FROM workspace_touches WHERE workspace_id = :workspace
            GROUP BY path ORDER BY MAX(touched_at) DESC, path LIMIT :limit""")
        .bind("workspace", workspace)
        .bind("limit", limit)
        .list(row -> row.text("path"));
  }

  /** A file that a task changed, with the folder it lies in and how the file stands now. */
  public record Found(Touch touch, String workspace, String workDir, @Nullable TrackedFile now) {}

  /** What one task changed in all workspaces, the newest first. */
  public List<Found> of(TaskId task, int limit) {
    return tx.sql(
            """
            SELECT t.workspace_id, w.work_dir, t.path, t.task_id, t.hash AS left_hash, t.touched_at,
              f.hash, f.size, f.mod_nanos, f.file_key, f.hashed_nanos, f.status, f.base_hash
            FROM workspace_touches t JOIN workspaces w ON w.id = t.workspace_id
            LEFT JOIN workspace_files f ON f.workspace_id = t.workspace_id AND f.path = t.path
            WHERE t.task_id = :task ORDER BY t.touched_at DESC, t.path LIMIT :limit""")
        .bind("task", task)
        .bind("limit", limit)
        .list(
            row ->
                new Found(
                    new Touch(
                        row.text("path"),
                        task,
                        row.textOrNull("left_hash"),
                        row.instant("touched_at")),
                    row.text("workspace_id"),
                    row.text("work_dir"),
                    row.textOrNull("status") == null ? null : WorkspaceFileTable.file(row)));
  }

  private static Touch touch(Row row) {
    return new Touch(
        row.text("path"),
        new TaskId(row.text("task_id")),
        row.textOrNull("hash"),
        row.instant("touched_at"));
  }
}
