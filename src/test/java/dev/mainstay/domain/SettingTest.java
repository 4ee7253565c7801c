package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mainstay.Seeds;
import dev.mainstay.json.JsonText;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingTest {
  private static final Map<Setting, List<String>> CHOICES =
      Map.of(
          Setting.USER_SENTIMENT,
          List.of("neutral", "pleased", "frustrated", "impatient"),
          Setting.PRIORITY,
          List.of("speed_and_clarity", "comprehensiveness", "cost_efficiency", "quality"),
          Setting.HUMAN_REVIEW_TRIGGER_LEVEL,
          List.of("low", "medium", "high"),
          Setting.ACTIVE_PERSONA,
          List.of("concise_assistant", "detailed_analyst", "proactive_collaborator"),
          Setting.ERROR_TOLERANCE,
          List.of("strict", "moderate", "flexible"));

  private static Refusal refusal(Runnable call) {
    Refusal refused = catchThrowableOfType(Refusal.class, call::run);
    assertThat(refused).as("a refusal").isNotNull();
    return refused;
  }

  @Test
  void the_constraints_are_those_of_the_document_in_its_order() {
    assertThat(Setting.MODIFIERS)
        .extracting(Setting::key)
        .containsExactly(
            "user_sentiment",
            "priority",
            "max_cost_per_task",
            "human_review_trigger_level",
            "active_persona",
            "error_tolerance");
    assertThat(Setting.RESOURCES)
        .extracting(Setting::key)
        .containsExactly(
            "max_execution_time", "max_file_operations", "max_web_requests", "preferred_tools");
  }

  @Test
  void each_choice_of_the_document_is_taken_and_anything_else_refused_with_all_of_them() {
    for (Setting setting : Setting.values()) {
      assertThat(setting.kind() == Setting.Kind.CHOICE).isEqualTo(CHOICES.containsKey(setting));
    }
    CHOICES.forEach(
        (setting, choices) -> {
          for (String choice : choices) assertThat(setting.value(choice)).isEqualTo(choice);
          Refusal refused = refusal(() -> setting.value("blue"));
          assertThat(refused.code()).isEqualTo(Refusal.Code.INVALID);
          assertThat(refused.sentence())
              .startsWith(setting.key() + " must be one of ")
              .contains(choices)
              .endsWith("not \"blue\"");
        });
  }

  @Test
  void what_the_document_gives_as_numbers_is_there_at_first() {
    Settings initial = Settings.INITIAL;
    assertThat(initial.number(Setting.MAX_COST_PER_TASK)).isEqualByComparingTo("0.50");
    assertThat(initial.number(Setting.MAX_EXECUTION_TIME)).isEqualByComparingTo("300");
    assertThat(initial.get(Setting.MAX_FILE_OPERATIONS)).isEqualTo(20L);
    assertThat(initial.get(Setting.MAX_WEB_REQUESTS)).isEqualTo(5L);
    assertThat(initial.get(Setting.PREFERRED_TOOLS))
        .isEqualTo(List.of("WebFetch", "Read", "Write"));
  }

  @Test
  void a_value_that_cannot_be_is_refused_with_what_may_be() {
    assertThat(refusal(() -> Setting.MAX_COST_PER_TASK.value("much")).sentence())
        .isEqualTo("max_cost_per_task must be an amount such as $0.50, not \"much\"");
    assertThat(refusal(() -> Setting.MAX_EXECUTION_TIME.value("long")).sentence())
        .isEqualTo("max_execution_time must be a time such as 90s or 300 seconds, not \"long\"");
    for (Object bad : List.of("-1", "1.5", "many", "", List.of("1"))) {
      assertThat(refusal(() -> Setting.MAX_FILE_OPERATIONS.value(bad)).sentence())
          .startsWith("max_file_operations must be a whole number up to");
    }
    assertThat(refusal(() -> Setting.PREFERRED_TOOLS.value("Read")).sentence())
        .contains("a list such as [\"Read\", \"Write\"]");
    assertThat(refusal(() -> Setting.PREFERRED_TOOLS.value(Collections.nCopies(51, "Read"))).code())
        .isEqualTo(Refusal.Code.TOO_LARGE);
    assertThat(refusal(() -> Setting.of("max_cost_per_tsk")).sentence())
        .contains("did you mean \"max_cost_per_task\"?");
  }

  @Test
  void a_whole_number_is_refused_exactly_above_the_bound_that_the_sentence_names() {
    Refusal refused = refusal(() -> Setting.MAX_WEB_REQUESTS.value("99999999999"));
    String bound = refused.sentence().replaceAll(".* up to ([0-9]+),.*", "$1");
    assertThat(Setting.MAX_WEB_REQUESTS.value(bound)).isEqualTo(Long.valueOf(bound));
    long more = Long.parseLong(bound) + 1;
    assertThat(refusal(() -> Setting.MAX_WEB_REQUESTS.value("" + more))).isNotNull();
  }

  @Test
  void more_money_time_or_calls_are_looser_and_less_is_not() {
    for (Setting setting :
        List.of(
            Setting.MAX_COST_PER_TASK,
            Setting.MAX_EXECUTION_TIME,
            Setting.MAX_FILE_OPERATIONS,
            Setting.MAX_WEB_REQUESTS)) {
      Object less = setting.value("3");
      Object more = setting.value("4");
      assertThat(setting.isLooser(less, more)).isTrue();
      assertThat(setting.isLooser(more, less)).isFalse();
      assertThat(setting.isLooser(more, more)).isFalse();
    }
  }

  @Test
  void a_review_that_comes_later_is_looser() {
    List<String> sooner = List.of("low", "medium", "high");
    for (int from = 0; from < 3; from++) {
      for (int to = 0; to < 3; to++) {
        assertThat(Setting.HUMAN_REVIEW_TRIGGER_LEVEL.isLooser(sooner.get(from), sooner.get(to)))
            .isEqualTo(to > from);
      }
    }
  }

  @Test
  void taste_and_tools_are_never_looser() {
    CHOICES.forEach(
        (setting, choices) -> {
          if (setting == Setting.HUMAN_REVIEW_TRIGGER_LEVEL) return;
          for (String from : choices) {
            for (String to : choices) assertThat(setting.isLooser(from, to)).isFalse();
          }
        });
    assertThat(Setting.PREFERRED_TOOLS.isLooser(List.of(), List.of("Bash"))).isFalse();
  }

  @Test
  void the_four_types_set_what_the_document_says() {
    assertThat(preset(ExecutionType.LEGAL))
        .isEqualTo(
            Map.of(Setting.ERROR_TOLERANCE, "strict", Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "low"));
    assertThat(preset(ExecutionType.CREATIVE))
        .isEqualTo(Map.of(Setting.ACTIVE_PERSONA, "proactive_collaborator"));
    assertThat(preset(ExecutionType.RESEARCH))
        .isEqualTo(Map.of(Setting.PRIORITY, "comprehensiveness"));
    assertThat(preset(ExecutionType.DEBUGGING))
        .isEqualTo(Map.of(Setting.HUMAN_REVIEW_TRIGGER_LEVEL, "medium"));
    assertThat(refusal(() -> ExecutionType.parse("poetry")).sentence())
        .contains("legal, creative, research or debugging");
  }

  private static Map<Setting, Object> preset(ExecutionType type) {
    return Behaviour.INITIAL.stream()
        .filter(behaviour -> behaviour.name().equals(type.behaviour()))
        .findFirst()
        .orElseThrow()
        .settings();
  }

  @Test
  void a_behaviour_may_be_words_alone_or_set_several_things() {
    assertThat(new Behaviour("x", "Be kind to the reader").settings()).isEmpty();
    assertThat(
            new Behaviour("x", "Set priority to quality, lower max_web_requests to 2;").settings())
        .isEqualTo(Map.of(Setting.PRIORITY, "quality", Setting.MAX_WEB_REQUESTS, 2L));
    assertThat(refusal(() -> new Behaviour("x", "Set prioriti to quality").settings()).sentence())
        .contains("did you mean \"priority\"?");
  }

  @Test
  void money_and_time_are_read_in_all_the_ways_people_write_them() {
    for (String half : List.of("0.5", "$0.50", " $0.500 ", "0.50")) {
      assertThat(Amount.dollars("cost", half)).isEqualTo(new BigDecimal("0.5"));
    }
    for (String time :
        List.of("90", "90s", "90 s", "90 sec", "90 seconds", "90 SECONDS", "1.5m", "1.5 minutes")) {
      assertThat(Amount.seconds("time", time)).isEqualTo(new BigDecimal("90"));
    }
    assertThat(Amount.seconds("time", "2h")).isEqualTo(new BigDecimal("7200"));
    for (String bad : List.of("", "$", "-1", "1e3", "0x10", "1,5", "NaN", "$1 dollar")) {
      assertThat(refusal(() -> Amount.dollars("cost", bad)).code()).isEqualTo(Refusal.Code.INVALID);
    }
    for (String bad : List.of("", "s", "soon", "-3s", "3 days")) {
      assertThat(refusal(() -> Amount.seconds("time", bad)).code()).isEqualTo(Refusal.Code.INVALID);
    }
    assertThat(refusal(() -> Amount.dollars("cost", "1000000000.01")).sentence())
        .isEqualTo("cost is at most 1000000000");
    assertThat(refusal(() -> Amount.of("cost", new BigDecimal("0.1234567891"))).sentence())
        .isEqualTo("cost has at most 9 decimals");
    assertThat(refusal(() -> Amount.of("cost", new BigDecimal("-0.1"))).sentence())
        .isEqualTo("cost cannot be negative");
  }

  @Test
  void a_refused_amount_is_shown_as_it_was_typed() {
    assertThat(refusal(() -> Amount.seconds("time", "soon s")).sentence()).contains("\"soon s\"");
    assertThat(refusal(() -> Amount.dollars("cost", "$x")).sentence()).contains("\"$x\"");
  }

  @Test
  void equal_amounts_are_equal_and_written_with_two_decimals() {
    assertThat(Amount.of("x", new BigDecimal("1E+3"))).isEqualTo(new BigDecimal("1000"));
    assertThat(Amount.of("x", new BigDecimal("0.000"))).isEqualTo(BigDecimal.ZERO);
    assertThat(Amount.plain(new BigDecimal("0.5"))).isEqualTo("0.50");
    assertThat(Amount.plain(new BigDecimal("3"))).isEqualTo("3.00");
    assertThat(Amount.plain(new BigDecimal("0.125"))).isEqualTo("0.125");
    assertThat(Setting.MAX_COST_PER_TASK.shown(new BigDecimal("0.5"))).isEqualTo("$0.50");
    assertThat(Setting.MAX_EXECUTION_TIME.shown(new BigDecimal("300"))).isEqualTo("300 seconds");
  }

  @Test
  void settings_come_back_from_their_json() {
    Seeds.forAll(
        300,
        random -> {
          Settings settings = ExecutionSamples.anySettings(random);
          String text = JsonText.write(settings.toJson());
          assertThat(Settings.fromJson(JsonText.object(text))).isEqualTo(settings);
        });
  }
}
