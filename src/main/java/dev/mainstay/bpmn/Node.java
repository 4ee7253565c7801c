package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node of a process.
 *
 * @param name what people call it; may be empty
 */
public record Node(String id, String name, NodeKind kind, Frame frame, Traits traits) {

  /** A node at the top of its process with nothing special about it. */
  public static Node of(String id, NodeKind kind) {
    return new Node(id, "", kind, Frame.TOP, Traits.NONE);
  }

  public Node with(Frame other) {
    return new Node(id, name, kind, other, traits);
  }

  public Node with(Traits others) {
    return new Node(id, name, kind, frame, others);
  }

  /** What it is called in sentences: its name, or else its id. */
  public String title() {
    return name.isBlank() ? id : name;
  }

  /**
   * Where it lies: in which sub-process, if in any, and, for a boundary event, at which activity
   * and whether it ends that activity.
   */
  public record Frame(@Nullable String scope, @Nullable String attachedTo, boolean interrupting) {
    public static final Frame TOP = new Frame(null, null, true);

    public static Frame in(@Nullable String scope) {
      return new Frame(scope, null, true);
    }

    public static Frame at(@Nullable String scope, String activity, boolean interrupting) {
      return new Frame(scope, activity, interrupting);
    }
  }

  /**
   * What is special about a node; which parts there are goes by its kind.
   *
   * @param trigger of an event, a send task and a receive task
   * @param order of a task for the queue or for a person, and of who chooses in an ad-hoc
   *     sub-process
   * @param loop of an activity that is done once for each item of a list
   * @param inner of an ad-hoc sub-process and a call activity
   */
  public record Traits(
      @Nullable Trigger trigger,
      @Nullable Order order,
      @Nullable Loop loop,
      @Nullable Inner inner,
      Yield gives) {
    public static final Traits NONE = new Traits(null, null, null, null, Yield.USUAL);

    public static Traits of(Trigger trigger) {
      return new Traits(trigger, null, null, null, Yield.USUAL);
    }

    public static Traits of(Order order) {
      return new Traits(null, order, null, null, Yield.USUAL);
    }

    public static Traits of(Inner inner) {
      return new Traits(null, null, null, inner, Yield.USUAL);
    }

    public Traits looped(@Nullable Loop other) {
      return new Traits(trigger, order, other, inner, gives);
    }

    public Traits giving(Yield other) {
      return new Traits(trigger, order, loop, inner, other);
    }
  }

  /** What sets an event off, or what it does. */
  public sealed interface Trigger {
    /** Text is ISO 8601, five fields of cron for a cycle, or {@code =} and an expression. */
    record Timer(TimerKind kind, String text) implements Trigger {}

    /**
     * A message by its name. Both expressions are CEL: the correlation tells which of several
     * waiting executions is meant, the content is what is sent (an object), or nothing.
     */
    record Message(String name, @Nullable String correlation, @Nullable String content)
        implements Trigger {}

    /** Without a code it catches every error. */
    record Fault(@Nullable String code) implements Trigger {}

    /** Ends everything in its scope at once. */
    record Terminate() implements Trigger {}
  }

  public enum TimerKind {
    DURATION,
    DATE,
    CYCLE
  }

  /**
   * Work: texts have {@code {{name}}} or {@code {{name.field}}} for variables.
   *
   * @param type of the task on the queue; a person's task has none
   */
  public record Order(
      String type, int priority, Wording wording, Hands hands, JsonObject metadata) {
    public static final String TYPE = "CODE";
    public static final Order USUAL = new Order(TYPE, 0, Wording.NONE, Hands.ANY, JsonObject.EMPTY);

    public Order saying(String title, String description) {
      return new Order(type, priority, new Wording(title, description, List.of()), hands, metadata);
    }

    public Order by(Hands others) {
      return new Order(type, priority, wording, others, metadata);
    }
  }

  /**
   * @param title empty for the node's own name
   * @param answers what a person may answer; empty for anything
   */
  public record Wording(String title, String description, List<String> answers) {
    public static final Wording NONE = new Wording("", "", List.of());

    public Wording {
      answers = List.copyOf(answers);
    }
  }

  /** Who does it: an agent of a profile in a terminal, or whoever claims it. */
  public record Hands(@Nullable String profile, @Nullable String provider, boolean worktree) {
    public static final Hands ANY = new Hands(null, null, false);
  }

  /**
   * Once for each item of a list.
   *
   * @param collection CEL that gives the list
   * @param item the variable that an instance finds its item in
   * @param until CEL that, once it holds after an instance, ends the rest; or null
   * @param results the variable that gets the list of all results, in the order of the items; or
   *     null
   */
  public record Loop(
      boolean sequential,
      String collection,
      String item,
      @Nullable String until,
      @Nullable String results) {
    public static final String ITEM = "item";
  }

  /** What an activity is made of. */
  public sealed interface Inner {
    /**
     * Whoever chooses says what is done next, until the condition (CEL) holds or he says that it is
     * done.
     */
    record AdHoc(boolean sequential, @Nullable String until, boolean cancelRest) implements Inner {}

    /** Another workflow by its name. */
    record Call(String workflow) implements Inner {}
  }

  /**
   * What an activity leaves in the variables.
   *
   * @param result the variable that gets its result whole; {@code *} makes each field a variable of
   *     its own; null for the usual one
   * @param rules of a business rule task: the first whose condition holds gives the result
   */
  public record Yield(@Nullable String result, List<Rule> rules) {
    public static final String FIELDS = "*";
    public static final Yield USUAL = new Yield(null, List.of());

    public Yield {
      rules = List.copyOf(rules);
    }
  }

  /** CEL both; a rule without a condition always holds. */
  public record Rule(@Nullable String when, String gives) {}

  /** The variable that gets the result of this node. */
  public String result() {
    String named = traits.gives().result();
    if (named != null) return named;
    if (kind.isAsked()) return Yield.FIELDS; // what a person says may change any variable
    return id.replaceAll("[^A-Za-z0-9_]", "_") + "_result";
  }
}
