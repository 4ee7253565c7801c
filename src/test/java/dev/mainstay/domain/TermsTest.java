package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.Terms.Retry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On what terms a task is done, at the very limits of each. */
class TermsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static Retry retry(Integer attempts, Duration backoff) {
    return new Retry(attempts, backoff);
  }

  private static Terms within(Duration timeout) {
    return new Terms(retry(null, Duration.ZERO), timeout, Amounts.NONE, Amounts.NONE);
  }

  private static Budget budget(Amounts max, Totals spent, Totals reserved) {
    return new Budget(TaskId.of(1), max, spent, reserved);
  }

  private static Amounts tokens(long tokens) {
    return new Amounts(tokens, null, null);
  }

  @Test
  void a_failure_is_followed_by_another_attempt_only_where_a_number_says_so() {
    assertThat(retry(null, SECOND).againAfterFailure(0)).isFalse();
    assertThat(retry(3, SECOND).againAfterFailure(2)).isTrue();
    assertThat(retry(3, SECOND).againAfterFailure(3)).isFalse();
  }

  @Test
  void a_loss_is_followed_by_another_attempt_until_there_were_enough() {
    assertThat(retry(null, SECOND).againAfterLoss(Terms.LOST_ATTEMPTS_MAX - 1)).isTrue();
    assertThat(retry(null, SECOND).againAfterLoss(Terms.LOST_ATTEMPTS_MAX)).isFalse();
    assertThat(retry(7, SECOND).againAfterLoss(6)).isTrue();
    assertThat(retry(7, SECOND).againAfterLoss(7)).isFalse();
  }

  @Test
  void the_pause_doubles_up_to_a_day() {
    Retry some = retry(9, Duration.ofSeconds(30));
    assertThat(List.of(0, 1, 2, 3).stream().map(some::pause))
        .containsExactly(
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(120));
    assertThat(some.pause(1_000)).isEqualTo(Terms.BACKOFF_MAX);
    assertThat(retry(9, Duration.ofHours(12)).pause(2)).isEqualTo(Duration.ofDays(1));
    assertThat(retry(9, Duration.ZERO).pause(5)).isEqualTo(Duration.ZERO);
  }

  @Test
  void the_limits_themselves_are_allowed_and_nothing_beyond() {
    assertThat(retry(1, Terms.BACKOFF_MAX).backoff()).isEqualTo(Duration.ofDays(1));
    assertThat(retry(1_000, Duration.ZERO).attempts()).isEqualTo(1_000);
    assertThat(within(Duration.ofDays(30)).timeout()).isEqualTo(Duration.ofDays(30));
    assertThat(within(Duration.ofMillis(1_999)).timeout()).isEqualTo(SECOND);
    assertThatThrownBy(() -> retry(0, Duration.ZERO)).hasMessageContaining("1 and 1,000 times");
    assertThatThrownBy(() -> retry(1_001, Duration.ZERO)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> retry(1, Terms.BACKOFF_MAX.plusNanos(1))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> retry(1, Duration.ofNanos(-1))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> within(Duration.ofMillis(999))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> within(Duration.ofDays(30).plusSeconds(1)))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void nothing_said_is_no_terms_and_a_wrong_field_finds_the_right_one() {
    assertThat(Terms.fromJson(JsonObject.EMPTY)).isSameAs(Terms.NONE);
    assertThat(Terms.NONE.isNone()).isTrue();
    assertThat(Terms.NONE.toJson()).isEqualTo(JsonObject.EMPTY);
    assertThat(within(SECOND).isNone()).isFalse();
    assertThatThrownBy(() -> Terms.fromJson(JsonObject.of("max_atempts", 3)))
        .isInstanceOf(Refusal.class)
        .hasMessage("terms have no field \"max_atempts\"; did you mean \"max_attempts\"?");
  }

  @Test
  void amounts_have_limits_and_fill_each_others_gaps() {
    long most = Amounts.AMOUNT_MAX;
    assertThat(new Amounts(most, most, most).seconds()).isEqualTo(most);
    assertThatThrownBy(() -> tokens(most + 1)).hasMessageContaining("tokens lie between");
    assertThatThrownBy(() -> new Amounts(null, -1L, null)).hasMessageContaining("cost lie");
    assertThatThrownBy(() -> new Amounts(null, null, -1L)).hasMessageContaining("seconds lie");
    Amounts others = new Amounts(1L, 2L, 3L);
    assertThat(tokens(9).or(others)).isEqualTo(new Amounts(9L, 2L, 3L));
    assertThat(new Amounts(null, 8L, 7L).or(others)).isEqualTo(new Amounts(1L, 8L, 7L));
    assertThat(Amounts.NONE.or(others)).isEqualTo(others);
  }

  @Test
  void sums_are_taken_away_but_never_below_nothing() {
    Totals some = new Totals(5, 6, 7);
    assertThat(some.minus(new Totals(1, 2, 3))).isEqualTo(new Totals(4, 4, 4));
    assertThat(some.minus(new Totals(9, 9, 9))).isEqualTo(Totals.NONE);
    assertThat(some.minus(some).isNothing()).isTrue();
    assertThat(some.isNothing()).isFalse();
    assertThat(Totals.of(new Amounts(5L, null, 7L))).isEqualTo(new Totals(5, 0, 7));
  }

  @Test
  void an_attempt_gets_what_it_asks_for_or_all_that_is_left() {
    Totals spent = new Totals(10, 20, 30);
    Budget budget = budget(new Amounts(100L, 200L, 300L), spent, new Totals(1, 2, 3));
    assertThat(budget.toReserve(Amounts.NONE)).contains(new Totals(89, 178, 267));
    assertThat(budget.toReserve(new Amounts(89L, 5L, 267L))).contains(new Totals(89, 5, 267));
    assertThat(budget.toReserve(tokens(90))).isEmpty();
    assertThat(budget.toReserve(new Amounts(null, 179L, null))).isEmpty();
    assertThat(budget.toReserve(new Amounts(null, null, 268L))).isEmpty();
    assertThat(budget(Amounts.NONE, spent, spent).toReserve(tokens(7))).contains(Totals.NONE);
  }

  @Test
  void where_nothing_is_left_only_what_costs_nothing_goes_on() {
    Budget over = budget(tokens(10), new Totals(7, 0, 0), new Totals(3, 0, 0));
    assertThat(over.toReserve(tokens(0))).contains(Totals.NONE);
    assertThat(over.toReserve(tokens(1))).isEmpty();
    assertThat(over.toReserve(Amounts.NONE)).isEmpty();
  }

  @Test
  void a_budget_is_used_up_once_more_was_spent_than_it_has() {
    Amounts max = new Amounts(10L, 20L, 30L);
    assertThat(budget(max, new Totals(10, 20, 30), Totals.NONE).isUsedUp()).isFalse();
    assertThat(budget(max, new Totals(11, 0, 0), Totals.NONE).isUsedUp()).isTrue();
    assertThat(budget(max, new Totals(0, 21, 0), Totals.NONE).isUsedUp()).isTrue();
    assertThat(budget(max, new Totals(0, 0, 31), Totals.NONE).isUsedUp()).isTrue();
    assertThat(budget(Amounts.NONE, new Totals(9, 9, 9), Totals.NONE).isUsedUp()).isFalse();
  }

  @Test
  void a_budget_shows_its_sums_in_dollars() {
    Budget budget = budget(tokens(10), new Totals(1, 1_500_000, 3), Totals.NONE);
    assertThat(budget.toJson())
        .isEqualTo(
            JsonObject.of("task_id", "T-001", "max", JsonObject.of("tokens", 10))
                .with("spent", JsonObject.of("tokens", 1, "seconds", 3, "cost", "1.50"))
                .with("reserved", JsonObject.of("tokens", 0, "seconds", 0, "cost", "0.00")));
  }
}
