package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final String PLAN =
      """
      # Execution Plan: Brew tea

      ## Metadata
      - **execution_id**: exec_1_2
      - **goal**: Brew tea
      - **status**: IN_PROGRESS
      - **current_step**: 1
      - **start_time**: 2026-11-16T03:00:00Z
      - **last_updated**: 2026-11-16T03:00:00Z
      - **mode**: EXECUTION

      ## Steps

      ### Step 1: Boil water
      - **component**: kettle
      - **tool_mapping**: Bash
      - **status**: PENDING
      - **inputs**:\s
        - litres: 1.5
        - source: {{tap}}
      - **expected_outputs**:
        - result: hot water
      - **estimated_cost**: $0.10
      - **estimated_time**: 180s
      - **side_effects**: steam

      ### Step 2: Pour
      - **component**:
      - **tool_mapping**:
      - **status**: PENDING
      - **inputs**:\s
      - **expected_outputs**:
      - **estimated_cost**:
      - **estimated_time**:
      - **side_effects**:
      """;

  private static Items plan() {
    return Items.builder()
        .put("meta/execution_id", "exec_1_2")
        .put("meta/goal", "Brew tea")
        .put("meta/status", "IN_PROGRESS")
        .put("meta/current_step", 1)
        .put("meta/start_time", "2026-11-16T03:00:00Z")
        .put("meta/last_updated", "2026-11-16T03:00:00Z")
        .put("meta/mode", "EXECUTION")
        .put("steps", List.of("Boil water#0", "Pour#0"))
        .put("step/Boil water#0/component", "kettle")
        .put("step/Boil water#0/tool_mapping", "Bash")
        .put("step/Boil water#0/status", "PENDING")
        .put("step/Boil water#0/inputs", List.of("litres", "source"))
        .put("step/Boil water#0/inputs/litres", new BigDecimal("1.50"))
        .put("step/Boil water#0/inputs/source", "{{tap}}")
        .put("step/Boil water#0/expected_outputs", List.of("result"))
        .put("step/Boil water#0/expected_outputs/result", "hot water")
        .put("step/Boil water#0/estimated_cost", new BigDecimal("0.10"))
        .put("step/Boil water#0/estimated_time", 180)
        .put("step/Boil water#0/side_effects", "steam")
        .put("step/Pour#0/status", "PENDING")
        .build();
  }

  @Test
  void a_new_plan_is_the_template_of_the_document() {
    assertThat(Page.write(PageName.PLAN, plan(), null)).isEqualTo(PLAN);
    assertThat(Page.read(PageName.PLAN, PLAN).items()).isEqualTo(plan());
  }

  @Test
  void a_reading_says_on_which_line_an_item_stands() {
    var lines = Page.read(PageName.PLAN, PLAN).lines();
    assertThat(lines)
        .containsEntry("meta/goal", 5)
        .containsEntry("step/Boil water#0/inputs/source", 20)
        .containsEntry("step/Pour#0/status", 30);
  }

  @Test
  void a_changed_item_changes_its_line_and_no_other() {
    String mine = PLAN.replace("$0.10", "0.1").replace("steam", "steam\n\nMind the cat.");
    Items items = plan().with("step/Pour#0/status", "RUNNING").with("step/Pour#0/note", "slowly");
    String text = Page.write(PageName.PLAN, items, mine);
    String expected =
        mine.replaceFirst("(?s)(Step 2.*)PENDING", "$1RUNNING") + "- **note**: slowly\n";
    assertThat(text).isEqualTo(expected);
  }

  @Test
  void a_removed_input_loses_its_line_and_an_emptied_field_keeps_its_name() {
    Items items =
        plan()
            .with("step/Boil water#0/inputs", List.of("source"))
            .without("step/Boil water#0/inputs/litres")
            .without("step/Boil water#0/side_effects");
    String text = Page.write(PageName.PLAN, items, PLAN);
    assertThat(text)
        .isEqualTo(
            PLAN.replace("  - litres: 1.5\n", "")
                .replace("side_effects**: steam", "side_effects**:"));
  }

  @Test
  void steps_change_places_with_their_free_text_and_are_numbered_anew() {
    String mine = PLAN.replace("steam\n", "steam\n\nMind the cat.\n\n#### Why\nBecause.\n");
    Items items = plan().with("steps", List.of("Pour#0", "Boil water#0"));
    String text = Page.write(PageName.PLAN, items, mine);
    assertThat(text.lines().filter(line -> line.matches("#.*|Mind.*|Because.*")))
        .containsExactly(
            "# Execution Plan: Brew tea",
            "## Metadata",
            "## Steps",
            "### Step 1: Pour",
            "### Step 2: Boil water",
            "Mind the cat.",
            "#### Why",
            "Because.");
    assertThat(Page.read(PageName.PLAN, text).items()).isEqualTo(items);
  }

  @Test
  void an_entry_behind_the_training_data_is_the_last_of_the_log_and_moves_there() {
    String text =
        """
        # Execution History

        ## Step Execution Log

        ### Step 1 Execution - 2026-01-02T03:00:00Z
        - **real_outputs**: powder

        ## Training Data Collection
        - **tool_calls**: none

        ## Mine

        Mine, too.
        """;
    String late = "### Step 2 Execution - 2026-01-02T04:00:00Z\n- **real_outputs**: steam\n";
    Items items = Page.read(PageName.HISTORY, text + late + "#### Why\nHeat.\n" + late).items();
    assertThat(items.get("entries")).isEqualTo(3L);
    assertThat(items.get("entry/2")).isEqualTo(items.get("entry/3"));
    String appended = text + late + "#### Why\nHeat.\n" + late;
    assertThat(Page.write(PageName.HISTORY, items, appended)).isEqualTo(appended);
    Items now = items.with("training/tool_calls", "Bash");
    assertThat(Page.write(PageName.HISTORY, now, appended))
        .isEqualTo(
            text.replace("## Training", late + "#### Why\nHeat.\n\n" + late + "\n## Training")
                .replace("none", "Bash"))
        .satisfies(moved -> assertThat(Page.read(PageName.HISTORY, moved).items()).isEqualTo(now));
  }

  @Test
  void a_title_that_a_person_changed_stays() {
    String mine = PLAN.replace("# Execution Plan: Brew tea", "# My tea");
    String text = Page.write(PageName.PLAN, plan().with("meta/goal", "Coffee"), mine);
    assertThat(text).startsWith("# My tea\n").contains("- **goal**: Coffee\n");
  }

  @Test
  void a_new_context_is_the_template_of_the_document() {
    Items items = Items.EMPTY.with("meta/goal", "Brew tea");
    String text = Page.write(PageName.CONTEXT, items, null);
    assertThat(text)
        .startsWith(
            """
            # Execution Context: Brew tea

            ## Knowledge Accumulation
            [Summaries, insights, and key findings gathered during execution]

            ### Web Content Summaries
            """)
        .endsWith(
            """
            ## Decision Rationale
            [Explanations for major decisions made during execution]
            """);
    Items read = Page.read(PageName.CONTEXT, text).items();
    assertThat(read.texts("passages"))
        .containsExactly(
            "#0",
            "## Knowledge Accumulation#0",
            "### Web Content Summaries#0",
            "### Document Analysis Results#0",
            "### Key Findings#0",
            "## Current Understanding#0",
            "## Decision Rationale#0");
    String found = "passage/### Key Findings#0";
    assertThat(Page.write(PageName.CONTEXT, read.with(found, "Tea is hot.\n\n"), text))
        .contains("### Key Findings\nTea is hot.\n\n## Current Understanding\n");
  }

  @Test
  void variables_keep_the_order_of_their_keys_and_the_spelling_of_their_numbers() {
    String mine = "{\"b\": 1.10, \"a\": {\"x\": [1,  2], \"e\": {}}, \"n\": null}";
    Items items = Page.read(PageName.VARIABLES, mine).items();
    assertThat(items)
        .isEqualTo(
            Items.EMPTY
                .with("var/b", new BigDecimal("1.1"))
                .with("var/a/x", List.of(1, 2))
                .with("var/a/e", JsonObject.EMPTY)
                .with("var/n", Items.NULL));
    assertThat(Page.write(PageName.VARIABLES, items, mine)).isEqualTo(mine);
    String changed =
        Page.write(PageName.VARIABLES, items.with("var/a/new", "tea").without("var/n"), mine);
    assertThat(changed)
        .isEqualTo(
            """
            {
              "b": 1.10,
              "a": {
                "x": [1,  2],
                "e": {},
                "new": "tea"
              }
            }
            """);
  }

  @Test
  void a_history_has_the_nine_fields_and_training_data_only_when_there_are_any() {
    JsonObject entry =
        JsonObject.of(
                "step", 1, "at", "2026-11-16T03:00:00Z", "simulated", true, "tool_used", "Bash")
            .with("cost", new BigDecimal("0.1"))
            .with("time", 12)
            .with("real_outputs", "line one\nline two");
    Items items = Items.EMPTY.with("entries", 1).with("entry/1", entry);
    String log =
        """
        # Execution History

        ## Step Execution Log

        ### Step 1 Execution - 2026-11-16T03:00:00Z (simulated)
        - **component_used**:
        - **tool_used**: Bash
        - **real_inputs**:
        - **real_outputs**:
          line one
          line two
        - **actual_cost**: $0.10
        - **actual_time**: 12s
        - **errors**:
        - **state_changes**:
        - **notes**:
        """;
    assertThat(Page.write(PageName.HISTORY, items, null)).isEqualTo(log);
    String trained = Page.write(PageName.HISTORY, items.with("training/tool_calls", "none"), log);
    assertThat(trained)
        .isEqualTo(
            log
                + """

                ## Training Data Collection
                [Structured data for fine-tuning - only in EXECUTION mode]
                - **conversation_trace**:
                - **tool_calls**: none
                - **state_transitions**:
                - **performance_metrics**:
                """);
    assertThat(Page.write(PageName.HISTORY, items, trained)).isEqualTo(log);
  }
}
