package dev.mainstay.store;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Notebook;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import java.util.List;

/**
 * Notebooks as they were when they were last written whole. What is new since then stands in the
 * dossier, which is short and written with each note; a dossier names the one it goes on from by
 * its hash, and another one that stands here means nothing to it.
 */
public final class NotebookTable {
  /** A notebook as it was last written whole; there is none before the first. */
  record Whole(String hash, Notebook notebook) {
    static final Whole NONE = new Whole("", Notebook.EMPTY);
  }

  private final Tx tx;

  NotebookTable(Tx tx) {
    this.tx = tx;
  }

  /** Writes it whole, in place of an earlier one. */
  Whole put(TaskId task, Notebook notebook) {
    String text = JsonText.write(notebook.toJson());
    String hash = JournalEntry.sha256(text);
    tx.sql(
            """
            INSERT INTO notebooks (task_id, hash, notebook) VALUES (:task, :hash, :notebook)
            ON CONFLICT (task_id)
              DO UPDATE SET hash = excluded.hash, notebook = excluded.notebook""")
        .bind("task", task)
        .bind("hash", hash)
        .bind("notebook", new JsonRaw(text))
        .later();
    return new Whole(hash, notebook);
  }

  /** Those that no dossier goes on from; there are none in a sound store. */
  public List<String> unexplained() {
    return tx.sql(
            """
            SELECT n.task_id FROM notebooks n WHERE NOT EXISTS (
              SELECT 1 FROM dossiers d WHERE d.task_id = n.task_id AND d.base_hash = n.hash)
            ORDER BY n.task_id""")
        .list(row -> row.text("task_id"));
  }

  /** Another text stands here since it was rewritten: whoever knows the one before reads it. */
  void renamed(TaskId task, String text) {
    for (String change :
        List.of(
            """
            UPDATE dossiers SET base_hash = :hash WHERE task_id = :task
              AND base_hash = (SELECT hash FROM notebooks WHERE task_id = :task)""",
            "UPDATE notebooks SET hash = :hash WHERE task_id = :task")) {
      tx.sql(change).bind("hash", JournalEntry.sha256(text)).bind("task", task).update();
    }
  }
}
