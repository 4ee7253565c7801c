package dev.mainstay.context;

import dev.mainstay.context.CompressionEvent.Extent;
import dev.mainstay.domain.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an agent loop sends to its model, turn after turn. A conversation never changes; each method
 * that adds or takes away gives a new one.
 *
 * <p>System and knowledge are set once and stay the same bytes first in the list. History grows by
 * {@link #add} and shrinks by {@link #compress}. Working text (the task state, with its directives)
 * and the state turn come after it and are never compressed. Tokens are counted once per message.
 */
public final class Conversation {
  public static final int WINDOW_TOKENS_MIN = 1_000;

  private final Fixed fixed;
  private final List<Slot> history;
  private final Tail tail;
  private final Set<String> preserved;
  private final Memory memory;

  private record Fixed(List<Slot> system, List<Slot> knowledge, ToIntFunction<String> counter) {
    int tokens() {
      return sum(system) + sum(knowledge);
    }
  }

  private record Tail(@Nullable Slot working, @Nullable Slot state) {
    List<Slot> slots() {
      return Stream.of(slots(working), slots(state)).flatMap(List::stream).toList();
    }

    static List<Slot> slots(@Nullable Slot slot) {
      return slot == null ? List.of() : List.of(slot);
    }
  }

  private Conversation(
      Fixed fixed, List<Slot> history, Tail tail, Set<String> preserved, Memory memory) {
    this.fixed = fixed;
    this.history = history;
    this.tail = tail;
    this.preserved = preserved;
    this.memory = memory;
  }

  /** Begins with what stays as it is; the counter is usually {@code Tokens.O200K::count}. */
  public static Conversation start(
      String system, List<String> knowledge, ToIntFunction<String> counter) {
    var first = own("system", Message.Role.SYSTEM, system);
    var systemSlots = Tail.slots(first == null ? null : Slot.of(first, counter));
    var knowledgeSlots = new ArrayList<Slot>();
    for (String text : knowledge) {
      var message = own("knowledge-" + knowledgeSlots.size(), Message.Role.SYSTEM, text);
      if (message != null) knowledgeSlots.add(Slot.of(message, counter));
    }
    return new Conversation(
        new Fixed(systemSlots, List.copyOf(knowledgeSlots), counter),
        List.of(),
        new Tail(null, null),
        Set.of(),
        Memory.EMPTY);
  }

  /** With one more message at the end of the history. */
  public Conversation add(Message message) {
    check(message);
    var longer = new ArrayList<Slot>(history.size() + 1);
    longer.addAll(history);
    longer.add(Slot.of(message, fixed.counter()));
    return with(longer, memory);
  }

  /** With another working text; blank for none. */
  public Conversation withWorking(String text) {
    return with(new Tail(slot("working", text, tail.working()), tail.state()));
  }

  /** With another state turn, the very last message; blank for none. */
  public Conversation withState(String text) {
    return with(new Tail(tail.working(), slot("state", text, tail.state())));
  }

  /**
   * With another set of references that compression leaves alone: ids of messages or calls, or
   * hashes that a message speaks of.
   */
  public Conversation preserving(Set<String> refs) {
    return new Conversation(fixed, history, tail, Set.copyOf(refs), memory);
  }

  /** What to send, in order. */
  public List<Message> messages() {
    return Stream.of(Partition.values())
        .flatMap(partition -> messages(partition).stream())
        .toList();
  }

  /** What one partition sends; the history begins with what stands for archived messages. */
  public List<Message> messages(Partition partition) {
    return slots(partition).stream().map(Slot::shown).toList();
  }

  private List<Slot> slots(Partition partition) {
    return switch (partition) {
      case SYSTEM -> fixed.system();
      case KNOWLEDGE -> fixed.knowledge();
      case HISTORY -> Stream.of(memory.slots(), history).flatMap(List::stream).toList();
      case WORKING -> Tail.slots(tail.working());
      case STATE -> Tail.slots(tail.state());
    };
  }

  public int tokens() {
    return fixed.tokens() + sum(history) + sum(tail.slots()) + memory.tokens();
  }

  /** Tokens of all that is sent, as a share of the window. */
  public double pressure(int window) {
    if (window < WINDOW_TOKENS_MIN) {
      throw Refusal.invalid("a window has at least 1,000 tokens, not " + window);
    }
    return (double) tokens() / window;
  }

  /** Does as much as the pressure demands and no more; see {@link Tier}. */
  public Compression compress(int window) {
    return new Compressor(this, window).run();
  }

  /**
   * A new context for the same task: the handover in place of the history. Everything is archived
   * but what is preserved or still open.
   */
  public Compression renew(String handover, int window) {
    return new Compressor(this, window).renew(handover);
  }

  /** The original messages behind a reference that an excerpt or the summary shows. */
  public List<Message> recall(String ref) {
    return memory.archive().recall(ref);
  }

  public Archive archive() {
    return memory.archive();
  }

  public Summary summary() {
    return memory.summary();
  }

  /** Without the archive, for a caller who has stored it elsewhere and recalls from there. */
  public Conversation drained() {
    return with(history, memory.drained());
  }

  Extent extent() {
    return new Extent(tokens(), messages().size());
  }

  List<Slot> history() {
    return history;
  }

  Set<String> preserved() {
    return preserved;
  }

  Memory memory() {
    return memory;
  }

  ToIntFunction<String> counter() {
    return fixed.counter();
  }

  Conversation with(List<Slot> newHistory, Memory newMemory) {
    return new Conversation(fixed, List.copyOf(newHistory), tail, preserved, newMemory);
  }

  private Conversation with(Tail newTail) {
    return new Conversation(fixed, history, newTail, preserved, memory);
  }

  private void check(Message message) {
    if (message.role() == Message.Role.SYSTEM || message.id().startsWith(Message.OWN_ID)) {
      throw Refusal.invalid(
          "message " + message.id() + " cannot be added: system text is given at the start");
    }
    if (history.stream().anyMatch(slot -> slot.original().id().equals(message.id()))) {
      throw Refusal.conflict("there is a message " + message.id() + " already; give each its id");
    }
    for (var call : message.calls()) {
      if (calls().anyMatch(call.id()::equals)) {
        throw Refusal.conflict("there is a tool call " + call.id() + " already");
      }
    }
    String answers = message.answers();
    if (answers != null && !isAwaited(answers)) {
      throw Refusal.conflict("no tool call " + answers + " waits for a result");
    }
  }

  private boolean isAwaited(String call) {
    return calls().anyMatch(call::equals)
        && history.stream().noneMatch(slot -> call.equals(slot.original().answers()));
  }

  private Stream<String> calls() {
    return history.stream()
        .flatMap(slot -> slot.original().calls().stream().map(Message.ToolCall::id));
  }

  /** The text as it is now keeps its count. */
  private @Nullable Slot slot(String name, String text, @Nullable Slot before) {
    if (before != null && before.original().content().equals(text)) return before;
    var message = own(name, Message.Role.USER, text);
    return message == null ? null : Slot.of(message, fixed.counter());
  }

  private static @Nullable Message own(String name, Message.Role role, String text) {
    if (text.isBlank()) return null;
    return new Message(Message.OWN_ID + name, role, text, List.of(), null);
  }

  private static int sum(List<Slot> slots) {
    return slots.stream().mapToInt(Slot::tokens).sum();
  }
}
