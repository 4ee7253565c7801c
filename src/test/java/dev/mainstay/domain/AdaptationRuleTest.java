package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptationRuleTest {
  @Test
  void the_rules_of_the_document_are_understood_as_they_stand() {
    assertThat(AdaptationRule.DOCUMENT_RULES)
        .map(AdaptationRule::parse)
        .map(rule -> rule.expression() + " / " + rule.field() + " / " + rule.value())
        .containsExactly(
            "consecutive_failures >= 2 / human_review_trigger_level / low",
            "feedback == \"positive\" / user_sentiment / pleased",
            "cost > 0.8 * budget / priority / cost_efficiency",
            "time > 200.0 / priority / speed_and_clarity");
    assertThat(AdaptationRule.DOCUMENT_RULES)
        .allSatisfy(text -> assertThat(AdaptationRule.parse(text).text()).isEqualTo(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "2+ consecutive steps fail | consecutive_failures >= 2",
        "3 or more consecutive steps fail | consecutive_failures >= 3",
        "two or more consecutive steps fail | consecutive_failures >= 2",
        "4 consecutive steps failed | consecutive_failures >= 4",
        "5+ consecutive failures | consecutive_failures >= 5",
        "many consecutive steps fail | many consecutive steps fail",
        "user provides negative feedback | feedback == \"negative\"",
        "the User gives Positive feedback | feedback == \"positive\"",
        "cost exceeds 100% of the budget | cost > 1.0 * budget",
        "cost exceeds 12.5 % of budget | cost > 0.125 * budget",
        "cost >= 90% of budget | cost >= 0.9 * budget",
        "cost reaches 7% of budget | cost >= 0.07 * budget",
        "cost exceeds the budget | cost > budget",
        "cost exceeds $0.40 | cost > 0.40",
        "cost > $3 | cost > 3",
        "execution time > 200s | time > 200.0",
        "execution time exceeds 200 seconds | time > 200.0",
        "execution time exceeds 2.5 minutes | time > 150.0",
        "time>3m | time > 180.0",
        "execution  time is at least 1 hour | time >= 3600.0",
        "sentiment drops to \"frustrated\" | user_sentiment == \"frustrated\"",
        "user_sentiment is \"frustrated\" | user_sentiment == \"frustrated\"",
        "user sentiment becomes impatient | user_sentiment == \"impatient\"",
        "priority is not \"quality\" | priority != \"quality\"",
        "time > 200 | time > 200",
        "cost > 0.5 && failures >= 3 | cost > 0.5 && failures >= 3",
        "cost exceeds 80% of budget && time > 3 | cost exceeds 80% of budget && time > 3",
      })
  void a_condition_is_a_known_phrase_or_cel_as_written(String condition, String expression) {
    AdaptationRule rule = AdaptationRule.parse("If " + condition + " -> set priority to quality");
    assertThat(rule.condition()).isEqualTo(condition);
    assertThat(rule.expression()).isEqualTo(expression);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "If cost > 1 -> set priority to quality",
        "if cost > 1 → SET priority TO \"quality\"",
        "IF cost > 1 => set priority to \"quality\".",
        "If cost > 1->set priority to quality.",
        "  If cost > 1 →set  priority  to  “quality” . "
      })
  void arrows_quotes_case_and_a_full_stop_are_the_writers_taste(String text) {
    AdaptationRule rule = AdaptationRule.parse(text);
    assertThat(rule).isEqualTo(new AdaptationRule(text.strip(), "cost > 1", "priority", "quality"));
  }

  @Test
  void the_last_arrow_before_set_divides_the_rule() {
    AdaptationRule rule =
        AdaptationRule.parse("If priority == \"a -> b\" && time >= 2 -> set max_cost to 0.5.");
    assertThat(rule.condition()).isEqualTo("priority == \"a -> b\" && time >= 2");
    assertThat(rule.value()).isEqualTo("0.5");
    assertThat(AdaptationRule.parse("If x == \"-> set y to z\" -> set mode to b").condition())
        .isEqualTo("x == \"-> set y to z\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "If cost > 1 set priority to x | has no arrow",
        "If cost > 1 -> priority = x | has no \"set\" behind its arrow",
        "When cost > 1 -> set priority to x | does not begin with \"If\"",
        "Iffy > 1 -> set priority to x | does not begin with \"If\"",
        "If -> set priority to x | has no condition between \"If\" and the arrow",
        "If cost > 1 -> set | does not say which field it sets, and to what",
        "If cost > 1 -> set to x | does not say which field it sets, and to what",
        "If cost > 1 -> set priority | does not say \"to\" what value it sets the field",
        "If cost > 1 -> set priority x | does not say which field it sets, and to what",
        "If cost > 1 -> set priority to | has no value behind \"to\"",
        "If cost > 1 -> set priority to \"\" | has no value behind \"to\"",
        "If cost > 1 -> set priority to \"x | has a value whose quotes do not enclose it",
        "If cost > 1 -> set priority to \"x\" or y | has a value whose quotes do not enclose it",
      })
  void what_a_line_lacks_is_named(String text, String lack) {
    Refusal refused = catchThrowableOfType(Refusal.class, () -> AdaptationRule.parse(text));
    assertThat(refused).as(text).isNotNull();
    assertThat(refused.sentence())
        .isEqualTo(
            "the adaptation rule " + lack + "; write If <condition> -> set <field> to <value>");
  }

  @Test
  void odd_fields_long_lines_and_line_breaks_are_refused() {
    assertThatThrownBy(() -> AdaptationRule.parse("If a -> set Priority! to x"))
        .hasMessageContaining("\"Priority!\"");
    assertThatThrownBy(() -> AdaptationRule.parse("If a -> set b to " + "x".repeat(500)))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> AdaptationRule.parse("If a\n-> set b to c"))
        .hasMessageContaining("one line");
  }
}
