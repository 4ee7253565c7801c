package dev.mainstay.domain;

import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notices an agent that goes round in circles: the same tool with the same arguments and the same
 * result in turns that follow each other. Any difference resets it; tools that poll are exempt.
 */
public record RepeatFuse(Set<String> polling, @Nullable Turn last, int repeats) {
  public static final int NOTICE_REPEATS = 2;
  public static final int REFUSAL_REPEATS = 5;
  public static final int END_REPEATS = 8;

  /** What one turn called and what came of it; a turn with several calls joins them. */
  public record Turn(String tool, String argumentsHash, String resultHash) {
    // A record's own equals is put together at run time, which costs every hook after a tool.
    private boolean isLike(@Nullable Turn other) {
      return other != null
          && tool.equals(other.tool)
          && argumentsHash.equals(other.argumentsHash)
          && resultHash.equals(other.resultHash);
    }
  }

  /** What follows from a number of repeats. */
  public enum Verdict {
    /** Go on. */
    FINE,
    /** Say to the agent that it repeats itself. */
    NOTICE,
    /** Do not run the call. */
    REFUSE,
    /** End the run as {@link RunPhase#NO_PROGRESS}. */
    NO_PROGRESS
  }

  public RepeatFuse {
    polling = Set.copyOf(polling);
    if (repeats < 0 || (repeats == 0) != (last == null)) {
      throw new IllegalStateException(repeats + " repeats of " + last);
    }
  }

  /** A fuse that has seen nothing yet. */
  public static RepeatFuse fresh(Collection<String> polling) {
    return new RepeatFuse(Set.copyOf(polling), null, 0);
  }

  /** The fuse after a turn that ran. */
  public RepeatFuse after(String tool, String argumentsHash, String resultHash) {
    // To poll is to do something else: it ends a row of repeats and begins none.
    if (polling.contains(tool)) return fresh(polling);
    Turn turn = new Turn(tool, argumentsHash, resultHash);
    return new RepeatFuse(polling, turn, turn.isLike(last) ? repeats + 1 : 1);
  }

  /**
   * The fuse after a call that was refused: it counts on, or refusing would never come to an end.
   */
  public RepeatFuse afterRefused(String tool, String argumentsHash) {
    return last != null && repeats(tool, argumentsHash)
        ? new RepeatFuse(polling, last, repeats + 1)
        : this;
  }

  public Verdict verdict() {
    return verdict(repeats);
  }

  /** What would be the verdict if this call ran now and came to nothing new. */
  public Verdict before(String tool, String argumentsHash) {
    return repeats(tool, argumentsHash) ? verdict(repeats + 1) : Verdict.FINE;
  }

  private boolean repeats(String tool, String argumentsHash) {
    return last != null
        && !polling.contains(tool)
        && last.tool().equals(tool)
        && last.argumentsHash().equals(argumentsHash);
  }

  private static Verdict verdict(int repeats) {
    if (repeats >= END_REPEATS) return Verdict.NO_PROGRESS;
    if (repeats >= REFUSAL_REPEATS) return Verdict.REFUSE;
    return repeats >= NOTICE_REPEATS ? Verdict.NOTICE : Verdict.FINE;
  }

  /** What a session keeps between two calls; which tools poll is configuration. */
  public JsonObject toJson() {
    if (last == null) return JsonObject.EMPTY;
    return JsonObject.of(
        "tool",
        last.tool(),
        "arguments",
        last.argumentsHash(),
        "result",
        last.resultHash(),
        "repeats",
        repeats);
  }

  public static RepeatFuse fromJson(JsonObject json, Collection<String> polling) {
    if (!json.has("tool")) return fresh(polling);
    return new RepeatFuse(
        Set.copyOf(polling),
        new Turn(json.text("tool"), json.text("arguments"), json.text("result")),
        json.integer("repeats"));
  }
}
