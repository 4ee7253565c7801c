package dev.mainstay.store;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Artifact.Content;
import dev.mainstay.domain.Artifact.Place;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What came out of tasks. A text is kept once, by its hash, however many artifacts show it. */
public final class ArtifactTable {
  private final Tx tx;

  ArtifactTable(Tx tx) {
    this.tx = tx;
  }

  /** Adds an artifact of a task whose row is locked; ids of one task grow in that order. */
  public Artifact insert(TaskId task, ArtifactType type, @Nullable Place place, Content content) {
    long id =
        tx.sql(
                """
                INSERT INTO task_artifacts
                  (task_id, artifact_type, file_path, host, content_hash, size_bytes, created_at)
                VALUES (:task, :type, :path, :host, :hash, :bytes, :now)
                RETURNING id""")
            .bind("task", task)
            .bind("type", type)
            .bind("path", place == null ? null : place.path())
            .bind("host", place == null ? null : place.host())
            .bind("hash", content.hash())
            .bind("bytes", content.bytes())
            .bind("now", content.createdAt())
            .one(row -> row.number("id"));
    return new Artifact(id, task, type, place, content);
  }

  /** Keeps a text under its hash; one that was damaged there is right again. */
  public void keep(String hash, String text, long bytes) {
    tx.sql(
            """
            INSERT INTO artifact_contents (content_hash, content, size_bytes)
            VALUES (:hash, :content, :bytes)
            ON CONFLICT (content_hash) DO UPDATE
              SET content = excluded.content, size_bytes = excluded.size_bytes
              WHERE artifact_contents.content <> excluded.content""")
        .bind("hash", hash)
        .bind("content", text)
        .bind("bytes", bytes)
        .update();
  }

  /** The text that was kept under a hash, as it is now. */
  public Optional<String> text(String hash) {
    return tx.sql("SELECT content FROM artifact_contents WHERE content_hash = :hash")
        .bind("hash", hash)
        .first(row -> row.text("content"));
  }

  public Optional<Artifact> find(TaskId task, long id) {
    return tx.sql("SELECT * FROM task_artifacts WHERE task_id = :task AND id = :id")
        .bind("task", task)
        .bind("id", id)
        .first(ArtifactTable::artifact);
  }

  /** The artifacts of a task, oldest first. */
  public List<Artifact> list(TaskId task) {
    return tx.sql("SELECT * FROM task_artifacts WHERE task_id = :task ORDER BY id")
        .bind("task", task)
        .list(ArtifactTable::artifact);
  }

  public int count(TaskId task) {
    return tx.sql("SELECT count(*) AS count FROM task_artifacts WHERE task_id = :task")
        .bind("task", task)
        .one(row -> row.integer("count"));
  }

  /** The hashes under which something else is kept than they say. */
  public List<String> damaged() {
    List<String> damaged = new ArrayList<>();
    tx.sql("SELECT content_hash, content FROM artifact_contents ORDER BY content_hash")
        .each(
            row -> {
              String hash = row.text("content_hash");
              if (!JournalEntry.sha256(row.text("content")).equals(hash)) damaged.add(hash);
            });
    return damaged;
  }

  /** The texts that artifacts show and that are not there, by their hashes. */
  public List<String> missing() {
    return tx.sql(
            """
            SELECT DISTINCT task_artifacts.content_hash FROM task_artifacts
            LEFT JOIN artifact_contents
              ON artifact_contents.content_hash = task_artifacts.content_hash
            WHERE task_artifacts.file_path IS NULL AND artifact_contents.content_hash IS NULL
            ORDER BY task_artifacts.content_hash""")
        .list(row -> row.text("content_hash"));
  }

  private static Artifact artifact(Row row) {
    String path = row.textOrNull("file_path");
    return new Artifact(
        row.number("id"),
        new TaskId(row.text("task_id")),
        new ArtifactType(row.text("artifact_type")),
        path == null ? null : new Place(path, row.text("host")),
        new Content(row.text("content_hash"), row.number("size_bytes"), row.instant("created_at")));
  }
}
