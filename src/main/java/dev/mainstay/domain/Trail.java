package dev.mainstay.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What was observed of a run, newest last: one line per turn from real tool activity, and every
 * compression of its context. Older ones than are kept here are counted and in the journal.
 */
public record Trail(
    List<String> actions,
    long actionsDropped,
    List<Compression> compressions,
    long compressionsDropped) {
  public static final int ACTIONS_MAX = 6;
  public static final int ACTION_CHARS_MAX = 256;
  public static final int COMPRESSIONS_MAX = 100;
  public static final int COMPRESSION_ACTION_CHARS_MAX = 64;
  public static final int COMPRESSION_SUMMARY_CHARS_MAX = 1_024;

  /** What an observer may hand in; it is cut for the state and whole in the journal. */
  public static final int OBSERVED_CHARS_MAX = 4_096;

  public static final Trail NONE = new Trail(List.of(), 0, List.of(), 0);

  /** One compression: what was done, what it left, and the tokens before and after. */
  public record Compression(
      String action, String summary, long tokensBefore, long tokensAfter, Instant at) {
    public Compression {
      action = Text.line("a compression's action", action, COMPRESSION_ACTION_CHARS_MAX);
      if (summary.length() > COMPRESSION_SUMMARY_CHARS_MAX) {
        throw new IllegalStateException("a summary of " + summary.length() + " characters");
      }
      if (tokensBefore < 0 || tokensAfter < 0) {
        throw Refusal.invalid("a context cannot have fewer than 0 tokens");
      }
    }

    JsonObject toJson() {
      return JsonObject.of(
          "action",
          action,
          "summary",
          summary,
          "before",
          tokensBefore,
          "after",
          tokensAfter,
          "at",
          at);
    }

    static Compression fromJson(JsonObject json) {
      return new Compression(
          json.text("action"),
          json.text("summary"),
          json.number("before"),
          json.number("after"),
          Times.read(json.text("at")));
    }
  }

  public Trail {
    actions = List.copyOf(actions);
    compressions = List.copyOf(compressions);
    if (actions.size() > ACTIONS_MAX || compressions.size() > COMPRESSIONS_MAX) {
      throw new IllegalStateException(
          actions.size() + " actions, " + compressions.size() + " compressions");
    }
  }

  Trail acted(String summary) {
    List<String> next = new ArrayList<>(actions);
    next.add(Graphemes.cut(summary, ACTION_CHARS_MAX));
    int over = Math.max(0, next.size() - ACTIONS_MAX);
    return new Trail(
        next.subList(over, next.size()), actionsDropped + over, compressions, compressionsDropped);
  }

  Trail compressed(Compression compression) {
    List<Compression> next = new ArrayList<>(compressions);
    next.add(compression);
    int over = Math.max(0, next.size() - COMPRESSIONS_MAX);
    return new Trail(
        actions, actionsDropped, next.subList(over, next.size()), compressionsDropped + over);
  }

  /** A new context begins to act; what the old one did is in the journal. */
  Trail restarted() {
    return new Trail(List.of(), 0, compressions, compressionsDropped);
  }
}
