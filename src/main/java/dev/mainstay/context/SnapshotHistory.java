package dev.mainstay.context;

import dev.mainstay.context.Message.Role;
import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What an agent loop keeps between its turns. Every message is kept, so a loop may send the
 * snapshot or the full history, and change its mind at any turn, without losing anything.
 *
 * <p>A tool result that changed nothing ({@code "noop":true}) is not kept, and neither is its call:
 * only the next delta request says that it happened. Each message is counted once. One loop owns a
 * history; it is changed in place and not safe for several threads.
 */
public final class SnapshotHistory {
  private final String template;
  private final @Nullable Slot system;
  private final ToIntFunction<String> counter;
  private final NavigableMap<Long, Slot> stored = new TreeMap<>(); // by place, which only grows
  private final NavigableSet<Long> users = new TreeSet<>();
  private final NavigableSet<Long> assistants = new TreeSet<>();
  private final Map<String, Long> callers = new HashMap<>(); // by call
  private final Map<String, Long> results = new HashMap<>(); // by call
  private final Set<String> ids = new HashSet<>();
  private long next;
  private long turnStart;
  private int unchanged;
  private int tokens;

  private SnapshotHistory(String template, ToIntFunction<String> counter) {
    SnapshotPrompt.checkTemplate(template, counter);
    this.template = template;
    this.counter = counter;
    var first = SnapshotPrompt.of(template, "", "");
    this.system = first.isEmpty() ? null : Slot.of(first.get(0), counter);
    this.tokens = system == null ? 0 : system.tokens();
  }

  /** Begins with the rules; the counter is usually {@code Tokens.O200K::count}. */
  public static SnapshotHistory start(String template, ToIntFunction<String> counter) {
    return new SnapshotHistory(template, counter);
  }

  /** Takes up one message of the running turn. */
  public void add(Message message) {
    check(message);
    String answers = message.answers();
    if (answers != null && NoOp.isSaidBy(message.content())) {
      drop(answers);
      unchanged++;
    } else {
      store(message);
    }
  }

  /**
   * The turn is over: from now on the snapshot stands for its tool results, and of its messages
   * only the last exchange is sent beside a snapshot.
   */
  public void turnEnded() {
    turnStart = next;
  }

  /**
   * What to send. With the snapshot: system, snapshot, last exchange, delta request, in fewer than
   * {@link SnapshotPrompt#PROMPT_TOKENS_MAX} tokens; a running turn belongs to the exchange.
   * Without: the system text and every message there is.
   */
  public List<Message> messages(boolean useSnapshot, RepoState state, String additional) {
    return messages(useSnapshot, state, List.of(), additional);
  }

  /** The same with the files first that were touched in this task. */
  public List<Message> messages(
      boolean useSnapshot, RepoState state, Collection<String> touched, String additional) {
    if (!useSnapshot) return full();
    var view = new SnapshotPrompt.View(state, touched, additional, unchanged);
    return SnapshotPrompt.assemble(template, view, exchange(), counter);
  }

  /** The tokens of the full history with its system text. */
  public int tokens() {
    return tokens;
  }

  private List<Message> full() {
    List<Message> all = new ArrayList<>(stored.size() + 1);
    if (system != null) all.add(system.original());
    for (Slot slot : stored.values()) all.add(slot.original());
    return all;
  }

  /** The running turn, the last words of both sides before it, and what belongs to these. */
  private LastExchange exchange() {
    NavigableSet<Long> places = new TreeSet<>();
    Deque<Long> toAdd = new ArrayDeque<>(stored.tailMap(turnStart).keySet());
    Long user = users.lower(turnStart);
    Long assistant = assistants.lower(turnStart);
    if (user != null) toAdd.add(user);
    if (assistant != null) toAdd.add(assistant);
    while (!toAdd.isEmpty()) {
      long place = toAdd.remove();
      if (places.add(place)) toAdd.addAll(partners(at(place).original()));
    }
    return LastExchange.of(places.stream().map(this::at).toList(), counter);
  }

  /** The results of its calls, or the call it answers. */
  private List<Long> partners(Message message) {
    List<Long> partners = new ArrayList<>();
    for (ToolCall call : message.calls()) {
      Long result = results.get(call.id());
      if (result != null) partners.add(result);
    }
    Long caller = message.answers() == null ? null : callers.get(message.answers());
    if (caller != null) partners.add(caller);
    return partners;
  }

  private Slot at(long place) {
    return Objects.requireNonNull(stored.get(place));
  }

  private void store(Message message) {
    long place = next++;
    Slot slot = Slot.of(message, counter);
    stored.put(place, slot);
    ids.add(message.id());
    tokens += slot.tokens();
    if (message.role() == Role.USER) users.add(place);
    if (message.role() == Role.ASSISTANT) assistants.add(place);
    for (ToolCall call : message.calls()) callers.put(call.id(), place);
    if (message.answers() != null) {
      results.put(message.answers(), place);
      unchanged = 0;
    }
  }

  /** Takes a call out of the message that made it, and the message if it said nothing else. */
  private void drop(String call) {
    long place = Objects.requireNonNull(callers.remove(call));
    Slot before = at(place);
    Set<String> others = new HashSet<>();
    for (ToolCall each : before.original().calls()) others.add(each.id());
    others.remove(call);
    List<Slot> after = LastExchange.only(others, before, counter);
    tokens -= before.tokens();
    if (after.isEmpty()) {
      stored.remove(place);
      assistants.remove(place);
      ids.remove(before.original().id());
    } else {
      stored.put(place, after.get(0));
      tokens += after.get(0).tokens();
    }
  }

  private void check(Message message) {
    if (message.role() == Role.SYSTEM || message.id().startsWith(Message.OWN_ID)) {
      throw Refusal.invalid(
          "message " + message.id() + " cannot be added: system text is given at the start");
    }
    if (ids.contains(message.id())) {
      throw Refusal.conflict("there is a message " + message.id() + " already; give each its id");
    }
    Set<String> own = new HashSet<>();
    for (ToolCall call : message.calls()) {
      if (callers.containsKey(call.id()) || !own.add(call.id())) {
        throw Refusal.conflict("there is a tool call " + call.id() + " already");
      }
    }
    String answers = message.answers();
    if (answers != null && (!callers.containsKey(answers) || results.containsKey(answers))) {
      throw Refusal.conflict("no tool call " + answers + " waits for a result");
    }
  }

  /** Everything, for whoever keeps it over a restart: one object about all, then each message. */
  public List<JsonObject> toJson() {
    List<JsonObject> lines = new ArrayList<>(stored.size() + 1);
    lines.add(
        JsonObject.of("template", template, "unchanged", unchanged)
            .with("ended", stored.headMap(turnStart).size()));
    for (Slot slot : stored.values()) lines.add(MessageJson.write(slot.original()));
    return lines;
  }

  /** Goes on where {@link #toJson} stood. */
  public static SnapshotHistory fromJson(List<JsonObject> lines, ToIntFunction<String> counter) {
    if (lines.isEmpty()) throw Refusal.invalid("a stored history begins with its template");
    JsonObject first = lines.get(0);
    var history = start(first.text("template"), counter);
    long ended = first.number("ended");
    for (JsonObject line : lines.subList(1, lines.size())) {
      Message message = MessageJson.read(line);
      history.check(message);
      history.store(message);
      if (history.next == ended) history.turnEnded();
    }
    history.unchanged = first.integer("unchanged");
    return history;
  }
}
