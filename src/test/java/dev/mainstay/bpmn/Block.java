package dev.mainstay.bpmn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process as a tree of blocks, each with one way in and one way out. */
sealed interface Block {

  /** What is done once, or once for each item; boundary events may be at it. */
  sealed interface Activity extends Block permits Task, Decision, Sub, Multi, AdHoc {
    String id();
  }

  /**
   * Work for the queue, for a person, or for another workflow.
   *
   * @param seen the variables by which one time of doing it differs from another
   */
  record Task(String id, NodeKind kind, List<String> seen) implements Activity {}

  /** A business rule that gives a variable plus a number, or only the number. */
  record Decision(String id, String variable, @Nullable String from, long plus)
      implements Activity {
    String gives() {
      if (from == null) return String.valueOf(plus);
      return plus == 0 ? from : from + " + " + plus;
    }
  }

  record Sequence(List<Block> blocks) implements Block {
    static final Sequence EMPTY = new Sequence(List.of());
  }

  /**
   * An exclusive or inclusive choice.
   *
   * @param first what several ways lead out of, if it is not a gateway that splits them
   */
  record Choice(String id, NodeKind kind, @Nullable Task first, List<Branch> branches)
      implements Block {}

  /** A branch without a condition is the default one. */
  record Branch(@Nullable Condition when, Block block) {}

  /** A whole number in the variables against another. */
  record Condition(String variable, String sign, long number) {
    String text() {
      return variable + " " + sign + " " + number;
    }
  }

  record Parallel(String id, List<Block> branches) implements Block {}

  /** The last in its scope: several ways come together without waiting for each other. */
  record Spread(String id, int ways, List<Task> tasks) implements Block {}

  /** The body again and again, by a flow that leads back. */
  record Again(String id, Block body, int rounds) implements Block {
    String counter() {
      return "n_" + id;
    }
  }

  /**
   * @param thrown the error that it ends with, if with any
   */
  record Sub(String id, Block body, boolean startEvent, @Nullable String thrown)
      implements Activity {}

  /**
   * @param enough after how many rounds the rest is left out; 0 for never
   */
  record Multi(Activity activity, boolean sequential, String list, int enough) implements Activity {
    @Override
    public String id() {
      return activity.id();
    }

    String item() {
      return "item_" + id();
    }

    String results() {
      return id() + "_all";
    }
  }

  /** Somebody chooses what is done next, until all of it is done: one by one, or all at once. */
  record AdHoc(String id, List<Task> tasks, boolean sequential) implements Activity {
    /** How often somebody chooses something. */
    int choices() {
      return sequential ? tasks.size() : 1;
    }
  }

  /** An event gateway with a message and a timer behind it. */
  record Race(String id, Block onMessage, Block onTimer, boolean timerWins) implements Block {
    String message() {
      return id + "_m";
    }

    String timer() {
      return id + "_t";
    }
  }

  record Catch(String id, boolean timer) implements Block {}

  enum Beside {
    TIMER,
    MESSAGE,
    ERROR
  }

  /**
   * An activity with a boundary event, and perhaps another that never happens.
   *
   * @param after what is done when it happens
   */
  record Guarded(Activity activity, Guard guard, Block after, @Nullable Guard spare)
      implements Block {}

  /**
   * @param times how often it happens, as soon as it can
   */
  record Guard(String id, Beside what, boolean interrupting, int times) {
    boolean happens() {
      return times > 0;
    }
  }
}
