package dev.mainstay.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class GivenTest {
  /** One that has so many steps left. */
  private static Given left(int steps) {
    Given given = new Given(JsonObject.EMPTY);
    given.work(Given.WORK_STEPS_MAX - steps);
    return given;
  }

  private static void unanswered(ThrowingCallable asked) {
    assertThatThrownBy(asked).isInstanceOf(Unanswered.class).hasMessageContaining("steps");
  }

  @Test
  void the_last_step_is_taken_and_no_more() {
    Given given = left(1);
    given.work(1);
    unanswered(() -> given.work(1));
  }

  @Test
  void every_value_that_is_compared_is_a_step_and_every_character_as_well() {
    assertThat(Values.equal(left(1), 1, 1)).isTrue();
    unanswered(() -> Values.equal(left(0), 1, 1));
    assertThat(Values.equal(left(4), "abc", "abc")).isTrue();
    unanswered(() -> Values.equal(left(3), "abc", "abc"));
    assertThat(Values.equal(left(1), "abc", "abcd")).isFalse();
    assertThat(Values.compare(left(2), "ab", "<", "abcd")).isNegative();
    unanswered(() -> Values.compare(left(1), "ab", "<", "abcd"));
  }

  @Test
  void every_value_and_character_that_comes_out_is_a_step() {
    assertThat(Values.json(left(1), 2L)).isEqualTo(2L);
    unanswered(() -> Values.json(left(0), 2L));
    assertThat(Values.json(left(5), List.of("abc"))).isEqualTo(List.of("abc"));
    unanswered(() -> Values.json(left(4), List.of("abc")));
  }

  @Test
  void whatever_an_operation_looks_through_is_counted() {
    unanswered(() -> Operation.PLUS.apply(left(3), List.of("ab", "cd")));
    unanswered(() -> Operation.PLUS.apply(left(1), List.of(List.of(1), List.of(2))));
    unanswered(() -> Operation.ITEMS.apply(left(1), List.of(List.of(1, 2))));
    unanswered(() -> Operation.SIZE.apply(left(2), List.of("abc")));
    unanswered(() -> Operation.STRING.apply(left(0), List.of("abc")));
    unanswered(() -> Operation.CONTAINS.apply(left(2), List.of("abc", "b")));
    unanswered(() -> Operation.CONTAINS.apply(left(5), List.of("abc", "b".repeat(64))));
    assertThat(Operation.PLUS.apply(left(4), List.of("ab", "cd"))).isEqualTo("abcd");
    assertThat(Operation.CONTAINS.apply(left(3), List.of("abc", "b"))).isEqualTo(true);
    assertThat(Operation.CONTAINS.apply(left(6), List.of("abc", "b".repeat(64)))).isEqualTo(false);
  }

  @Test
  void the_nearest_name_is_told_where_names_are_few_and_short() {
    List<String> thousand = Collections.nCopies(1_000, "count");
    assertThat(Given.nearest("cuont", thousand)).isEqualTo("; did you mean \"count\"?");
    assertThat(Given.nearest("cuont", Collections.nCopies(1_001, "count"))).isEmpty();
    String longest = "c".repeat(100);
    String tooLong = longest + "c";
    assertThat(Given.nearest(longest, List.of("c".repeat(99)))).contains("ccc");
    assertThat(Given.nearest(tooLong, List.of(longest))).isEmpty();
    assertThat(Given.nearest("ccc", List.of(longest))).contains("ccc");
    assertThat(Given.nearest("ccc", List.of(tooLong))).isEmpty();
    assertThat(Given.nearest("ready", List.of("count"))).isEmpty();
  }
}
