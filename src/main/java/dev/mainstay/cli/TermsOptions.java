package dev.mainstay.cli;

import dev.mainstay.domain.Amount;
import dev.mainstay.domain.Amounts;
import dev.mainstay.domain.Terms;
import dev.mainstay.domain.Terms.Retry;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say on what terms a task is done. */
final class TermsOptions {
  @Option(
      names = "--attempts",
      paramLabel = "N",
      description = "try it so often before it has failed")
  @Nullable Integer attempts;

  @Option(
      names = "--backoff",
      paramLabel = "30s",
      description = "the pause before another attempt; it doubles each time")
  @Nullable String backoff;

  @Option(names = "--timeout", paramLabel = "1h", description = "how long one attempt may take")
  @Nullable String timeout;

  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description = "tokens it and all its parts may use")
  @Nullable Long budgetTokens;

  @Option(
      names = "--budget-cost",
      paramLabel = "5.00",
      description = "dollars it and all its parts may cost")
  @Nullable String budgetCost;

  @Option(
      names = "--budget-time",
      paramLabel = "2h",
      description = "time it and all its parts may take together")
  @Nullable String budgetTime;

  @Option(
      names = "--estimate-tokens",
      paramLabel = "N",
      description = "tokens put aside for an attempt before it is given to anybody")
  @Nullable Long estimateTokens;

  @Option(
      names = "--estimate-cost",
      paramLabel = "0.50",
      description = "dollars put aside for an attempt")
  @Nullable String estimateCost;

  @Option(
      names = "--estimate-time",
      paramLabel = "10m",
      description = "time put aside for an attempt")
  @Nullable String estimateTime;

  /** What was given, and where nothing was given, what was. */
  Terms over(Terms was) {
    return new Terms(
        new Retry(
            attempts == null ? was.retry().attempts() : attempts,
            backoff == null ? was.retry().backoff() : length("--backoff", backoff)),
        timeout == null ? was.timeout() : length("--timeout", timeout),
        amounts(budgetTokens, budgetCost, "--budget-time", budgetTime).or(was.budget()),
        amounts(estimateTokens, estimateCost, "--estimate-time", estimateTime).or(was.estimate()));
  }

  static Amounts amounts(
      @Nullable Long tokens, @Nullable String cost, String flag, @Nullable String time) {
    return new Amounts(
        tokens,
        cost == null ? null : Amounts.micros(cost),
        time == null ? null : length(flag, time).toSeconds());
  }

  /** Fractions of a second are rounded up, so that no limit becomes nothing. */
  private static Duration length(String flag, String typed) {
    BigDecimal seconds = Amount.seconds(flag, typed);
    return Duration.ofSeconds(seconds.setScale(0, RoundingMode.CEILING).longValueExact());
  }
}
