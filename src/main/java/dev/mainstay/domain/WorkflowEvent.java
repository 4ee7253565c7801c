package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What happened to a workflow or to one of its executions. */
public sealed interface WorkflowEvent extends Event {

  /** Tokens and variables after this event; one that moves nothing leaves them as they are. */
  default JsonObject applyTo(JsonObject data) {
    return data;
  }

  /** Reads what an execution's stream says about tokens and variables; null if it is nothing. */
  static @Nullable WorkflowEvent read(String kind, JsonObject payload) {
    return kind.equals(Moved.KIND) ? Moved.read(payload) : null;
  }

  /** A version was taken in. */
  record Imported(Workflow workflow, String contentHash) implements WorkflowEvent {
    @Override
    public String kind() {
      return "workflow.imported";
    }

    @Override
    public JsonObject payload() {
      return workflow.toJson().with("content_hash", contentHash);
    }
  }

  /** An execution was made; what it begins with follows. */
  record Started(WorkflowExecution execution) implements WorkflowEvent {
    @Override
    public String kind() {
      return "workflow.started";
    }

    @Override
    public JsonObject payload() {
      WorkflowExecution.Caller caller = execution.home().caller();
      return JsonObject.of("workflow_id", execution.workflow())
          .with("session_name", execution.home().session())
          .with("host", execution.home().host())
          .with("work_dir", execution.home().folder())
          .with("parent_execution", caller == null ? null : caller.execution())
          .with("parent_token", caller == null ? null : caller.token());
    }
  }

  /**
   * Something happened, and the tokens moved.
   *
   * @param because what happened, without what it brought along
   * @param traces what can be said about the nodes
   * @param tokens those that are new or stand differently, and the ids of those that are gone
   * @param variables those that are new or have another value, and the names of those that are gone
   * @param outcome the last number given to a token, and how the execution ended, if it did
   */
  record Moved(
      JsonObject because,
      List<JsonObject> traces,
      Change<List<JsonObject>> tokens,
      Change<JsonObject> variables,
      JsonObject outcome)
      implements WorkflowEvent {
    public static final String KIND = "workflow.moved";

    /** So many traces always have room beside the largest marking. */
    private static final int TRACES_ALWAYS = 100;

    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return outcome
          .with("because", because.isEmpty() ? null : because)
          .with("traces", traces)
          .with("tokens", tokens.set().isEmpty() ? null : tokens.set())
          .with("gone", tokens.gone().isEmpty() ? null : tokens.gone())
          .with("variables", variables.set().isEmpty() ? null : variables.set())
          .with("removed", variables.gone().isEmpty() ? null : variables.gone());
    }

    public static Moved read(JsonObject payload) {
      return new Moved(
          payload.object("because"),
          payload.objects("traces"),
          new Change<>(payload.objects("tokens"), payload.texts("gone")),
          new Change<>(payload.object("variables"), payload.texts("removed")),
          JsonObject.of("numbered", payload.number("numbered"))
              .with("ending", payload.get("ending")));
    }

    /** What makes the one of the other. */
    public static Moved between(
        JsonObject before, JsonObject after, JsonObject because, List<JsonObject> traces) {
      Map<String, JsonObject> was = byId(before);
      Map<String, JsonObject> is = byId(after);
      List<JsonObject> set = new ArrayList<>();
      is.forEach(
          (id, token) -> {
            if (!token.equals(was.get(id))) set.add(LoopChange.told(was.get(id), token));
          });
      return new Moved(
          because,
          traces,
          new Change<>(set, without(was.keySet(), is.keySet())),
          variables(before.object("variables"), after.object("variables")),
          JsonObject.of("numbered", after.number("numbered")));
    }

    /** The same as the last step of an execution. */
    public Moved ending(JsonObject ending) {
      return new Moved(because, traces, tokens, variables, outcome.with("ending", ending));
    }

    /**
     * The same in several entries, each of at most so many characters; the first one moves
     * everything, and traces that have no room in it follow.
     */
    public List<Moved> parts(int charsMax) {
      if (traces.size() <= TRACES_ALWAYS) return List.of(this);
      List<Moved> parts = new ArrayList<>();
      JsonObject numbered = JsonObject.of("numbered", outcome.number("numbered"));
      int from = 0;
      while (from < traces.size() || parts.isEmpty()) {
        Moved bare =
            parts.isEmpty()
                ? new Moved(because, List.of(), tokens, variables, outcome)
                : new Moved(JsonObject.EMPTY, List.of(), Change.NO_TOKENS, Change.SAME, numbered);
        int to = from;
        int chars = chars(bare.payload());
        while (to < traces.size() && (to == from || chars + chars(traces.get(to)) <= charsMax)) {
          chars += chars(traces.get(to++));
        }
        boolean isFull = parts.isEmpty() && chars > charsMax;
        List<JsonObject> some = isFull ? List.of() : List.copyOf(traces.subList(from, to));
        parts.add(new Moved(bare.because, some, bare.tokens, bare.variables, bare.outcome));
        if (!isFull) from = to;
      }
      return parts;
    }

    private static int chars(JsonObject json) {
      return CompactJson.of(json).length() + 1;
    }

    private static Change<JsonObject> variables(JsonObject before, JsonObject after) {
      Map<String, @Nullable Object> set = new TreeMap<>();
      after
          .asMap()
          .forEach(
              (name, value) -> {
                if (!before.has(name) || !Objects.equals(before.get(name), value)) {
                  set.put(name, value);
                }
              });
      return new Change<>(
          JsonObject.copyOf(set), without(before.asMap().keySet(), after.asMap().keySet()));
    }

    private static List<String> without(Collection<String> all, Collection<String> those) {
      return all.stream().filter(each -> !those.contains(each)).toList();
    }

    private static Map<String, JsonObject> byId(JsonObject data) {
      Map<String, JsonObject> tokens = new LinkedHashMap<>();
      for (JsonObject token : data.objects("tokens")) tokens.put(token.text("id"), token);
      return tokens;
    }

    @Override
    public JsonObject applyTo(JsonObject data) {
      Map<String, JsonObject> all = byId(data);
      tokens.gone().forEach(all::remove);
      for (JsonObject token : tokens.set()) {
        String id = token.text("id");
        all.put(id, LoopChange.applied(all.get(id), token));
      }
      Map<String, @Nullable Object> values = new TreeMap<>(data.object("variables").asMap());
      variables.gone().forEach(values::remove);
      values.putAll(variables.set().asMap());
      return JsonObject.of(
          "tokens", all.values().stream().sorted(Comparator.comparingLong(Moved::number)).toList(),
          "variables", JsonObject.copyOf(values),
          "numbered", outcome.number("numbered"));
    }

    private static long number(JsonObject token) {
      String id = token.text("id");
      return Long.parseLong(id.substring(id.indexOf('-') + 1));
    }
  }

  /** What was set, and what is gone. */
  record Change<T>(T set, List<String> gone) {
    static final Change<List<JsonObject>> NO_TOKENS = new Change<>(List.of(), List.of());
    static final Change<JsonObject> SAME = new Change<>(JsonObject.EMPTY, List.of());
  }

  /** Something happened while it was paused; it counts when it goes on. */
  record Held(JsonObject happening) implements WorkflowEvent {
    @Override
    public String kind() {
      return "workflow.held";
    }

    @Override
    public JsonObject payload() {
      return happening;
    }
  }

  /** Somebody paused it, let it go on, or ended it. */
  record Controlled(String what, @Nullable String reason) implements WorkflowEvent {
    public static final String PAUSED = "paused";
    public static final String RESUMED = "resumed";
    public static final String CANCELLED = "cancelled";

    @Override
    public String kind() {
      return "workflow." + what;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("reason", reason);
    }
  }

  /** It goes on by another version. */
  record Migrated(String from, String to) implements WorkflowEvent {
    @Override
    public String kind() {
      return "workflow.migrated";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("from", from, "to", to);
    }
  }

  /** What starts it by itself does so from now on, or does so no more. */
  record Scheduled(boolean isOn) implements WorkflowEvent {
    @Override
    public String kind() {
      return isOn ? "workflow.scheduled" : "workflow.unscheduled";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.EMPTY;
    }
  }

  /** A message came before anybody waited for it. */
  record MessageKept(@Nullable String correlation, JsonObject content) implements WorkflowEvent {
    @Override
    public String kind() {
      return "workflow.message_kept";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("correlation", correlation, "content", content);
    }
  }

  /** A message that was kept has been taken by an execution, or is too old for anybody. */
  record MessageGone(long id, @Nullable String correlation, @Nullable String execution)
      implements WorkflowEvent {
    @Override
    public String kind() {
      return execution == null ? "workflow.message_expired" : "workflow.message_taken";
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("id", id, "correlation", correlation, "execution_id", execution);
    }
  }
}
