package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Budget.Totals;
import dev.mainstay.domain.Terms.Retry;
import dev.mainstay.json.JsonText;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TermsPropertyTest {
  private static final int CASES = 2_000;

  private static @Nullable Long amount(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> null;
      case 1 -> 0L;
      case 2 -> Amounts.AMOUNT_MAX;
      case 3 -> (long) random.nextInt(100);
      default -> random.nextLong(Amounts.AMOUNT_MAX);
    };
  }

  private static Amounts amounts(Random random) {
    return new Amounts(amount(random), amount(random), amount(random));
  }

  private static Terms terms(Random random) {
    Integer attempts = random.nextBoolean() ? null : 1 + random.nextInt(Terms.ATTEMPTS_MAX);
    Duration backoff = Duration.ofMillis(random.nextLong(Terms.BACKOFF_MAX.toMillis()));
    Duration timeout =
        random.nextBoolean()
            ? null
            : Duration.ofMillis(1_000 + random.nextLong(Terms.TIMEOUT_MAX.toMillis() - 1_000));
    return new Terms(new Retry(attempts, backoff), timeout, amounts(random), amounts(random));
  }

  @Test
  void terms_are_the_same_after_they_were_written_and_read() {
    Seeds.forAll(
        CASES,
        random -> {
          Terms terms = terms(random);
          String text = JsonText.write(terms.toJson());
          assertThat(Terms.fromJson(JsonText.object(text))).as(text).isEqualTo(terms);
        });
  }

  @Test
  void amounts_are_the_same_after_they_were_written_and_read() {
    Seeds.forAll(
        CASES,
        random -> {
          Amounts amounts = amounts(random);
          String text = JsonText.write(amounts.toJson());
          assertThat(Amounts.fromJson(JsonText.object(text))).as(text).isEqualTo(amounts);
        });
  }

  @Test
  void what_is_put_aside_never_passes_the_limit_and_is_never_less_than_asked_for() {
    Seeds.forAll(
        CASES,
        random -> {
          Amounts max = amounts(random);
          Budget budget =
              new Budget(TaskId.of(1), max, Totals.of(amounts(random)), Totals.of(amounts(random)));
          Amounts estimate = amounts(random);
          budget
              .toReserve(estimate)
              .ifPresent(
                  part -> {
                    Totals taken = budget.spent().plus(budget.reserved());
                    within(max.tokens(), taken.tokens(), part.tokens(), estimate.tokens());
                    within(
                        max.costMicros(),
                        taken.costMicros(),
                        part.costMicros(),
                        estimate.costMicros());
                    within(max.seconds(), taken.seconds(), part.seconds(), estimate.seconds());
                  });
        });
  }

  private static void within(@Nullable Long max, long taken, long part, @Nullable Long estimate) {
    if (max == null) {
      assertThat(part).as("without a limit nothing is put aside").isZero();
    } else {
      assertThat(part).isNotNegative();
      if (part > 0) assertThat(taken + part).isLessThanOrEqualTo(max);
      assertThat(part).isEqualTo(estimate == null ? max - taken : estimate);
    }
  }

  @Test
  void whoever_takes_all_that_is_offered_never_overdraws_a_budget() {
    Seeds.forAll(
        CASES / 10,
        random -> {
          Amounts max = new Amounts(1_000L, 1_000L, 1_000L);
          Budget budget = new Budget(TaskId.of(1), max, Totals.NONE, Totals.NONE);
          for (int i = 0; i < 20; i++) {
            Amounts estimate =
                new Amounts((long) random.nextInt(300), (long) random.nextInt(300), null);
            Totals part = budget.toReserve(estimate).orElse(Totals.NONE);
            budget =
                random.nextBoolean()
                    ? new Budget(budget.task(), max, budget.spent().plus(part), budget.reserved())
                    : new Budget(budget.task(), max, budget.spent(), budget.reserved().plus(part));
            Totals taken = budget.spent().plus(budget.reserved());
            assertThat(Math.max(taken.tokens(), Math.max(taken.costMicros(), taken.seconds())))
                .isLessThanOrEqualTo(1_000);
          }
          assertThat(budget.isUsedUp()).isFalse();
        });
  }

  @Test
  void the_pause_never_shrinks_from_one_attempt_to_the_next_and_has_an_end() {
    Seeds.forAll(
        CASES,
        random -> {
          Retry retry = terms(random).retry();
          Duration before = Duration.ZERO;
          for (int tried = 1; tried < 40; tried++) {
            Duration pause = retry.pause(tried);
            assertThat(pause).isBetween(before, Terms.BACKOFF_MAX);
            before = pause;
          }
        });
  }

  @Test
  void what_is_finer_than_a_millionth_of_a_dollar_is_rounded_up() {
    assertThat(Amounts.micros("0.0000001")).isEqualTo(1);
    assertThat(Amounts.micros("$1.50")).isEqualTo(1_500_000);
  }

  @Test
  void terms_outside_their_limits_are_refused() {
    assertThatThrownBy(() -> new Retry(0, Duration.ZERO)).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Retry(null, Duration.ofDays(2))).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> Terms.fromJson(JsonObject.of("timeout_seconds", 0)))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(
            () -> new Terms(Terms.NONE.retry(), Duration.ofMillis(500), Amounts.NONE, Amounts.NONE))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> Terms.fromJson(JsonObject.of("max_attempt", 3)))
        .hasMessageContaining("max_attempts");
    assertThatThrownBy(() -> new Amounts(-1L, null, null)).isInstanceOf(Refusal.class);
  }
}
