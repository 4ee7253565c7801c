package dev.mainstay.domain;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many steps a directive is meant for, by its own words, such as "For the next 2 steps". */
public final class StepExpiry {
  public static final int STEPS_MAX = 1_000;

  private static final List<String> NUMBERS =
      List.of(
          "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve");
  private static final String NEXT = "\\s+(?:the\\s+)?next\\s+";
  private static final String COUNTED =
      "(?:for|during|over)" + NEXT + "(?<count>[0-9]{1,4}|" + String.join("|", NUMBERS) + ")\\s+";
  private static final Pattern FIRST =
      Pattern.compile("(?i)\\W*" + COUNTED + "steps?\\b.*", Pattern.DOTALL);
  private static final Pattern FIRST_ONE =
      Pattern.compile("(?i)\\W*(?:for|during)" + NEXT + "step\\b.*", Pattern.DOTALL);
  private static final Pattern LAST = Pattern.compile("(?i)\\b" + COUNTED + "steps?\\W*$");
  private static final Pattern LAST_ONE = Pattern.compile("(?i)\\bduring" + NEXT + "step\\W*$");

  private StepExpiry() {}

  /**
   * The number of steps that the directive names at its beginning or end; null if it names none and
   * so holds until it is lifted. "... for the next step" at the end does not count, since it may
   * say what something is made for.
   */
  public static @Nullable Integer of(String directive) {
    Matcher first = FIRST.matcher(directive);
    if (first.matches()) return count(first.group("count"));
    if (FIRST_ONE.matcher(directive).matches()) return 1;
    Matcher last = LAST.matcher(directive);
    if (last.find()) return count(last.group("count"));
    return LAST_ONE.matcher(directive).find() ? 1 : null;
  }

  /** A count in digits, or in words up to twelve; null if it is none from 1 to the most. */
  static @Nullable Integer count(String written) {
    int number = NUMBERS.indexOf(written.toLowerCase(Locale.ROOT)) + 1;
    if (number == 0 && written.matches("[0-9]{1,4}")) number = Integer.parseInt(written);
    return number < 1 || number > STEPS_MAX ? null : number;
  }
}
