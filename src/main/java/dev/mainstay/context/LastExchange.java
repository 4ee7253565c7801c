package dev.mainstay.context;

import dev.mainstay.context.Message.Role;
import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.domain.Phrase;
import dev.mainstay.render.Excerpts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * The messages that are still sent beside a snapshot. What a person said last has a share of the
 * room, then the newest come first; contents give way in their middle. A call is shown with its
 * result or not at all.
 */
record LastExchange(List<Slot> slots) {
  static final LastExchange NONE = new LastExchange(List.of());
  static final int USER_SHARE_PERCENT = 33;

  /** The words of a call cannot be cut; a longer call gives way together with its result. */
  static final int CALL_SHARE_PERCENT = 25;

  /** Less of a content says nothing. */
  static final int CONTENT_TOKENS_MIN = 24;

  /** Without calls that have no result and results that have no call: no model takes those. */
  static LastExchange of(List<Slot> given, ToIntFunction<String> counter) {
    Set<String> called = new HashSet<>();
    Set<String> answered = new HashSet<>();
    for (Slot slot : given) {
      for (ToolCall call : slot.original().calls()) called.add(call.id());
      String call = slot.original().answers();
      if (call != null && called.contains(call)) answered.add(call);
    }
    List<Slot> whole = new ArrayList<>();
    for (Slot slot : given) whole.addAll(only(answered, slot, counter));
    return new LastExchange(List.copyOf(whole));
  }

  /** What is sent and, in a sentence for the model, what is not. */
  record Fitted(List<Message> messages, int notSent, int shortened) {
    String leftOut() {
      if (notSent == 0 && shortened == 0) return "";
      return Phrase.of(
          "\n\n[left out of the last exchange: %,d messages or calls whole, %,d in part]",
          notSent, shortened);
    }
  }

  int tokens() {
    return slots.stream().mapToInt(Slot::tokens).sum();
  }

  Fitted within(int room, ToIntFunction<String> counter) {
    return new Choice(room, counter).fit(Unit.of(slots));
  }

  /** The slot with only these calls or their results; none if nothing is left of it. */
  static List<Slot> only(Set<String> calls, Slot slot, ToIntFunction<String> counter) {
    Message message = slot.original();
    String answers = message.answers();
    if (answers != null) return calls.contains(answers) ? List.of(slot) : List.of();
    var kept = message.calls().stream().filter(call -> calls.contains(call.id())).toList();
    if (kept.size() == message.calls().size()) return List.of(slot);
    if (kept.isEmpty() && message.content().isBlank()) return List.of();
    var fewer = new Message(message.id(), message.role(), message.content(), kept, null);
    return List.of(Slot.of(fewer, counter));
  }

  /** One choice of what fits a room. */
  private static final class Choice {
    private final int room;
    private final ToIntFunction<String> counter;
    private final TreeMap<Integer, List<Message>> taken = new TreeMap<>(); // by place of the unit
    private int left;
    private boolean full;
    private int notSent;
    private int shortened;

    Choice(int room, ToIntFunction<String> counter) {
      this.room = room;
      this.counter = counter;
      this.left = room;
    }

    Fitted fit(List<Unit> units) {
      int user = units.size() - 1;
      while (user >= 0 && !isUser(units.get(user))) user--;
      if (user >= 0) {
        int others = units.stream().mapToInt(Unit::tokens).sum() - units.get(user).tokens();
        take(user, units.get(user), Math.max(room * USER_SHARE_PERCENT / 100, room - others));
      }
      full = false;
      for (int i = units.size() - 1; i >= 0; i--) {
        // Nothing is passed over for something older.
        if (i != user && full) notSent += units.get(i).slots().size();
        else if (i != user) take(i, units.get(i), left);
      }
      return new Fitted(taken.values().stream().flatMap(List::stream).toList(), notSent, shortened);
    }

    private static boolean isUser(Unit unit) {
      return unit.slots().get(0).original().role() == Role.USER;
    }

    private void take(int place, Unit unit, int most) {
      var slots = unit.tokens() <= most ? unit.slots() : shorter(unit.slots(), most);
      full = slots.isEmpty();
      taken.put(place, slots.stream().map(Slot::shown).toList());
      left -= slots.stream().mapToInt(Slot::tokens).sum();
    }

    private List<Slot> shorter(List<Slot> slots, int most) {
      List<Slot> kept = withoutLongCalls(slots, most * CALL_SHARE_PERCENT / 100);
      int frames = kept.stream().mapToInt(slot -> Slot.frameTokens(slot.shown(), counter)).sum();
      int forEach = share(kept, most - frames);
      if (kept.isEmpty() || forEach < CONTENT_TOKENS_MIN) {
        notSent += kept.size();
        return List.of();
      }
      return kept.stream().map(slot -> excerpt(slot, forEach)).toList();
    }

    private List<Slot> withoutLongCalls(List<Slot> slots, int most) {
      Set<String> fitting = new HashSet<>();
      for (Slot slot : slots) {
        for (ToolCall call : slot.original().calls()) {
          int tokens = counter.applyAsInt(call.name()) + counter.applyAsInt(call.arguments());
          if (tokens <= most) fitting.add(call.id());
          else notSent++;
        }
      }
      List<Slot> kept = new ArrayList<>();
      for (Slot slot : slots) kept.addAll(only(fitting, slot, counter));
      return kept;
    }

    /** How much each content may have if the small ones leave what they do not need. */
    private int share(List<Slot> slots, int most) {
      var sizes = slots.stream().map(this::contentTokens).sorted().toList();
      int rest = most;
      for (int i = 0; i < sizes.size(); i++) {
        int forEach = rest / (sizes.size() - i);
        if (sizes.get(i) > forEach) return forEach;
        rest -= sizes.get(i);
      }
      return Integer.MAX_VALUE;
    }

    private int contentTokens(Slot slot) {
      return slot.tokens() - Slot.frameTokens(slot.shown(), counter);
    }

    private Slot excerpt(Slot slot, int most) {
      if (contentTokens(slot) <= most) return slot;
      shortened++;
      String excerpt =
          Excerpts.headAndTail(
              slot.original().content(),
              new Excerpts.Room(most, SnapshotPrompt.quick(most, counter)),
              x -> Phrase.of("\n[%,d characters left out]\n", x));
      return slot.showing(excerpt, counter);
    }
  }
}
