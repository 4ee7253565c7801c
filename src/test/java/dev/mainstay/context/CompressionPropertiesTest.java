package dev.mainstay.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.context.Compression.Outcome;
import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.render.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(1)
class CompressionPropertiesTest {
  private static final int CASES = 300;
  private static final Pattern EXCERPT = Pattern.compile("left out; recall (m-[0-9a-f]+)]");

  /** One random story: what was there, what was done to it, and all that was ever added. */
  private record Story(Conversation before, Compression done, int window, List<Message> added) {
    Conversation after() {
      return done.conversation();
    }

    List<Message> sentBefore() {
      return before.messages();
    }

    List<Message> sentAfter() {
      return after().messages();
    }
  }

  @Test
  void what_is_fixed_or_working_is_the_same_before_and_after() {
    forAllStories(
        story -> {
          for (Partition partition : Partition.values()) {
            if (partition.isCompressible()) continue;
            assertThat(story.after().messages(partition))
                .isEqualTo(story.before().messages(partition));
          }
          assertThat(story.sentAfter().get(0).role()).isEqualTo(Message.Role.SYSTEM);
        });
  }

  @Test
  void what_is_preserved_stays_verbatim() {
    forAllStories(
        story -> {
          var preserved = story.before().preserved();
          for (Message message : story.sentBefore()) {
            if (message.isNamedBy(preserved)) assertThat(story.sentAfter()).contains(message);
          }
        });
  }

  @Test
  void a_call_and_its_result_never_part() {
    forAllStories(
        story -> {
          var calls = new HashSet<String>();
          var results = new HashSet<String>();
          for (Message message : story.sentAfter()) {
            for (ToolCall call : message.calls()) calls.add(call.id());
            if (message.answers() == null) continue;
            assertThat(calls).as("the call comes first").contains(message.answers());
            results.add(message.answers());
          }
          for (Message message : story.added()) {
            if (message.answers() == null) continue;
            assertThat(results.contains(message.answers()))
                .isEqualTo(calls.contains(message.answers()));
          }
        });
  }

  @Test
  void what_remains_keeps_its_order() {
    forAllStories(
        story -> {
          var ids = story.sentAfter().stream().map(Message::id).toList();
          var before = new ArrayList<>(story.sentBefore().stream().map(Message::id).toList());
          var rest = new ArrayList<>(ids);
          rest.remove(Memory.MESSAGE_ID);
          before.retainAll(new HashSet<>(rest));
          before.remove(Memory.MESSAGE_ID);
          assertThat(rest).isEqualTo(before);
        });
  }

  @Test
  void every_message_is_sent_or_can_be_recalled_byte_for_byte() {
    forAllStories(
        story -> {
          var recalled = new HashMap<String, Message>();
          for (String ref : story.after().archive().refs()) {
            for (Message message : story.after().recall(ref)) recalled.put(message.id(), message);
          }
          var sent = new HashMap<String, Message>();
          for (Message message : story.sentAfter()) sent.put(message.id(), message);
          for (Message message : story.added()) {
            boolean asItCame = message.equals(sent.get(message.id()));
            if (!asItCame) assertThat(recalled).containsEntry(message.id(), message);
          }
        });
  }

  @Test
  void every_reference_that_is_shown_can_be_recalled() {
    forAllStories(
        story -> {
          var refs = story.after().archive().refs();
          for (var event : story.done().events()) assertThat(refs).containsAll(event.refs());
          for (var line : story.after().summary().lines()) assertThat(refs).contains(line.ref());
          for (Message message : story.sentAfter()) {
            var excerpt = EXCERPT.matcher(message.content());
            while (excerpt.find()) {
              String ref = excerpt.group(1);
              if (!refs.contains(ref)) assertThat(story.added()).contains(message);
            }
          }
        });
  }

  @Test
  void every_line_of_a_summary_is_a_verbatim_part_of_its_source() {
    forAllStories(
        story -> {
          var each = new HashMap<Category, Integer>();
          for (var line : story.after().summary().lines()) {
            var sources = story.after().recall(line.ref()).stream().flatMap(Message::texts);
            assertThat(sources).anyMatch(text -> text.contains(line.quote()));
            each.merge(line.category(), 1, Integer::sum);
          }
          assertThat(each.values()).allMatch(count -> count <= Summary.LINES_MAX);
        });
  }

  @Test
  void the_target_is_reached_or_the_outcome_says_why_not() {
    var outcomes = new LinkedHashSet<Outcome>();
    forAllStories(
        story -> {
          double before = story.before().pressure(story.window());
          double after = story.after().pressure(story.window());
          outcomes.add(story.done().outcome());
          switch (story.done().outcome()) {
            case NOT_NEEDED -> assertThat(before).isLessThanOrEqualTo(Tier.SNIP.above());
            case REACHED -> assertThat(after).isLessThanOrEqualTo(Tier.TARGET);
            case TIER_SPENT -> assertThat(before).isLessThanOrEqualTo(Tier.RENEW.above());
            case HELD -> assertThat(archivable(story)).as("left to archive").isZero();
          }
          assertThat(after).isLessThanOrEqualTo(before);
        });
    if (Seeds.areAll()) assertThat(outcomes).containsExactlyInAnyOrder(Outcome.values());
  }

  /**
   * Tokens that could still go. A renewal leaves none; it is not done if its own handover, which
   * repeats the last request and quotes the rest, would be as large.
   */
  private static int archivable(Story story) {
    int tokens =
        Unit.of(story.after().history()).stream()
            .filter(unit -> !unit.open() && !unit.isNamedBy(story.after().preserved()))
            .mapToInt(Unit::tokens)
            .sum();
    boolean renewed = story.done().events().stream().anyMatch(e -> e.action() == Tier.RENEW);
    int handover = Tier.SNIP_WINDOW_PERCENT + Memory.SUMMARY_WINDOW_PERCENT;
    return renewed ? tokens : Math.max(0, tokens - story.window() * handover / 100 - 200);
  }

  @Test
  void the_counts_in_events_are_true() {
    var actions = new LinkedHashSet<Tier>();
    forAllStories(
        story -> {
          var events = story.done().events();
          var extent = recount(story.before());
          for (var event : events) {
            actions.add(event.action());
            assertThat(event.before()).isEqualTo(extent);
            assertThat(event.after().tokens()).isLessThan(event.before().tokens());
            assertThat(event.refs()).isNotEmpty().doesNotHaveDuplicates();
            extent = event.after();
          }
          assertThat(recount(story.after())).isEqualTo(extent);
          if (events.isEmpty()) assertThat(story.after()).isSameAs(story.before());
        });
    if (Seeds.areAll()) assertThat(actions).containsExactlyInAnyOrder(Tier.values());
  }

  private static CompressionEvent.Extent recount(Conversation conversation) {
    int tokens = 0;
    for (Message message : conversation.messages()) {
      tokens += Slot.of(message, conversation.counter()).tokens();
    }
    return new CompressionEvent.Extent(tokens, conversation.messages().size());
  }

  @Test
  void compressing_again_at_the_target_changes_nothing() {
    forAllStories(
        story -> {
          if (story.done().outcome() != Outcome.REACHED) return;
          var again = story.after().compress(story.window());
          assertThat(again.conversation()).isSameAs(story.after());
          assertThat(again.events()).isEmpty();
        });
  }

  @Test
  void the_same_conversation_is_always_compressed_the_same_way() {
    forAllStories(
        story -> {
          var again = story.before().compress(story.window());
          assertThat(again.conversation().messages()).isEqualTo(story.sentAfter());
          assertThat(again.events()).isEqualTo(story.done().events());
        });
  }

  private static void forAllStories(Consumer<Story> property) {
    Cases.forAll(CASES, random -> property.accept(story(random)));
  }

  /** Grows in several rounds, compressed in between, so that compressions meet their own traces. */
  private static Story story(Random random) {
    ToIntFunction<String> counter =
        random.nextInt(8) == 0 ? Tokens.O200K::count : Tokens.ESTIMATE::count;
    int window = 1_000 + random.nextInt(20_000);
    var added = new ArrayList<Message>();
    var conversation =
        Conversation.start("You are careful.", List.of(Cases.text(random, 300)), counter)
            .withWorking("[TASK STATE] goal: " + Cases.text(random, 100))
            .withState("turn");
    int rounds = 1 + random.nextInt(3);
    for (int round = 0; round < rounds; round++) {
      if (round > 0) conversation = conversation.compress(window).conversation();
      conversation = grow(conversation, random, window, added);
    }
    var compression = conversation.compress(window);
    return new Story(conversation, compression, window, added);
  }

  private static Conversation grow(
      Conversation start, Random random, int window, List<Message> added) {
    var conversation = start;
    double until = 0.6 + random.nextDouble() * 0.6;
    int openCalls = 0;
    while (conversation.pressure(window) < until) {
      String id = "m" + added.size();
      Message next;
      var awaited = awaited(conversation);
      if (!awaited.isEmpty() && random.nextInt(6) > 0) {
        next = Message.tool(id, awaited.get(0), large(random, window));
      } else if (random.nextInt(3) == 0) {
        next = Message.user(id, large(random, window));
      } else {
        var calls = new ToolCall[random.nextInt(3)];
        for (int i = 0; i < calls.length; i++) {
          String path = "{\"path\":\"src/F" + openCalls + ".java\"}";
          calls[i] = new ToolCall(id + "-c" + openCalls++, i == 0 ? "write" : "run", path);
        }
        next = Message.assistant(id, large(random, window), calls);
      }
      conversation = conversation.add(next);
      added.add(next);
      if (random.nextInt(12) == 0) conversation = conversation.preserving(refs(conversation, next));
    }
    return conversation;
  }

  private static Set<String> refs(Conversation conversation, Message next) {
    var refs = new HashSet<>(conversation.preserved());
    refs.add(next.answers() == null ? next.id() : next.answers());
    return refs;
  }

  /** Calls without a result, the newest assistant's last; some are never answered. */
  private static List<String> awaited(Conversation conversation) {
    Map<String, Boolean> open = new HashMap<>();
    for (Slot slot : conversation.history()) {
      for (ToolCall call : slot.original().calls()) open.put(call.id(), true);
      if (slot.original().answers() != null) open.remove(slot.original().answers());
    }
    return open.keySet().stream().sorted().toList();
  }

  private static String large(Random random, int window) {
    int most = random.nextInt(5) == 0 ? window : Math.max(40, window / 20);
    return Cases.text(random, most);
  }
}
