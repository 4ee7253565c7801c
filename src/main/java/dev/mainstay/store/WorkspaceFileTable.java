package dev.mainstay.store;

import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.ScannedFile;
import dev.mainstay.domain.ScannedFile.Stat;
import dev.mainstay.domain.TrackedFile;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The files of workspaces as they were last seen. */
public final class WorkspaceFileTable {
  private static final int ROWS_AT_ONCE = 1_000;
  private static final long NANOS = 1_000_000_000L;

  private final Tx tx;

  WorkspaceFileTable(Tx tx) {
    this.tx = tx;
  }

  /** By path; deleted ones of the story are among them. */
  public List<TrackedFile> list(String workspace) {
    return tx.sql("SELECT * FROM workspace_files WHERE workspace_id = :workspace ORDER BY path")
        .bind("workspace", workspace)
        .list(WorkspaceFileTable::file);
  }

  public Optional<TrackedFile> find(String workspace, String path) {
    return tx.sql("SELECT * FROM workspace_files WHERE workspace_id = :workspace AND path = :path")
        .bind("workspace", workspace)
        .bind("path", path)
        .first(WorkspaceFileTable::file);
  }

  /** Puts the rows there, whether new or changed. */
  public void put(String workspace, Collection<TrackedFile> files) {
    Sql sql = upsert();
    int rows = 0;
    for (TrackedFile file : files) {
      ScannedFile seen = file.seen();
      sql.bind("workspace", workspace)
          .bind("path", seen.path())
          .bind("hash", seen.hash())
          .bind("size", seen.stat().size())
          .bind("mod_nanos", nanos(seen.stat().modTime()))
          .bind("file_key", seen.stat().fileKey())
          .bind("hashed_nanos", nanos(seen.hashedAt()))
          .bind("status", file.status())
          .bind("base_hash", file.baseHash())
          .addRow();
      if (++rows % ROWS_AT_ONCE == 0) {
        sql.updateBatch();
        sql = upsert();
      }
    }
    sql.updateBatch();
  }

  private Sql upsert() {
    return tx.sql(
        """
        INSERT INTO workspace_files (workspace_id, path, hash, size, mod_nanos, file_key,
          hashed_nanos, status, base_hash)
        VALUES (:workspace, :path, :hash, :size, :mod_nanos, :file_key,
          :hashed_nanos, :status, :base_hash)
        ON CONFLICT (workspace_id, path) DO UPDATE SET hash = excluded.hash, size = excluded.size,
          mod_nanos = excluded.mod_nanos, file_key = excluded.file_key,
          hashed_nanos = excluded.hashed_nanos, status = excluded.status,
          base_hash = excluded.base_hash""");
  }

  public void remove(String workspace, Collection<String> paths) {
    Sql sql =
        tx.sql("DELETE FROM workspace_files WHERE workspace_id = :workspace AND path = :path");
    for (String path : paths) sql.bind("workspace", workspace).bind("path", path).addRow();
    sql.updateBatch();
  }

  static TrackedFile file(Row row) {
    Stat stat =
        new Stat(row.number("size"), instant(row.number("mod_nanos")), row.text("file_key"));
    ScannedFile seen =
        new ScannedFile(
            row.text("path"), row.textOrNull("hash"), stat, instant(row.number("hashed_nanos")));
    return new TrackedFile(
        seen, FileStatus.valueOf(row.text("status")), row.textOrNull("base_hash"));
  }

  /**
   * To the nanosecond: an instant of the database would forget the last digits of a file's time.
   */
  private static long nanos(Instant instant) {
    long seconds = Math.max(-9_000_000_000L, Math.min(9_000_000_000L, instant.getEpochSecond()));
    return seconds * NANOS + instant.getNano();
  }

  private static Instant instant(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
  }
}
