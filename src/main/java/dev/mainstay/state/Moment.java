package dev.mainstay.state;

import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Tx;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * A moment in a task's history, as people name it: a place in the whole journal ({@code 120}), an
 * entry of the task's own stream ({@code #7}), a time, a checkpoint's name, or {@code now}.
 */
public record Moment(String named) {
  private static final String PLACE = "\\d{1,18}";

  public static Moment seq(long seq) {
    return new Moment(Long.toString(seq));
  }

  public static Moment entry(long number) {
    return new Moment("#" + number);
  }

  public static Moment time(Instant time) {
    return new Moment(time.toString());
  }

  public static final Moment NOW = new Moment(Checkpoint.NOW);

  public Moment {
    named = named.strip();
  }

  /** The number of the last entry of the task's stream at this moment. */
  long number(Tx tx, TaskId id) {
    tx.tasks().get(id);
    String stream = id.stream();
    long head = tx.journal().head(stream).number();
    if (named.equals(Checkpoint.NOW)) return head;
    if (named.matches("#" + PLACE)) return entry(id, head);
    if (named.matches(PLACE)) {
      return tx.journal().numberAt(stream, Long.parseLong(named)).orElseThrow(() -> early(id));
    }
    if (named.matches("\\d{4}-.*")) {
      return tx.journal().numberAt(stream, instant()).orElseThrow(() -> early(id));
    }
    return tx.checkpoints()
        .find(id, named)
        .map(Checkpoint::number)
        .orElseThrow(
            () ->
                Refusal.notFound(
                    Phrase.of(
                        "%s has no checkpoint \"%s\"; 'mainstay checkpoint list %s' shows those there are",
                        id, named, id)));
  }

  private long entry(TaskId id, long head) {
    long number = Long.parseLong(named.substring(1));
    if (number >= 1 && number <= head) return number;
    throw Refusal.notFound(Phrase.of("%s has entries #1 to #%d, not %s", id, head, named));
  }

  private Instant instant() {
    try {
      return Instant.parse(named);
    } catch (DateTimeParseException malformed) {
      throw Refusal.invalid(
          Phrase.of("\"%s\" is not a time; write it in UTC like 2026-01-31T12:00:00Z", named));
    }
  }

  private Refusal early(TaskId id) {
    return Refusal.notFound(Phrase.of("%s did not exist yet at %s", id, named));
  }

  @Override
  public String toString() {
    return named;
  }
}
