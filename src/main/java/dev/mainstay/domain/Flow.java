package dev.mainstay.domain;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Work that comes back: when, which agent does it, where, and what that agent is told. The next run
 * is known exactly while it is enabled and another run will come.
 */
public record Flow(String name, Timing timing, Work work, Place place, Stamps stamps) {
  public static final int SCHEDULE_CHARS_MAX = 200;
  public static final int ZONE_CHARS_MAX = 64;
  public static final int SCRIPT_CHARS_MAX = 4_000;
  public static final int VARIABLES_MAX = 100;
  public static final int VARIABLE_CHARS_MAX = 8_000;

  /** What becomes of runs whose time passed while no server was there. */
  public enum Missed {
    /** One run makes up for all of them. */
    RUN,
    SKIP;

    public String typed() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Missed parse(String typed) {
      for (Missed each : values()) if (each.typed().equals(typed)) return each;
      throw Refusal.invalid(
          Phrase.of("a missed run is made up for (run) or not (skip); \"%s\" is neither", typed));
    }
  }

  /** When it is due: cron's five fields, as read in a time zone. */
  public record Timing(String schedule, String zone, Missed missed) {
    public Timing {
      schedule = Text.line("a flow's schedule", schedule, SCHEDULE_CHARS_MAX);
      zone = Text.line("a flow's time zone", zone, ZONE_CHARS_MAX);
    }
  }

  /**
   * Which agent is started and what it is told. The script, if there is one, is a command line that
   * decides each time; the variables are those that it need not give.
   */
  public record Work(
      String profile,
      @Nullable String provider,
      @Nullable String script,
      JsonObject variables,
      String body) {
    public Work {
      profile = AgentProfile.name("a profile's name", profile);
      provider = provider == null ? null : AgentProfile.name("a provider's name", provider);
      script = script == null ? null : Text.line("a flow's script", script, SCRIPT_CHARS_MAX);
      checkVariables(variables);
      body = Text.body("a flow's text", body, TerminalState.INITIAL_PROMPT_CHARS_MAX);
      if (body.isBlank()) throw Refusal.invalid("a flow needs a text below its fields");
    }

    private static void checkVariables(JsonObject variables) {
      if (variables.asMap().size() > VARIABLES_MAX) {
        throw Refusal.tooLarge(Phrase.of("a flow has at most %d variables", VARIABLES_MAX));
      }
      variables
          .asMap()
          .forEach(
              (name, value) -> {
                FlowBody.name(name);
                Text.body("a flow's variable", String.valueOf(value), VARIABLE_CHARS_MAX);
              });
    }

    /** Without secrets. */
    public Work redacted() {
      Redactor redactor = Redactor.DEFAULT;
      return new Work(
          profile,
          provider,
          script == null ? null : redactor.redact(script),
          redactor.redactObject(variables),
          redactor.redact(body));
    }
  }

  /** On which machine it runs, and in which folder. */
  public record Place(String host, String workDir) {}

  /** Whether it runs, when next, and how often it was changed. */
  public record Stamps(
      boolean enabled,
      @Nullable Instant nextRun,
      long version,
      Instant createdAt,
      Instant updatedAt) {
    public Stamps {
      if (!enabled && nextRun != null) throw new IllegalStateException("disabled, but due");
    }
  }

  public Flow {
    name = AgentProfile.name("a flow's name", name);
  }

  /** The journal stream of a flow. */
  public static String stream(String name) {
    return "flow/" + name;
  }

  /** Whether this would change nothing. */
  public boolean isLike(Flow other) {
    return timing.equals(other.timing) && work.equals(other.work) && place.equals(other.place);
  }

  /** Enabled with another moment to come, or null for none; a change of its own. */
  public Flow enabled(@Nullable Instant nextRun, Instant now) {
    return with(new Stamps(true, nextRun, stamps.version() + 1, stamps.createdAt(), now));
  }

  public Flow disabled(Instant now) {
    return with(new Stamps(false, null, stamps.version() + 1, stamps.createdAt(), now));
  }

  /** The same flow, due at another moment; that is no change of what somebody said. */
  public Flow dueNext(@Nullable Instant nextRun) {
    return with(
        new Stamps(
            stamps.enabled(), nextRun, stamps.version(), stamps.createdAt(), stamps.updatedAt()));
  }

  private Flow with(Stamps next) {
    return new Flow(name, timing, work, place, next);
  }

  public JsonObject toJson() {
    return JsonObject.of("name", name, "schedule", timing.schedule(), "zone", timing.zone())
        .with("missed", timing.missed().typed())
        .with("agent_profile", work.profile())
        .with("provider", work.provider())
        .with("script", work.script())
        .with("variables", work.variables())
        .with("body", work.body())
        .with("host", place.host())
        .with("work_dir", place.workDir())
        .with("enabled", stamps.enabled())
        .with("next_run", stamps.nextRun() == null ? null : Times.write(stamps.nextRun()))
        .with("version", stamps.version())
        .with("created_at", Times.write(stamps.createdAt()))
        .with("updated_at", Times.write(stamps.updatedAt()));
  }

  public static Flow fromJson(JsonObject json) {
    String next = json.textOrNull("next_run");
    return new Flow(
        json.text("name"),
        new Timing(json.text("schedule"), json.text("zone"), Missed.parse(json.text("missed"))),
        new Work(
            json.text("agent_profile"),
            json.textOrNull("provider"),
            json.textOrNull("script"),
            json.object("variables"),
            json.text("body")),
        new Place(json.text("host"), json.text("work_dir")),
        new Stamps(
            Boolean.TRUE.equals(json.get("enabled")),
            next == null ? null : Times.read(next),
            json.number("version"),
            Times.read(json.text("created_at")),
            Times.read(json.text("updated_at"))));
  }
}
