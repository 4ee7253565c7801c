package dev.mainstay.context;

import static dev.mainstay.context.SnapshotPromptTest.TEMPLATE;
import static dev.mainstay.context.SnapshotPromptTest.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.domain.RepoState;
import dev.mainstay.render.Tokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Order(1)
class SnapshotHistoryPropertiesTest {
  private static final ToIntFunction<String> COUNTER = Tokens.O200K::count;

  /** A loop that does anything in any order, beside a plain list of what must be stored. */
  private static final class Story {
    final Random random;
    final int outputCharsMax;
    final List<Message> expected = new ArrayList<>();
    final List<String> waiting = new ArrayList<>();
    final ToIntFunction<String> counter;
    SnapshotHistory history;
    int made;

    Story(Random random, int outputCharsMax, ToIntFunction<String> counter) {
      this.random = random;
      this.outputCharsMax = outputCharsMax;
      this.counter = counter;
      this.history = SnapshotHistory.start(TEMPLATE, counter);
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0 -> add(Message.user(id(), Cases.text(random, 600)));
        case 1, 2 -> add(assistant());
        case 3, 4, 5 -> answer();
        case 6 -> history.turnEnded();
        default -> history = SnapshotHistory.fromJson(history.toJson(), counter);
      }
    }

    String id() {
      return "m" + made++;
    }

    Message assistant() {
      ToolCall[] calls = new ToolCall[random.nextInt(4)];
      for (int i = 0; i < calls.length; i++) {
        calls[i] = new ToolCall("c" + made++, "run", Cases.text(random, outputCharsMax / 4));
        waiting.add(calls[i].id());
      }
      return Message.assistant(id(), random.nextBoolean() ? "" : Cases.text(random, 200), calls);
    }

    void answer() {
      if (waiting.isEmpty()) return;
      String call = waiting.remove(random.nextInt(waiting.size()));
      if (random.nextInt(3) == 0) {
        history.add(Message.tool(id(), call, "{\"success\":true,\"noop\":true}"));
        forget(call);
      } else {
        add(Message.tool(id(), call, Cases.text(random, outputCharsMax)));
      }
    }

    /** A message that said nothing but its call goes with it. */
    void forget(String call) {
      for (int i = 0; i < expected.size(); i++) {
        Message message = expected.get(i);
        var left = message.calls().stream().filter(each -> !each.id().equals(call)).toList();
        if (left.size() == message.calls().size()) continue;
        expected.remove(i);
        if (left.isEmpty() && message.content().isBlank()) return;
        expected.add(i, new Message(message.id(), message.role(), message.content(), left, null));
      }
    }

    void add(Message message) {
      history.add(message);
      expected.add(message);
    }
  }

  @Test
  void nothing_is_lost_whatever_is_added_and_whenever_the_flag_is_switched() {
    RepoState state = state(3, 1);
    Seeds.forAll(
        150,
        random -> {
          var story = new Story(random, 400, String::length);
          for (int i = 0; i < 60; i++) {
            story.step();
            if (random.nextInt(5) == 0) story.history.messages(true, state, "");
            var sent = story.history.messages(false, state, "");
            assertThat(sent.get(0).content()).isEqualTo(TEMPLATE);
            assertThat(sent.subList(1, sent.size())).isEqualTo(story.expected);
          }
          var all = story.history.messages(false, state, "");
          int tokens = SnapshotPrompt.tokens(all, String::length);
          assertThat(story.history.tokens()).isEqualTo(tokens);
        });
  }

  @Test
  void the_prompt_is_small_in_order_and_without_dangling_calls_whatever_happened() {
    Seeds.forAll(
        20,
        random -> {
          var story = new Story(random, random.nextBoolean() ? 400 : 30_000, COUNTER);
          RepoState state = state(random.nextInt(400), random.nextInt(30));
          for (int i = 0; i < 40; i++) {
            story.step();
            if (random.nextInt(4) > 0) continue;
            String additional = Cases.text(random, random.nextInt(3) == 0 ? 40_000 : 100);
            check(story.history.messages(true, state, additional), story.expected);
          }
        });
  }

  private static void check(List<Message> sent, List<Message> stored) {
    assertThat(SnapshotPrompt.tokens(sent, COUNTER)).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
    var ids = sent.stream().map(Message::id).toList();
    assertThat(ids.subList(0, 2)).containsExactly("mainstay/system", "mainstay/snapshot");
    assertThat(ids.get(ids.size() - 1)).isEqualTo("mainstay/request");
    assertThat(stored.stream().map(Message::id).filter(new HashSet<>(ids)::contains))
        .containsExactlyElementsOf(ids.subList(2, ids.size() - 1));
    Set<String> called = new HashSet<>();
    Set<String> answered = new HashSet<>();
    for (Message message : sent) {
      for (ToolCall call : message.calls()) called.add(call.id());
      if (message.answers() == null) continue;
      assertThat(called).as("the call comes first").contains(message.answers());
      answered.add(message.answers());
    }
    assertThat(answered).isEqualTo(called);
  }

  @Tag("long")
  @Test
  void a_thousand_turns_with_large_outputs_keep_every_prompt_small() {
    Random random = new Random(7);
    String output = "compiled another file and ran one more test\n".repeat(600);
    List<String> outputs = new ArrayList<>();
    for (int i = 0; i < 20; i++) outputs.add(output.substring(random.nextInt(5_000)));
    // Each output is counted once: a thousand of them are 25 MB.
    Map<String, Integer> counted = new HashMap<>();
    ToIntFunction<String> counter =
        text ->
            text.length() < 20_000
                ? COUNTER.applyAsInt(text)
                : counted.computeIfAbsent(text, COUNTER::applyAsInt);
    var history = SnapshotHistory.start(TEMPLATE, counter);
    history.add(Message.user("u", "Write the program and test it."));
    int largest = 0;
    for (int turn = 0; turn < 1_000; turn++) {
      var sent = history.messages(true, state(turn, 3), "turn " + turn);
      int tokens = SnapshotPrompt.tokens(sent, COUNTER);
      assertThat(tokens).isLessThan(SnapshotPrompt.PROMPT_TOKENS_MAX);
      assertThat(sent).extracting(Message::id).contains("u");
      largest = Math.max(largest, tokens);
      String call = "c" + turn;
      history.add(Message.assistant("a" + turn, "", new ToolCall(call, "run", "{}")));
      history.add(Message.tool("t" + turn, call, outputs.get(turn % outputs.size())));
      history.turnEnded();
    }
    assertThat(history.messages(false, state(0, 0), "")).hasSize(2_002);
    assertThat(history.tokens()).isGreaterThan(1_000_000);
    assertThat(largest).isGreaterThan(4_000);
  }
}
