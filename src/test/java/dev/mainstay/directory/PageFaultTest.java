package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class PageFaultTest {
  private static final Items PLAN =
      Items.EMPTY
          .with("meta/execution_id", "exec_1_2")
          .with("meta/current_step", 1)
          .with("steps", List.of("boil#0"))
          .with("step/boil#0/estimated_cost", 1)
          .with("step/boil#0/inputs", List.of("a"))
          .with("step/boil#0/inputs/a", 1);
  private static final String TEXT = Page.write(PageName.PLAN, PLAN, null);

  private static PageFault fault(PageName page, String text) {
    PageFault fault = catchThrowableOfType(PageFault.class, () -> Page.read(page, text));
    assertThat(fault).as(text).isNotNull();
    assertThat(fault.page()).isEqualTo(page);
    return fault;
  }

  private static void at(PageFault fault, int line, int column, String words) {
    assertThat(fault.sentence()).contains(words);
    assertThat(List.of(fault.line(), fault.column())).isEqualTo(List.of(line, column));
  }

  @Test
  void bad_json_is_named_with_line_and_column() {
    at(fault(PageName.VARIABLES, "{\n  \"a\": 1,\n  \"a\": 2\n}"), 3, 3, "there twice");
    at(fault(PageName.VARIABLES, "{\"a\": 1} x"), 1, 10, "goes on after its end");
    at(fault(PageName.VARIABLES, "{\n\"a\": "), 2, 6, "ends too early");
    at(fault(PageName.VARIABLES, "{\"a\": 01}"), 1, 7, "no JSON value");
    at(fault(PageName.VARIABLES, "{\"a\": 1e999999999999}"), 1, 7, "out of all proportion");
    at(fault(PageName.VARIABLES, "[1]"), 1, 1, "one JSON object");
    at(fault(PageName.VARIABLES, "{\"a\" 1}"), 1, 6, "colon is missing");
    at(fault(PageName.VARIABLES, "{\"a\": \"x\ny\"}"), 1, 9, "line ends");
    at(fault(PageName.VARIABLES, "{\"a\":" + "[".repeat(9_000)), 1, 68, "nested too deeply");
  }

  @Test
  void an_escape_that_no_database_can_keep_is_named_with_line_and_column() {
    at(fault(PageName.VARIABLES, "{\n\"a\": \"x\\ud800\"}"), 2, 8, "half a character");
    at(fault(PageName.VARIABLES, "{\"a\": \"\\ud800y\"}"), 1, 8, "write both halves");
    at(fault(PageName.VARIABLES, "{\"a\": \"\\ud800\\ud800\"}"), 1, 8, "half a character");
    at(fault(PageName.VARIABLES, "{\"a\": \"x\\udc00\"}"), 1, 9, "half a character");
    at(fault(PageName.VARIABLES, "{\"a\": [\"x\\u0000\"]}"), 1, 10, "\\u0000; remove it");
    at(fault(PageName.VARIABLES, "{\"\\u0000\": 1}"), 1, 3, "\\u0000; remove it");
    at(fault(PageName.VARIABLES, "{\"\\udfff\": 1}"), 1, 3, "half a character");
    Items whole = Page.read(PageName.VARIABLES, "{\"a\": \"\\ud83d\\ude00\"}").items();
    assertThat(whole.get("var/a")).isEqualTo("\uD83D\uDE00");
  }

  @Test
  void numbers_that_are_none_and_fields_that_are_there_twice_are_named() {
    at(
        fault(PageName.PLAN, TEXT.replace("$1.00", "cheap")),
        21,
        23,
        "estimated_cost must be a number");
    at(
        fault(PageName.PLAN, TEXT.replace("current_step**: 1", "current_step**: 1.5")),
        7,
        21,
        "whole number");
    at(fault(PageName.PLAN, TEXT.replace("  - a: 1\n", "  - a: 1\n  - a: 2\n")), 20, 1, "twice");
    at(fault(PageName.PLAN, TEXT + "- **status**: x\n"), 24, 1, "status is there twice");
    at(fault(PageName.PLAN, TEXT + "\n## Metadata\n"), 25, 1, "join them");
    at(fault(PageName.PLAN, TEXT.replace("Step 1: boil", "Step 1 boil")), 14, 1, "heading");
    at(
        fault(PageName.PLAN, TEXT.replace("inputs**: ", "inputs**: {\"a\": 1}")),
        18,
        15,
        "line of its own");
  }

  @Test
  void a_file_that_lacks_its_backbone_is_not_recognised() {
    at(fault(PageName.PLAN, TEXT.substring(0, 10)), 1, 1, "\"## Metadata\" is missing");
    at(fault(PageName.PLAN, TEXT.replace("exec_1_2", "")), 3, 1, "execution_id is missing");
    at(fault(PageName.HISTORY, "# Execution History\n"), 1, 1, "Step Execution Log");
    at(fault(PageName.CONSTRAINTS, "# Execution Constraints\n"), 1, 1, "Behavioral Modifiers");
    for (PageName page : PageName.values()) {
      at(fault(page, ""), 1, 1, "empty");
      at(fault(page, "\n \n"), 1, 1, "empty");
      at(fault(page, "# T\nx\0"), 2, 2, "NUL");
      at(fault(page, "x".repeat(Page.TEXT_BYTES_MAX + 1)), 1, 1, "1 MiB");
    }
  }
}
