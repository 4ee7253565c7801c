package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.ObservedTurn.ToolUse;
import dev.mainstay.domain.RepeatFuse.Turn;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ObservedTurnTest {
  private static final Set<String> POLLING = Set.of("wait");
  private static final ToolUse READ = ToolUse.of("Read", "a", "text");
  private static final ToolUse FETCH = ToolUse.of("WebFetch", "url", "page");
  private static final ToolUse WAIT = ToolUse.of("wait", "", "still");

  private static ObservedTurn turn(ToolUse... tools) {
    return new ObservedTurn(List.of(tools), List.of());
  }

  private static String hash(String text) {
    return JournalEntry.sha256(text);
  }

  @Test
  void the_calls_of_a_turn_count_as_what_they_are() {
    ToolUse mcp = ToolUse.of("mcp__files__read_file", "b", "text");
    ToolUse other = ToolUse.of("Bash", "ls", "a");
    assertThat(turn(READ, FETCH, mcp, other, READ).spent())
        .isEqualTo(new Spent(BigDecimal.ZERO, BigDecimal.ZERO, 3, 1));
    assertThat(turn().spent()).isEqualTo(Spent.NOTHING);
  }

  @Test
  void a_turn_is_told_in_one_line() {
    assertThat(turn().summary()).isEmpty();
    var files = List.of("a", "b", "a");
    assertThat(new ObservedTurn(List.of(READ, FETCH, READ), files).summary())
        .isEqualTo("Read x2, WebFetch; files: a, b");
    List<String> many = IntStream.range(0, 12).mapToObj(i -> "f" + i).toList();
    assertThat(new ObservedTurn(List.of(READ), many).summary())
        .startsWith("Read; files: f0, f1")
        .endsWith("f9 and 2 more");
    assertThat(new ObservedTurn(List.of(READ), many.subList(0, 10)).summary()).endsWith("f9");
  }

  @Test
  void a_turn_without_a_call_leaves_the_fuse_as_it_is() {
    RepeatFuse once = turn(READ).after(RepeatFuse.fresh(POLLING), POLLING);
    assertThat(turn().after(once, POLLING)).isSameAs(once);
  }

  @Test
  void a_turn_that_only_polls_begins_anew_and_polling_beside_other_calls_says_nothing() {
    RepeatFuse once = turn(READ).after(RepeatFuse.fresh(POLLING), POLLING);
    assertThat(once.last()).isEqualTo(new Turn("Read", hash("a"), hash("text")));
    assertThat(turn(WAIT).after(once, POLLING)).isEqualTo(RepeatFuse.fresh(POLLING));
    RepeatFuse twice = turn(WAIT, READ).after(once, POLLING);
    assertThat(twice).isEqualTo(new RepeatFuse(POLLING, once.last(), 2));
  }

  @Test
  void several_calls_of_a_turn_are_joined_in_their_order() {
    RepeatFuse both = turn(READ, FETCH).after(RepeatFuse.fresh(POLLING), POLLING);
    assertThat(both.last())
        .isEqualTo(
            new Turn(
                "Read, WebFetch",
                hash(hash("a") + ", " + hash("url")),
                hash(hash("text") + ", " + hash("page"))));
    assertThat(turn(READ, FETCH).after(both, POLLING).repeats()).isEqualTo(2);
    assertThat(turn(FETCH, READ).after(both, POLLING).repeats()).isEqualTo(1);
  }

  @Test
  void two_turns_have_the_same_hash_exactly_if_they_are_the_same() {
    var turns =
        List.of(
            turn(),
            turn(READ),
            turn(READ, READ),
            turn(ToolUse.of("Read", "a", "other")),
            turn(ToolUse.of("Read", "b", "text")),
            new ObservedTurn(List.of(READ), List.of("ab")),
            new ObservedTurn(List.of(READ), List.of("a", "b")));
    assertThat(turns.stream().map(ObservedTurn::hash)).doesNotHaveDuplicates();
    assertThat(turn(READ).hash()).isEqualTo(turn(ToolUse.of("Read", "a", "text")).hash());
  }

  @Test
  void a_turn_has_at_most_a_thousand_calls() {
    List<ToolUse> most = Collections.nCopies(ObservedTurn.TOOLS_MAX, READ);
    assertThat(new ObservedTurn(most, List.of()).summary()).isEqualTo("Read x1000");
    List<ToolUse> more = Stream.concat(most.stream(), Stream.of(READ)).toList();
    assertThatThrownBy(() -> new ObservedTurn(more, List.of()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("at most 1,000 calls");
  }
}
