package dev.mainstay.domain;

import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a terminal was told to begin with and where it stands. Its version counts the changes;
 * version 0 is a terminal that nobody has said anything about yet.
 */
public record TerminalState(
    String terminal, Told told, @Nullable JsonObject lastCheckpoint, Stamps stamps) {
  public static final int CONTEXT_CHARS_MAX = 65_536;
  public static final int VARIABLES_CHARS_MAX = 65_536;
  public static final int INITIAL_PROMPT_CHARS_MAX = 65_536;
  public static final int CHECKPOINT_CHARS_MAX = 65_536;
  public static final int OUTPUT_CHARS_MAX = 2_000;

  private static final Set<String> FIELDS =
      new TreeSet<>(Set.of("context_data", "variables", "initial_prompt"));

  /** Context and variables, and the prompt to begin with, in which variables may stand. */
  public record Told(JsonObject context, JsonObject variables, @Nullable String initialPrompt) {
    public static final Told NOTHING = new Told(JsonObject.EMPTY, JsonObject.EMPTY, null);

    public Told {
      bounded("a terminal's context", context, CONTEXT_CHARS_MAX);
      bounded("a terminal's variables", variables, VARIABLES_CHARS_MAX);
      if (initialPrompt != null) {
        Text.body("an initial prompt", initialPrompt, INITIAL_PROMPT_CHARS_MAX);
      }
    }

    /** Each field that is given takes the place of what was there; null clears it. */
    public Told with(JsonObject changes) {
      for (String field : changes.asMap().keySet()) {
        if (FIELDS.contains(field)) continue;
        throw Refusal.invalid(
            Phrase.of(
                "a terminal's state has no field \"%s\"; %s", field, Nearest.guess(field, FIELDS)));
      }
      return new Told(
          changes.has("context_data") ? changes.object("context_data") : context,
          changes.has("variables") ? changes.object("variables") : variables,
          changes.has("initial_prompt") ? prompt(changes.get("initial_prompt")) : initialPrompt);
    }

    private static @Nullable String prompt(@Nullable Object given) {
      if (given == null || given instanceof String) return (String) given;
      throw Refusal.invalid("the field \"initial_prompt\" must be a text");
    }

    JsonObject toJson() {
      return JsonObject.of("context_data", context, "variables", variables)
          .with("initial_prompt", initialPrompt);
    }
  }

  public record Stamps(long version, Instant createdAt, Instant updatedAt) {
    Stamps next(Instant at) {
      return new Stamps(version + 1, version == 0 ? at : createdAt, at);
    }
  }

  public TerminalState {
    if (lastCheckpoint != null) checkpoint(lastCheckpoint);
  }

  /** A terminal that nobody has said anything about. */
  public static TerminalState none(String terminal, Instant since) {
    return new TerminalState(terminal, Told.NOTHING, null, new Stamps(0, since, since));
  }

  private static JsonObject checkpoint(JsonObject given) {
    return bounded("a terminal's checkpoint", given, CHECKPOINT_CHARS_MAX);
  }

  private static JsonObject bounded(String what, JsonObject value, int charsMax) {
    Text.body(what, CompactJson.of(value), charsMax);
    return JsonObject.shallow(what, value);
  }

  public TerminalState told(Told next, Instant at) {
    return new TerminalState(terminal, next, lastCheckpoint, stamps.next(at));
  }

  public TerminalState checkpointed(JsonObject checkpoint, Instant at) {
    return new TerminalState(terminal, told, stamped(checkpoint, at), stamps.next(at));
  }

  /** A checkpoint with its moment in it; one that is too large is refused. */
  public static JsonObject stamped(JsonObject checkpoint, Instant at) {
    return checkpoint(checkpoint.with("timestamp", Times.write(at)));
  }

  /** What is noted when a terminal's task ends; it is never too large. */
  public static JsonObject ended(TaskId task, TaskStatus how, @Nullable String output) {
    return JsonObject.of("status", "IDLE", "last_task_id", task.value(), "last_task_status", how)
        .with("last_output", output == null ? null : Graphemes.cut(output, OUTPUT_CHARS_MAX));
  }

  /** Refuses a change by somebody who has seen another version than the current one. */
  public void expectVersion(@Nullable Long expected) {
    if (expected == null || expected == stamps.version()) return;
    throw Refusal.conflict(
        Phrase.of(
            "the state of %s is at version %d, not %d: read it again and repeat the change",
            terminal, stamps.version(), expected));
  }

  /**
   * The prompt to begin with, its variables filled in: this one, or the profile's if there is none;
   * null if there is neither.
   */
  public @Nullable String prompt(@Nullable String profilePrompt) {
    String prompt = told.initialPrompt() == null ? profilePrompt : told.initialPrompt();
    if (prompt == null) return null;
    Object filled =
        References.resolve(prompt, told.variables(), "the initial prompt of " + terminal);
    return filled instanceof String text ? text : CompactJson.of(filled);
  }

  /**
   * Who may say what: persons everything; whoever registered a terminal as well; an agent its own
   * context, variables and checkpoints, but never its own initial prompt; nobody else anything.
   */
  public void refuseUnlessMayChange(Actor actor, @Nullable Actor registrar, boolean promptToo) {
    if (!actor.isAgent()) return;
    boolean own = actor.name().equals(terminal);
    if (own && promptToo) {
      throw Refusal.conflict(
              Phrase.of(
                  "%s cannot change its own initial prompt; a person or whoever registered it can",
                  terminal))
          .reserved();
    }
    if (own || actor.equals(registrar)) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s cannot change the state of %s; an agent changes that of its own terminal and of those it registered",
            actor, terminal));
  }

  public JsonObject toJson() {
    return told.toJson()
        .with("terminal_id", terminal)
        .with("last_checkpoint", lastCheckpoint)
        .with("version", stamps.version())
        .with("created_at", Times.write(stamps.createdAt()))
        .with("updated_at", Times.write(stamps.updatedAt()));
  }

  public static TerminalState fromJson(JsonObject json) {
    return new TerminalState(
        json.text("terminal_id"),
        new Told(
            json.object("context_data"),
            json.object("variables"),
            json.textOrNull("initial_prompt")),
        json.has("last_checkpoint") ? json.object("last_checkpoint") : null,
        new Stamps(
            json.number("version"),
            Times.read(json.text("created_at")),
            Times.read(json.text("updated_at"))));
  }
}
