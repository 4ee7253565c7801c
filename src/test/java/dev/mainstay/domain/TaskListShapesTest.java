package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.ListLine.Kind;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.json.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a list ends, where JSON ends, and which of several lists is the one that is meant. */
class TaskListShapesTest {
  private static List<String> tasks(String text) {
    return TaskListText.parse(text, JsonText::object).tasks().stream()
        .map(OpenTask::description)
        .toList();
  }

  @Test
  void a_block_of_code_ends_a_list_unless_it_is_indented_below_an_item() {
    assertThat(tasks("- a\n```\ncode\n```\n- b\n- c")).containsExactly("b", "c");
    assertThat(tasks("- a\n ~~~\ncode\n~~~\n- b\n- c")).containsExactly("b", "c");
    assertThat(tasks("- a\n  ```\n  code\n  ```\n- b")).containsExactly("a", "b");
  }

  @Test
  void json_amid_a_list_ends_it_and_is_not_a_part_of_its_text() {
    assertThat(tasks("## Plan\n- a\n[\"x\"] and more\n- b\n- c")).containsExactly("a");
    assertThat(tasks("Words.\n[\"x\", \"y\"]\n- b\n- c\n- d")).containsExactly("x", "y");
  }

  @Test
  void two_signs_or_signs_around_a_word_open_no_block() {
    assertThat(tasks("words\n``\n- a\n- b")).containsExactly("a", "b");
    assertThat(tasks("```inline``` words\n- a\n- b")).containsExactly("a", "b");
    assertThat(tasks("```\n- a\n- b")).as("nobody closes it").isEmpty();
    assertThat(tasks("````\n```\n- x\n````\n- a"))
        .as("fewer signs close nothing")
        .containsExactly("a");
    assertThat(tasks("```")).isEmpty();
  }

  @Test
  void json_ends_with_its_own_bracket_and_not_with_one_in_a_text() {
    assertThat(tasks("Now:\n[\"close ] it\", \"open { it\"]\n- a"))
        .containsExactly("close ] it", "open { it");
    assertThat(tasks("Now:\n[\"say \\\"no ]\\\" twice\", \"b\"]\n- a"))
        .containsExactly("say \"no ]\" twice", "b");
    assertThat(tasks("Words.\n{ he said \"go\n- a\n- b")).containsExactly("a", "b");
    assertThat(tasks("Words.\n[\"a\",\n \"b\"]\n")).containsExactly("a", "b");
  }

  @Test
  void what_only_looks_like_json_is_a_line_like_any_other() {
    String other = "- p\n- q\n- r\n\n";
    assertThat(tasks(other + "[Remaining tasks]:\n- a\n")).containsExactly("a");
    assertThat(tasks(other + "{\"note\": 1} remaining tasks:\n- a\n")).containsExactly("a");
  }

  @Test
  void json_is_tried_sixteen_times_and_no_more() {
    String unclosed = "{x\n";
    assertThat(tasks(unclosed.repeat(15) + "[\"a\", \"b\"]")).containsExactly("a", "b");
    assertThat(tasks(unclosed.repeat(16) + "[\"a\", \"b\"]")).isEmpty();
    String block = "```\n{x}\n```\n";
    assertThat(tasks(block.repeat(15) + "```\n[\"a\"]\n```")).containsExactly("a");
    assertThat(tasks(block.repeat(16) + "```\n[\"a\"]\n```")).isEmpty();
  }

  @Test
  void json_that_names_its_tasks_is_the_likeliest_and_a_mere_list_stands_under_its_heading() {
    String json = "```\n{\"tasks\": [\"x\"]}\n```\n";
    String list = "```\n[\"x\", \"y\"]\n```\n";
    assertThat(tasks("## Plan\n- a\n- b\n- c\n\n" + json)).containsExactly("x");
    assertThat(tasks("## Done\n" + json)).containsExactly("x");
    assertThat(tasks("## Plan\n- a\n\n## Notes\n" + list)).containsExactly("a");
    assertThat(tasks("- a\n- b\n- c\n\nWords.\n" + list)).containsExactly("x", "y");
    assertThat(tasks("## Done\n" + list)).isEmpty();
    assertThat(tasks("## Notes\n- [ ] a\n\n## Plan\n" + list)).containsExactly("x", "y");
  }

  @Test
  void the_list_of_an_object_is_three_levels_deep_at_most() {
    assertThat(tasks("{\"plan\":{\"tasks\":{\"steps\":[\"x\"]}}}")).containsExactly("x");
    assertThat(tasks("{\"plan\":{\"tasks\":{\"steps\":{\"todos\":[\"x\"]}}}}")).isEmpty();
    assertThat(tasks("{\"tasks\": {\"note\": 1}, \"plan\": [\"x\"]}")).containsExactly("x");
  }

  @Test
  void text_that_is_not_indented_belongs_to_an_item_only_if_another_follows_at_once() {
    assertThat(tasks("- a\nmore\n- b\n- c")).containsExactly("a more", "b", "c");
    assertThat(tasks("- a\nwords\n\n- b\n- c")).containsExactly("b", "c");
    assertThat(tasks("- a\n\n  more\n- b")).containsExactly("a", "b");
    assertThat(tasks("- a\n\n more\n- b\n- c")).containsExactly("b", "c");
  }

  @Test
  void two_columns_make_a_detail_and_two_fewer_another_list() {
    assertThat(tasks("- a\n  - detail\n- b")).containsExactly("a", "b");
    assertThat(tasks("- a\n - b\n- c")).containsExactly("a", "b", "c");
    assertThat(tasks("  - a\n  - b\n- c")).containsExactly("a", "b");
    assertThat(tasks("  - a\n - b\n  - c")).containsExactly("a", "b", "c");
  }

  @Test
  void a_number_that_begins_anew_is_another_list_and_ones_alone_are_not() {
    assertThat(tasks("1. a\n1. b\n1. c")).containsExactly("a", "b", "c");
    assertThat(tasks("1. a\n2. b\n1. c\n2. d\n3. e")).containsExactly("c", "d", "e");
    assertThat(tasks("- a\n---\n- b\n- c")).as("a rule ends a list").containsExactly("b", "c");
  }

  @Test
  void a_line_is_told_by_its_first_signs() {
    assertThat(ListLine.read("--").kind()).isEqualTo(Kind.TEXT);
    assertThat(ListLine.read("---").kind()).isEqualTo(Kind.RULE);
    assertThat(ListLine.read("- - -").kind()).isEqualTo(Kind.RULE);
    assertThat(ListLine.read("===x").kind()).isEqualTo(Kind.TEXT);
    assertThat(ListLine.read("==").kind()).isEqualTo(Kind.TEXT);
    assertThat(ListLine.read("123456789. a").number()).isEqualTo(123_456_789);
    assertThat(ListLine.read("1234567890. a").kind()).isEqualTo(Kind.TEXT);
    assertThat(ListLine.read("(123456789) a").kind()).isEqualTo(Kind.NUMBERED);
    assertThat(ListLine.read("12").kind()).isEqualTo(Kind.TEXT);
    assertThat(ListLine.read("1.").kind()).isEqualTo(Kind.NUMBERED);
    assertThat(ListLine.read(". a").kind()).isEqualTo(Kind.TEXT);
    String wide = " ".repeat(10);
    assertThat(ListLine.read("[" + wide + "done" + wide.substring(1) + "] a").status())
        .isEqualTo(OpenTask.Status.COMPLETED);
    assertThat(ListLine.read("[" + wide + "done" + wide + "] a").status()).isNull();
  }

  @Test
  void emphasis_goes_only_where_something_is_within() {
    assertThat(ListLine.plain("**a**")).isEqualTo("a");
    assertThat(ListLine.plain("****")).isEqualTo("****");
    assertThat(ListLine.plain("`a`")).isEqualTo("a");
    assertThat(ListLine.plain("*a* and *b*")).isEqualTo("*a* and *b*");
    assertThat(ListLine.plain("__")).isEqualTo("__");
  }
}
