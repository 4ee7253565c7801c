package dev.mainstay.context;

import dev.mainstay.context.Compression.Outcome;
import dev.mainstay.domain.Phrase;
import dev.mainstay.render.Delimiters;
import dev.mainstay.render.Excerpts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** One run of compression over one conversation; {@link Tier} says what is done when. */
final class Compressor {
  private final int window;
  private final int target;
  private final int messageMax;
  private final Memory.Room room;
  private final List<CompressionEvent> events = new ArrayList<>();
  private Conversation now;

  Compressor(Conversation before, int window) {
    this.window = window;
    this.now = before;
    this.target = (int) (window * Tier.TARGET);
    int share = (int) ((long) window * Tier.SNIP_WINDOW_PERCENT / 100);
    this.messageMax = Math.max(Tier.SNIP_TOKENS_MIN, share);
    this.room = Memory.Room.within(window, before.counter());
  }

  Compression run() {
    double pressure = now.pressure(window);
    if (pressure <= Tier.SNIP.above()) {
      return new Compression(now, events, Outcome.NOT_NEEDED);
    }
    for (Tier tier : Tier.values()) {
      if (now.tokens() <= target) break;
      if (pressure <= tier.above()) return new Compression(now, events, Outcome.TIER_SPENT);
      take(tier);
    }
    return new Compression(now, events, outcome());
  }

  Compression renew(String handover) {
    now.pressure(window); // refuses a window that is none
    var chosen = candidates(Tier.RENEW.unitsKept());
    become(Tier.RENEW, renewed(chosen, handover), refsOfRenewal(chosen));
    return new Compression(now, events, outcome());
  }

  private Outcome outcome() {
    return now.tokens() <= target ? Outcome.REACHED : Outcome.HELD;
  }

  private void take(Tier tier) {
    switch (tier) {
      case SNIP -> snip();
      case MICRO -> micro();
      case COLLAPSE, AUTO -> archiveOlder(tier);
      case RENEW -> renewIfSmaller();
    }
  }

  private void snip() {
    excerpt(Tier.SNIP, slot -> slot.tokens() > messageMax, messageMax);
  }

  private void micro() {
    excerpt(
        Tier.MICRO,
        slot ->
            slot.shown().role() == Message.Role.TOOL
                && slot.tokens() - Slot.MESSAGE_OVERHEAD_TOKENS >= Tier.MICRO_TOKENS_MIN,
        Tier.MICRO_EXCERPT_TOKENS_MAX + Slot.MESSAGE_OVERHEAD_TOKENS);
  }

  /** Cuts the large ones, oldest first, until the target is reached. */
  private void excerpt(Tier tier, Predicate<Slot> isLarge, int tokensMax) {
    var history = new ArrayList<>(now.history());
    var originals = new LinkedHashMap<String, List<Message>>();
    int tokens = now.tokens();
    for (int i = 0; i < history.size() && tokens > target; i++) {
      Slot slot = history.get(i);
      if (!isLarge.test(slot) || slot.original().isNamedBy(now.preserved())) continue;
      var original = List.of(slot.original());
      String ref = now.archive().refOf(original, originals);
      Slot shorter = shorter(slot, tokensMax, ref);
      if (shorter.tokens() >= slot.tokens()) continue;
      tokens += shorter.tokens() - slot.tokens();
      history.set(i, shorter);
      originals.put(ref, original);
    }
    if (!originals.isEmpty()) {
      become(tier, now.with(history, now.memory().keeping(originals)), originals.keySet());
    }
  }

  /** Always from the original: an excerpt of an excerpt would lose what the first one named. */
  private Slot shorter(Slot slot, int tokensMax, String ref) {
    Message original = slot.original();
    var counter = now.counter();
    int forContent = tokensMax - Slot.frameTokens(original, counter);
    if (forContent < 1) return slot;
    String excerpt =
        Excerpts.headAndTail(
            original.content(),
            new Excerpts.Room(forContent, counter),
            missing -> Phrase.of("\n[%d characters left out; recall %s]\n", missing, ref));
    return slot.showing(excerpt, counter);
  }

  /** What may be archived: each unit with its reference and what a summary quotes of it. */
  private record Candidate(Unit unit, String ref, Summary summary) {}

  private List<Candidate> candidates(int unitsKept) {
    var units = Unit.of(now.history());
    var inHand = new LinkedHashMap<String, List<Message>>();
    var candidates = new ArrayList<Candidate>();
    for (Unit unit : units.subList(0, Math.max(0, units.size() - unitsKept))) {
      if (unit.open() || unit.isNamedBy(now.preserved())) continue;
      var originals = unit.originals();
      String ref = now.archive().refOf(originals, inHand);
      inHand.put(ref, originals);
      candidates.add(new Candidate(unit, ref, Summary.of(originals, ref)));
    }
    return candidates;
  }

  /** Archives the fewest of the oldest units that bring the target, or all there are. */
  private void archiveOlder(Tier tier) {
    var candidates = candidates(tier.unitsKept());
    if (candidates.isEmpty()) return;
    int least = 1;
    int most = candidates.size();
    while (least < most) {
      int middle = (least + most) >>> 1;
      if (archived(candidates.subList(0, middle)).tokens() <= target) most = middle;
      else least = middle + 1;
    }
    var chosen = candidates.subList(0, most);
    var after = archived(chosen);
    if (after.tokens() < now.tokens()) become(tier, after, refs(chosen));
  }

  private Conversation archived(List<Candidate> chosen) {
    var memory = now.memory().keeping(originals(chosen)).summing(summary(chosen), room);
    return now.with(historyWithout(chosen), memory);
  }

  private void renewIfSmaller() {
    var chosen = candidates(Tier.RENEW.unitsKept());
    var after = renewed(chosen, "");
    if (after.tokens() < now.tokens()) become(Tier.RENEW, after, refsOfRenewal(chosen));
  }

  private Conversation renewed(List<Candidate> chosen, String given) {
    var originals = originals(chosen);
    originals.putAll(handoverBefore());
    var text = new ArrayList<String>();
    if (!given.isBlank()) text.add(given.strip());
    for (String ref : handoverBefore().keySet()) text.add("The handover before this one: " + ref);
    text.addAll(lastRequest(chosen));
    var memory = now.memory().keeping(originals);
    memory = memory.handedOver(summary(chosen), String.join("\n", text), room);
    return now.with(historyWithout(chosen), memory);
  }

  /** A renewal replaces the handover of the one before, which is archived like all the rest. */
  private Map<String, List<Message>> handoverBefore() {
    Slot before = now.memory().slot();
    if (before == null || now.memory().handover().isBlank()) return Map.of();
    var message = List.of(before.original());
    return Map.of(now.archive().refOf(message, Map.of()), message);
  }

  private List<String> refsOfRenewal(List<Candidate> chosen) {
    var refs = new ArrayList<>(handoverBefore().keySet());
    refs.addAll(refs(chosen));
    return refs;
  }

  /** The last thing a person asked for, if it is about to leave the history. */
  private List<String> lastRequest(List<Candidate> chosen) {
    for (int i = chosen.size() - 1; i >= 0; i--) {
      for (Message message : chosen.get(i).unit().originals()) {
        if (message.role() != Message.Role.USER) continue;
        var most = new Excerpts.Room(messageMax, now.counter());
        String request = Excerpts.head(message.content(), most, x -> Phrase.of("... [%d more]", x));
        String ref = chosen.get(i).ref();
        return List.of("Last request [" + ref + "]:\n  " + Delimiters.entry(request));
      }
    }
    return List.of();
  }

  private Summary summary(List<Candidate> chosen) {
    Summary summary = now.summary();
    for (Candidate candidate : chosen) summary = summary.plus(candidate.summary());
    return summary;
  }

  private List<Slot> historyWithout(List<Candidate> chosen) {
    Set<String> gone = new HashSet<>();
    for (Candidate candidate : chosen) {
      for (Message message : candidate.unit().originals()) gone.add(message.id());
    }
    return now.history().stream().filter(slot -> !gone.contains(slot.original().id())).toList();
  }

  private static LinkedHashMap<String, List<Message>> originals(List<Candidate> chosen) {
    var originals = new LinkedHashMap<String, List<Message>>();
    for (Candidate candidate : chosen) originals.put(candidate.ref(), candidate.unit().originals());
    return originals;
  }

  private static List<String> refs(List<Candidate> chosen) {
    return chosen.stream().map(Candidate::ref).toList();
  }

  private void become(Tier tier, Conversation after, Collection<String> refs) {
    var list = List.copyOf(refs);
    if (!list.isEmpty()) {
      events.add(new CompressionEvent(tier, now.extent(), after.extent(), list));
    }
    now = after;
  }
}
