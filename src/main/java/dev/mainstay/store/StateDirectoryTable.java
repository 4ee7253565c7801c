package dev.mainstay.store;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.TaskId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The folders in which executions are shown, and what each side last knew of their files. */
public final class StateDirectoryTable {
  private final Tx tx;

  StateDirectoryTable(Tx tx) {
    this.tx = tx;
  }

  /**
   * One file: the last version that both sides knew, and the one that was about to be written when
   * it was last written. If the disk has the latter, both sides know that one. A version without
   * any text is none: it was forgotten where nobody could rewrite the file, which is not read then.
   */
  public record Known(String base, @Nullable String pending) {
    static final Known FORGOTTEN = new Known("", null);

    /** Whether a file with this text is in step with the store. */
    public boolean isText(String text) {
      return text.equals(base) || text.equals(pending);
    }

    public boolean isForgotten() {
      return base.isEmpty();
    }
  }

  public Optional<StateDirectory> find(String id) {
    return tx.sql("SELECT * FROM state_directories WHERE id = :id")
        .bind("id", id)
        .first(StateDirectoryTable::directory);
  }

  public List<StateDirectory> ofTask(TaskId task) {
    return tx.sql("SELECT * FROM state_directories WHERE task_id = :task ORDER BY host, folder")
        .bind("task", task)
        .list(StateDirectoryTable::directory);
  }

  /** Wherever an execution is shown first. */
  public Optional<StateDirectory> ofExecution(String execution) {
    return tx.sql(
            """
            SELECT * FROM state_directories WHERE execution_id = :execution
            ORDER BY host, folder LIMIT 1""")
        .bind("execution", execution)
        .first(StateDirectoryTable::directory);
  }

  /** All of one host. */
  public List<StateDirectory> ofHost(String host) {
    return tx.sql("SELECT * FROM state_directories WHERE host = :host ORDER BY folder")
        .bind("host", host)
        .list(StateDirectoryTable::directory);
  }

  /** Notes the folder; one that showed another execution shows this one from now on. */
  public void put(StateDirectory directory) {
    tx.sql("DELETE FROM state_directories WHERE id = :id").bind("id", directory.id()).update();
    tx.sql(
            """
            INSERT INTO state_directories (id, host, folder, task_id, execution_id, created_at)
            VALUES (:id, :host, :folder, :task, :execution, :now)""")
        .bind("id", directory.id())
        .bind("host", directory.host())
        .bind("folder", directory.folder())
        .bind("task", directory.task())
        .bind("execution", directory.execution())
        .bind("now", tx.now())
        .update();
  }

  /** What both sides changed differently, by the keys of the items. */
  public JsonObject clashes(String directory) {
    return tx.sql("SELECT clashes FROM state_directories WHERE id = :id")
        .bind("id", directory)
        .first(row -> row.json("clashes"))
        .orElse(JsonObject.EMPTY);
  }

  public void setClashes(String directory, JsonObject clashes) {
    tx.sql("UPDATE state_directories SET clashes = :clashes WHERE id = :id")
        .bind("id", directory)
        .bind("clashes", clashes)
        .update();
  }

  /** The files of a folder by their names. */
  public Map<String, Known> files(String directory) {
    Map<String, Known> files = new LinkedHashMap<>();
    tx.sql("SELECT name, base, pending FROM state_files WHERE directory_id = :directory")
        .bind("directory", directory)
        .list(row -> files.put(row.text("name"), known(row)));
    return files;
  }

  private static Known known(Row row) {
    return new Known(row.text("base"), row.textOrNull("pending"));
  }

  /** What is known of a file from now on. */
  public void putFile(String directory, String name, Known known) {
    tx.sql(
            """
            INSERT INTO state_files (directory_id, name, base, pending)
            VALUES (:directory, :name, :base, :pending)
            ON CONFLICT (directory_id, name) DO UPDATE SET base = excluded.base,
              pending = excluded.pending""")
        .bind("directory", directory)
        .bind("name", name)
        .bind("base", known.base())
        .bind("pending", known.pending())
        .update();
  }

  /** The file still has what was forgotten; the store's text is to be written over it unread. */
  void distrust(String directory, String name) {
    putFile(directory, name, Known.FORGOTTEN);
  }

  /** The file was written; if that was forgotten meanwhile, it is to be written again. */
  public void written(String directory, String name, String text) {
    tx.sql(
            """
            UPDATE state_files SET base = pending, pending = NULL
            WHERE directory_id = :directory AND name = :name AND pending = :text""")
        .bind("directory", directory)
        .bind("name", name)
        .bind("text", text)
        .update();
  }

  private static StateDirectory directory(Row row) {
    return new StateDirectory(
        row.text("host"),
        row.text("folder"),
        new TaskId(row.text("task_id")),
        row.text("execution_id"));
  }
}
