package dev.mainstay.store;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.FileWrite.Asked;
import dev.mainstay.domain.FileWrite.Change;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.TaskId;
import java.util.List;

/** The writes that were begun and not yet confirmed. */
public final class FileWriteTable {
  private final Tx tx;

  FileWriteTable(Tx tx) {
    this.tx = tx;
  }

  /** Notes the write, in place of one that was left there. */
  public void put(String workspace, FileWrite write) {
    tx.sql(
            """
            INSERT INTO file_writes (workspace_id, path, temp_name, old_hash, new_hash, key,
              fingerprint, task_id, actor, source, begun_at)
            VALUES (:workspace, :path, :temp, :old_hash, :new_hash, :key, :fingerprint, :task,
              :actor, :source, :now)
            ON CONFLICT (workspace_id, path) DO UPDATE SET temp_name = excluded.temp_name,
              old_hash = excluded.old_hash, new_hash = excluded.new_hash,
              key = excluded.key, fingerprint = excluded.fingerprint,
              task_id = excluded.task_id, actor = excluded.actor, source = excluded.source,
              begun_at = excluded.begun_at""")
        .bind("workspace", workspace)
        .bind("path", write.path())
        .bind("temp", write.tempName())
        .bind("old_hash", write.change().oldHash())
        .bind("new_hash", write.change().newHash())
        .bind("key", write.by().key())
        .bind("fingerprint", write.asked().fingerprint())
        .bind("task", write.task())
        .bind("actor", write.by().actor())
        .bind("source", write.by().source())
        .bind("now", tx.now())
        .update();
  }

  public List<FileWrite> list(String workspace) {
    return tx.sql("SELECT * FROM file_writes WHERE workspace_id = :workspace ORDER BY path")
        .bind("workspace", workspace)
        .list(FileWriteTable::write);
  }

  /** Says whether the write was still there to be settled. */
  public boolean remove(String workspace, FileWrite write) {
    return tx.sql(
                """
                DELETE FROM file_writes
                WHERE workspace_id = :workspace AND path = :path AND temp_name = :temp""")
            .bind("workspace", workspace)
            .bind("path", write.path())
            .bind("temp", write.tempName())
            .update()
        == 1;
  }

  private static FileWrite write(Row row) {
    String task = row.textOrNull("task_id");
    Call by = Call.by(Actor.parse(row.text("actor")), row.text("source"));
    return new FileWrite(
        new RepoPath(row.text("path")),
        row.text("temp_name"),
        new Change(row.textOrNull("old_hash"), row.text("new_hash")),
        new Asked(
            task == null ? null : new TaskId(task),
            by.withKey(row.textOrNull("key")),
            row.text("fingerprint")));
  }
}
