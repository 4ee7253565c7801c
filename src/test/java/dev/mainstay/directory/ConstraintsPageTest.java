package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConstraintsPageTest {
  private static final String TEXT =
      """
      # Execution Constraints: Brew tea

      ## Behavioral Modifiers
      - **user_sentiment**: "neutral"
      - **priority**: "quality"
      - **max_cost_per_task**: 0.50
      - **human_review_trigger_level**: "medium"
      - **active_persona**: "concise_assistant"
      - **error_tolerance**: "moderate"

      ## Resource Constraints
      - **max_execution_time**: 300 seconds
      - **max_file_operations**: 20
      - **max_web_requests**: 5
      - **preferred_tools**: ["WebFetch", "Read", "Write"]

      ## Active Directives
      [Dynamic behavioral rules that evolve during execution]
      - Prioritize tools with lower latency <!-- 2 steps left -->
      - Do not generate any new components unless explicitly approved <!-- binding -->
      - If sentiment drops to "frustrated", immediately seek human guidance

      ## Adaptation Rules
      [Rules for self-modification of constraints]
      - If 2+ consecutive steps fail → set human_review_trigger_level to "low"

      ## Context-Aware Behaviors
      [Behaviors that adapt based on task type or domain]
      - **legal_tasks**: Increase error_tolerance to "strict", require human review
      """;

  private static final String LATENCY = "Prioritize tools with lower latency";
  private static final String COMPONENTS =
      "Do not generate any new components unless explicitly approved";
  private static final String GUIDANCE =
      "If sentiment drops to \"frustrated\", immediately seek human guidance";
  private static final String RULE =
      "If 2+ consecutive steps fail → set human_review_trigger_level to \"low\"";

  private static Items items() {
    return Items.builder()
        .put("setting/user_sentiment", "neutral")
        .put("setting/priority", "quality")
        .put("setting/max_cost_per_task", new BigDecimal("0.5"))
        .put("setting/human_review_trigger_level", "medium")
        .put("setting/active_persona", "concise_assistant")
        .put("setting/error_tolerance", "moderate")
        .put("setting/max_execution_time", 300)
        .put("setting/max_file_operations", 20)
        .put("setting/max_web_requests", 5)
        .put("setting/preferred_tools", List.of("WebFetch", "Read", "Write"))
        .put("directives", List.of(LATENCY, COMPONENTS, GUIDANCE))
        .put("directive/" + LATENCY, JsonObject.of("steps_left", 2))
        .put("directive/" + COMPONENTS, JsonObject.of("binding", true))
        .put("directive/" + GUIDANCE, JsonObject.EMPTY)
        .put("rules", List.of(RULE))
        .put("rule/" + RULE, true)
        .put("behaviours", List.of("legal_tasks"))
        .put(
            "behaviour/legal_tasks", "Increase error_tolerance to \"strict\", require human review")
        .build();
  }

  @Test
  void new_constraints_are_the_template_of_the_document() {
    Items goal = Items.builder().putAll(items()).put("meta/goal", "Brew tea").build();
    assertThat(Page.write(PageName.CONSTRAINTS, goal, null)).isEqualTo(TEXT);
    assertThat(Page.read(PageName.CONSTRAINTS, TEXT).items()).isEqualTo(items());
  }

  @Test
  void a_directive_that_grows_old_changes_its_mark_alone() {
    Items older = items().with("directive/" + LATENCY, JsonObject.of("steps_left", 1));
    assertThat(Page.write(PageName.CONSTRAINTS, older, TEXT))
        .isEqualTo(TEXT.replace("2 steps left", "1 step left"));
    Items binding =
        items().with("directive/" + LATENCY, JsonObject.of("binding", true, "steps_left", 2));
    assertThat(Page.write(PageName.CONSTRAINTS, binding, TEXT))
        .isEqualTo(TEXT.replace("2 steps left", "binding, 2 steps left"));
    Items gone =
        items().with("directives", List.of(COMPONENTS, GUIDANCE)).without("directive/" + LATENCY);
    assertThat(Page.write(PageName.CONSTRAINTS, gone, TEXT))
        .isEqualTo(TEXT.replace("- " + LATENCY + " <!-- 2 steps left -->\n", ""));
  }

  @Test
  void times_are_understood_as_people_write_them() {
    for (String spelled : List.of("300", "300s", "5 minutes", "300 seconds", "5 min", "300.0s")) {
      String mine = TEXT.replace("300 seconds", spelled);
      assertThat(Page.read(PageName.CONSTRAINTS, mine).items()).as(spelled).isEqualTo(items());
      assertThat(Page.write(PageName.CONSTRAINTS, items(), mine)).isEqualTo(mine);
    }
  }

  @Test
  void open_proposals_are_shown_at_the_end_and_are_never_read() {
    Items open = items().with("proposals", List.of("P-1: raise max_cost_per_task to 2"));
    String shown = Page.write(PageName.CONSTRAINTS, open, TEXT);
    String section = "\n## Open Proposals\n- P-1: raise max_cost_per_task to 2\n";
    assertThat(shown).isEqualTo(TEXT + section);
    assertThat(Page.read(PageName.CONSTRAINTS, shown).items()).isEqualTo(items());
    assertThat(Page.write(PageName.CONSTRAINTS, open, shown)).isEqualTo(shown);
    assertThat(Page.write(PageName.CONSTRAINTS, items(), shown)).isEqualTo(TEXT);
  }

  @Test
  void a_section_that_a_person_removed_comes_back_in_its_place_when_it_is_needed() {
    int from = TEXT.indexOf("## Adaptation Rules");
    int to = TEXT.indexOf("## Context-Aware");
    String mine = TEXT.substring(0, from) + TEXT.substring(to);
    Items without = Page.read(PageName.CONSTRAINTS, mine).items();
    assertThat(Page.write(PageName.CONSTRAINTS, without, mine)).isEqualTo(mine);
    assertThat(Page.write(PageName.CONSTRAINTS, items(), mine))
        .isEqualTo(TEXT.replace("[Rules for self-modification of constraints]\n", ""));
  }
}
