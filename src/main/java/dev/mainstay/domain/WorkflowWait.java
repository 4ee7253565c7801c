package dev.mainstay.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a token of an execution waits for: one thing at a time. */
public record WorkflowWait(Place place, String node, Kind kind, About about, Instant since) {

  public enum Kind {
    /** The end of a task on the queue. */
    TASK,
    /** A person's answer. */
    ANSWER,
    /** A moment. */
    TIMER,
    MESSAGE,
    /** The end of an execution that was called. */
    CALL,
    /** Nothing any more: a task or an execution is wanted no longer and has to be told so. */
    WITHDRAWN
  }

  public record Place(String execution, String token) {}

  /**
   * @param name the id of the task or of the called execution, or the name of the message
   * @param correlation which of several messages of that name is meant
   * @param due the moment
   * @param question what a person is asked
   */
  public record About(
      @Nullable String name,
      @Nullable String correlation,
      @Nullable Instant due,
      JsonObject question) {
    public static About named(String name) {
      return new About(name, null, null, JsonObject.EMPTY);
    }

    public static About message(String name, @Nullable String correlation) {
      return new About(name, correlation, null, JsonObject.EMPTY);
    }

    public static About moment(Instant due) {
      return new About(null, null, due, JsonObject.EMPTY);
    }

    public static About question(JsonObject question) {
      return new About(null, null, null, question);
    }
  }

  public String execution() {
    return place.execution();
  }

  public String token() {
    return place.token();
  }

  /** The id or name of what it waits for. */
  public String name() {
    String name = about.name();
    if (name == null) throw new IllegalStateException(kind + " has no name");
    return name;
  }

  /** Whether somebody else must be told when it is wanted no more. */
  public boolean isElsewhere() {
    return kind == Kind.TASK || kind == Kind.CALL;
  }

  /** The same as something that is wanted no more; its token is free to wait for another. */
  public WorkflowWait withdrawn(Instant now) {
    return new WorkflowWait(new Place(execution(), name()), node, Kind.WITHDRAWN, about, now);
  }
}
