package dev.mainstay.store;

import dev.mainstay.domain.PromptSize;
import dev.mainstay.domain.TaskId;
import java.time.Instant;
import java.util.List;

/** How large the prompts were that agents were given. Local: no part of a task's history. */
public final class PromptTable {
  /** Of each task so many are kept, the newest. */
  public static final int TURNS_KEPT_MAX = 200;

  private final Tx tx;

  PromptTable(Tx tx) {
    this.tx = tx;
  }

  /** One prompt: which of its task, from 1, how large, through which door, and when. */
  public record Given(TaskId task, long turn, PromptSize size, String source, Instant at) {}

  /** Notes a prompt; of two at the same moment one is enough. */
  public void give(TaskId task, PromptSize size, String source) {
    tx.sql(
            """
            INSERT INTO prompts_given (task_id, turn, tokens, transcript_tokens, source, given_at)
            SELECT t.id, (SELECT COALESCE(max(turn), 0) + 1 FROM prompts_given WHERE task_id = :task),
              :tokens, :transcript, :source, :now
            FROM tasks t WHERE t.id = :task
            ON CONFLICT (task_id, turn) DO NOTHING""")
        .bind("task", task)
        .bind("tokens", size.tokens())
        .bind("transcript", size.transcript())
        .bind("source", source)
        .bind("now", tx.now())
        .update();
    tx.sql(
            """
            DELETE FROM prompts_given WHERE task_id = :task AND turn <=
              (SELECT max(turn) - :kept FROM prompts_given WHERE task_id = :task)""")
        .bind("task", task)
        .bind("kept", TURNS_KEPT_MAX)
        .update();
  }

  /** The newest since a moment, oldest of them first. */
  public List<Given> since(Instant moment, int limit) {
    return tx.sql(
            """
            SELECT * FROM (SELECT * FROM prompts_given WHERE given_at >= :moment
              ORDER BY given_at DESC, task_id DESC, turn DESC LIMIT :limit) AS newest
            ORDER BY given_at, task_id, turn""")
        .bind("moment", moment)
        .bind("limit", limit)
        .list(PromptTable::given);
  }

  private static Given given(Row row) {
    return new Given(
        new TaskId(row.text("task_id")),
        row.number("turn"),
        new PromptSize(row.number("tokens"), row.numberOrNull("transcript_tokens")),
        row.text("source"),
        row.instant("given_at"));
  }
}
