package dev.mainstay.domain;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line by which constraints change themselves: {@code If <condition> -> set <field> to
 * <value>}. The text is kept as it was written; whether the field exists and the condition means
 * anything is decided where they are used.
 */
public record AdaptationRule(String text, String condition, String field, String value) {
  public static final int RULE_CHARS_MAX = 500;

  /** The rules that every execution begins with. */
  public static final List<String> DOCUMENT_RULES =
      List.of(
          "If 2+ consecutive steps fail → set human_review_trigger_level to \"low\"",
          "If user provides positive feedback → set user_sentiment to \"pleased\"",
          "If cost exceeds 80% of budget → set priority to \"cost_efficiency\"",
          "If execution time > 200s → set priority to \"speed_and_clarity\"");

  private static final String FORM = "write If <condition> -> set <field> to <value>";
  private static final Pattern ARROW = Pattern.compile("->|→|=>");
  private static final Pattern ARROW_AND_SET = Pattern.compile("(?i)(?:->|→|=>)\\s*(?=set\\b)");
  private static final Pattern IF = Pattern.compile("(?i)if\\b\\s*(.*)");
  private static final Pattern CHANGE = Pattern.compile("(?i)set\\s+(\\S+)(?:\\s+to\\b\\s*(.*))?");
  private static final Pattern QUOTED = Pattern.compile("[\"“]([^\"“”]*)[\"”]\\s*\\.?");
  private static final Pattern BARE = Pattern.compile("([^\"“”]*?)\\s*\\.?");
  private static final Pattern FIELD = Pattern.compile("[a-z_]+");

  private static final Map<String, String> SIGNS =
      Map.ofEntries(
          Map.entry(">", ">"),
          Map.entry("exceeds", ">"),
          Map.entry("is over", ">"),
          Map.entry("is above", ">"),
          Map.entry("is more than", ">"),
          Map.entry("goes over", ">"),
          Map.entry(">=", ">="),
          Map.entry("reaches", ">="),
          Map.entry("is at least", ">="),
          Map.entry("<", "<"),
          Map.entry("is under", "<"),
          Map.entry("is below", "<"),
          Map.entry("is less than", "<"),
          Map.entry("<=", "<="),
          Map.entry("is at most", "<="));
  private static final String SIGN =
      "\\s*(?<sign>>=|<=|>|<|\\bexceeds|\\bis (?:over|above|more than|at least|under|below"
          + "|less than|at most)|\\bgoes over|\\breaches)\\s*";
  private static final String NUMBER = "(?<number>[0-9]{1,9}(?:\\.[0-9]{1,9})?)";

  private static final Pattern FAILURES =
      phrase(
          "(?<count>\\w+)\\s*(?:\\+| or more)? consecutive (?:steps? (?:fail|fails|failed)|failures)");
  private static final Pattern FEEDBACK =
      phrase("(?:the )?user (?:provides|gives) (?<kind>positive|negative) feedback");
  private static final Pattern SHARE =
      phrase("(?:the )?cost" + SIGN + NUMBER + "\\s*% of (?:the )?budget");
  private static final Pattern BUDGET = phrase("(?:the )?cost" + SIGN + "(?:the )?budget");
  private static final Pattern COST = phrase("(?:the )?cost" + SIGN + "\\$?" + NUMBER);
  private static final Pattern TIME =
      phrase(
          "(?:the )?(?:execution )?time"
              + SIGN
              + NUMBER
              + "\\s*(?<unit>s|secs?|seconds?|m|mins?|minutes?|h|hours?)");
  private static final Pattern SENTIMENT =
      phrase(
          "(?:the )?(?:user[ _])?sentiment (?:drops to|falls to|rises to|changes to|becomes|is)"
              + " \"?(?<word>[a-z_]+)\"?");
  private static final Pattern IS =
      phrase("(?<figure>[a-z_]+) is (?<not>not )?\"(?<word>[^\"\\\\]*)\"");

  public AdaptationRule {
    if (condition.isBlank() || value.isBlank() || !FIELD.matcher(field).matches()) {
      throw new IllegalStateException("half a rule: " + text);
    }
  }

  /** A blank in a phrase stands for any number of them. */
  private static Pattern phrase(String words) {
    return Pattern.compile(words.replace(" ", "\\s+"), Pattern.CASE_INSENSITIVE);
  }

  /** The rule that a line says, or a refusal that names what the line lacks. */
  public static AdaptationRule parse(String text) {
    String line = Text.line("an adaptation rule", text, RULE_CHARS_MAX);
    Matcher arrow = ARROW_AND_SET.matcher(line);
    int end = -1;
    int change = -1;
    while (arrow.find()) {
      end = arrow.start();
      change = arrow.end();
    }
    if (end < 0) {
      boolean pointless = !ARROW.matcher(line).find();
      throw lacks(pointless ? "has no arrow" : "has no \"set\" behind its arrow");
    }
    Matcher when = IF.matcher(line.substring(0, end).strip());
    if (!when.matches()) throw lacks("does not begin with \"If\"");
    String condition = when.group(1).strip();
    if (condition.isEmpty()) throw lacks("has no condition between \"If\" and the arrow");
    Matcher set = CHANGE.matcher(line.substring(change));
    if (!set.matches()) throw lacks("does not say which field it sets, and to what");
    return new AdaptationRule(line, condition, field(set.group(1)), value(set.group(2)));
  }

  private static String field(String name) {
    if (FIELD.matcher(name).matches()) return name;
    throw Refusal.invalid(
        Phrase.of(
            "the rule's field \"%s\" is not a name in small letters and underscores, such as user_sentiment",
            name));
  }

  private static String value(@Nullable String written) {
    if (written == null) throw lacks("does not say \"to\" what value it sets the field");
    Matcher quoted = QUOTED.matcher(written);
    Matcher bare = BARE.matcher(written);
    boolean understood = quoted.matches();
    if (!understood && !bare.matches()) {
      throw lacks("has a value whose quotes do not enclose it");
    }
    String value = understood ? quoted.group(1).strip() : bare.group(1);
    if (value.isEmpty()) throw lacks("has no value behind \"to\"");
    return value;
  }

  private static Refusal lacks(String what) {
    return Refusal.invalid(Phrase.of("the adaptation rule %s; %s", what, FORM));
  }

  /** The condition in CEL: the document's phrasings put into it, anything else as written. */
  public String expression() {
    Matcher failures = FAILURES.matcher(condition);
    if (failures.matches()) {
      Integer count = StepExpiry.count(failures.group("count"));
      if (count != null) return "consecutive_failures >= " + count;
    }
    Matcher feedback = FEEDBACK.matcher(condition);
    if (feedback.matches()) return equal("feedback", feedback.group("kind"));
    Matcher share = SHARE.matcher(condition);
    if (share.matches()) {
      BigDecimal part = new BigDecimal(share.group("number")).movePointLeft(2);
      return Phrase.of("cost %s %s * budget", sign(share), decimal(part));
    }
    Matcher budget = BUDGET.matcher(condition);
    if (budget.matches()) return Phrase.of("cost %s budget", sign(budget));
    Matcher cost = COST.matcher(condition);
    if (cost.matches()) return Phrase.of("cost %s %s", sign(cost), cost.group("number"));
    Matcher time = TIME.matcher(condition);
    if (time.matches()) return Phrase.of("time %s %s", sign(time), decimal(seconds(time)));
    Matcher sentiment = SENTIMENT.matcher(condition);
    if (sentiment.matches()) return equal("user_sentiment", sentiment.group("word"));
    Matcher is = IS.matcher(condition);
    if (!is.matches()) return condition;
    String sign = is.group("not") == null ? "==" : "!=";
    return Phrase.of("%s %s \"%s\"", is.group("figure"), sign, is.group("word"));
  }

  private static String equal(String figure, String word) {
    return Phrase.of("%s == \"%s\"", figure, word.toLowerCase(Locale.ROOT));
  }

  private static String sign(Matcher phrase) {
    String words = phrase.group("sign").toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    String sign = SIGNS.get(words);
    if (sign == null) throw new IllegalStateException("no sign for " + words);
    return sign;
  }

  private static BigDecimal seconds(Matcher time) {
    int factor =
        switch (Character.toLowerCase(time.group("unit").charAt(0))) {
          case 'm' -> 60;
          case 'h' -> 3_600;
          default -> 1;
        };
    return new BigDecimal(time.group("number")).multiply(BigDecimal.valueOf(factor));
  }

  /** With a point always, as a decimal of CEL has one. */
  private static String decimal(BigDecimal number) {
    BigDecimal shortest = number.stripTrailingZeros();
    return (shortest.scale() < 1 ? shortest.setScale(1) : shortest).toPlainString();
  }
}
