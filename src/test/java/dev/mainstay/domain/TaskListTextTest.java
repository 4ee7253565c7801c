package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.RepoState.OpenTask.Status;
import dev.mainstay.domain.TaskListText.Found;
import dev.mainstay.json.JsonText;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskListTextTest {
  private static Found parse(String text) {
    return TaskListText.parse(text, JsonText::object);
  }

  private static List<String> descriptions(String text) {
    return parse(text).tasks().stream().map(OpenTask::description).toList();
  }

  private static List<Status> statuses(String text) {
    return parse(text).tasks().stream().map(OpenTask::status).toList();
  }

  @Test
  void a_text_without_a_list_gives_no_tasks() {
    assertThat(parse("")).isEqualTo(new Found(List.of(), 0));
    assertThat(descriptions("I will write the tests first.\n\nThen I will run them.")).isEmpty();
    assertThat(descriptions("---\n* * *\n___\n===")).isEmpty();
  }

  @Test
  void numbers_are_written_in_three_ways() {
    assertThat(descriptions("1. a\n2. b")).containsExactly("a", "b");
    assertThat(descriptions("1) a\n2) b")).containsExactly("a", "b");
    assertThat(descriptions("(1) a\n(2) b")).containsExactly("a", "b");
    assertThat(descriptions("1.5 is a number\n2.x too\n(3 is not")).isEmpty();
    assertThat(parse("7. a\n8. b").tasks()).extracting(OpenTask::priority).containsExactly(1, 2);
  }

  @Test
  void a_given_priority_is_kept_and_a_missing_one_is_the_place() {
    String text =
        """
        [{"description": "low", "priority": 1}, {"description": "high", "priority": 9},
         {"description": "none"}, {"description": "huge", "priority": 1e12}]""";
    assertThat(parse(text).tasks())
        .extracting(OpenTask::description, OpenTask::priority)
        .containsExactly(tuple("low", 1), tuple("high", 9), tuple("none", 3), tuple("huge", 4));
  }

  @Test
  void bullets_are_any_of_the_usual_signs() {
    assertThat(descriptions("- a\n* b\n+ c\n• d\r\n•e")).containsExactly("a", "b", "c", "d", "e");
    assertThat(descriptions("-a\n*b")).isEmpty();
  }

  @Test
  void check_boxes_say_how_far_a_task_is() {
    String text = "- [ ] a\n- [x] b\n- [X] c\n- [~] d\n- [>] e\n- [] f";
    assertThat(descriptions(text)).containsExactly("a", "b", "c", "d", "e", "f");
    assertThat(statuses(text))
        .containsExactly(
            Status.PENDING,
            Status.COMPLETED,
            Status.COMPLETED,
            Status.IN_PROGRESS,
            Status.IN_PROGRESS,
            Status.PENDING);
    assertThat(statuses("[x] without a bullet\n[ ] as well"))
        .containsExactly(Status.COMPLETED, Status.PENDING);
  }

  @Test
  void words_in_brackets_say_how_far_a_task_is() {
    assertThat(
            statuses(
                "1. [pending] a\n2. [in_progress] b\n3. [In Progress] c\n4. [done] d\n5. [todo] e\n"
                    + "6. [active] f\n7. [failed] g\n8. [skipped] h\n9. [completed] i"))
        .containsExactly(
            Status.PENDING,
            Status.IN_PROGRESS,
            Status.IN_PROGRESS,
            Status.COMPLETED,
            Status.PENDING,
            Status.IN_PROGRESS,
            Status.PENDING,
            Status.COMPLETED,
            Status.COMPLETED);
  }

  @Test
  void other_brackets_belong_to_the_description() {
    assertThat(descriptions("- [API] a\n- [done](http://x) b\n- [done]c\n- [pending] [done] d"))
        .containsExactly("[API] a", "[done](http://x) b", "[done]c", "[done] d");
  }

  @Test
  void the_snapshot_of_a_workspace_gives_its_open_tasks_and_not_its_files() {
    assertThat(
            descriptions(
                """
                --- Repository State ---
                Workspace: /srv/coder-001

                Existing Files (3):
                  • cmd/main.go (a4f3e1, 245 bytes) - go source
                  • go.mod (8d2c47, 89 bytes) - go module
                  • README.md (1b4e9a, 156 bytes) - markdown

                Open Tasks (2):
                  1. [pending] Add unit tests for main package
                  2. [in_progress] Run go build and verify compilation

                Last updated: 2025-10-22 03:15:42 UTC
                """))
        .containsExactly("Add unit tests for main package", "Run go build and verify compilation");
  }

  @Test
  void the_list_under_a_telling_heading_is_taken_before_longer_ones() {
    String other = "Files I looked at:\n- x\n- y\n- z\n\n";
    for (String heading :
        List.of(
            "# Open Tasks", "## Plan", "Remaining:", "**Next steps**", "Plan\n====", "To-do:")) {
      assertThat(descriptions(other + heading + "\n\n1. a\n2. b\n\n" + other))
          .as(heading)
          .containsExactly("a", "b");
    }
    assertThat(descriptions("# Plan\nI looked around.\n- a\n\nNotes follow\n- b\n- c"))
        .containsExactly("a");
  }

  @Test
  void what_is_finished_is_not_an_open_task() {
    assertThat(descriptions("Completed tasks:\n- a\n- b\n\nRemaining tasks:\n- c"))
        .containsExactly("c");
    assertThat(descriptions("## Done\n- a\n- b\n")).isEmpty();
    assertThat(descriptions("This must be done:\n- a")).containsExactly("a");
  }

  @Test
  void without_headings_statuses_then_length_then_the_last_decide() {
    assertThat(descriptions("- a\n- b\n- c\n\ntext\n\n- [ ] d")).containsExactly("d");
    assertThat(descriptions("- a\n- b\n\ntext\n\n- c")).containsExactly("a", "b");
    assertThat(descriptions("- a\n- b\n\ntext\n\n- c\n- d")).containsExactly("c", "d");
    assertThat(descriptions("1. a\n2. b\n1. c\n2. d\n3. e")).containsExactly("c", "d", "e");
  }

  @Test
  void only_the_outermost_level_counts() {
    assertThat(descriptions("1. a\n   - detail\n     - finer\n2. b\n\n   More about b.\n\n3. c"))
        .containsExactly("a", "b", "c");
    assertThat(descriptions("1. a\n- detail\n- detail\n2. b")).containsExactly("a", "b");
    assertThat(descriptions("- a\n\t- detail\n- b\n  Like this:\n  ```\n  - code\n  ```\n- c"))
        .containsExactly("a", "b Like this:", "c");
  }

  @Test
  void wrapped_lines_are_joined() {
    assertThat(descriptions("1. a\n   goes on\n   and on\n2. b"))
        .containsExactly("a goes on and on", "b");
    assertThat(descriptions("- a\ngoes on\n- b\nThat is all.")).containsExactly("a goes on", "b");
    assertThat(descriptions("- **a\n  goes on**\n- b")).containsExactly("a goes on", "b");
  }

  @Test
  void emphasis_is_stripped_only_around_the_whole() {
    assertThat(
            descriptions(
                "- **a b**\n- *c*\n- `d`\n- __`e`__\n- **f** and **g**\n- `h` i\n- [x] **j**"))
        .containsExactly("a b", "c", "d", "e", "**f** and **g**", "`h` i", "j");
  }

  @Test
  void json_is_read_fenced_or_bare() {
    String tasks =
        "{\"tasks\": [\"a\", {\"description\": \"b\", \"status\": \"done\"}, {\"title\": \"c\"}]}";
    for (String text :
        List.of(
            tasks, "```json\n" + tasks + "\n```", "Here:\n\n" + tasks + "\n- x\n- y\n- z\n- w")) {
      assertThat(descriptions(text)).as(text).containsExactly("a", "b", "c");
      assertThat(statuses(text)).containsExactly(Status.PENDING, Status.COMPLETED, Status.PENDING);
    }
    assertThat(descriptions("{\"plan\": {\"steps\": [{\"step\": \"a\"}]}}")).containsExactly("a");
    assertThat(descriptions("{\"todos\": [{\"content\": \"a\"}]}")).containsExactly("a");
    assertThat(descriptions("~~~\n[\n  \"a\",\n  \"b\"\n]\n~~~")).containsExactly("a", "b");
    assertThat(descriptions("[{\"label\": \"a\", \"status\": \"active\"}]")).containsExactly("a");
  }

  @Test
  void what_is_not_json_or_holds_no_tasks_is_passed_over() {
    assertThat(descriptions("```json\n{\"tasks\": [\"a\",]}\n```\n- b")).containsExactly("b");
    assertThat(descriptions("{\"files\": [\"a\"]}\n- b")).containsExactly("b");
    assertThat(descriptions("[1, 2]\n- b")).containsExactly("b");
    assertThat(descriptions("{ not JSON\n- b")).containsExactly("b");
  }

  @Test
  void code_is_not_searched_for_lists() {
    assertThat(descriptions("```yaml\n- a\n- b\n```\n")).isEmpty();
    assertThat(descriptions("````\n```\n- a\n````\n- b")).containsExactly("b");
    assertThat(descriptions("- b\n\n```sh\n- a\n- never closed")).containsExactly("b");
    assertThat(descriptions("```inline``` code\n- b")).containsExactly("b");
  }

  @Test
  void what_is_beyond_the_limit_is_counted() {
    String list =
        IntStream.rangeClosed(1, 230)
            .mapToObj(i -> i + ". task " + i)
            .collect(Collectors.joining("\n"));
    Found found = parse(list);
    assertThat(found.tasks()).hasSize(RepoState.OPEN_TASKS_MAX);
    assertThat(found.dropped()).isEqualTo(30);
    assertThat(found.tasks().get(199).description()).isEqualTo("task 200");
  }

  @Test
  void what_is_behind_the_limit_of_the_text_is_not_read() {
    String text = "- a\n\n" + "x".repeat(TaskListText.TEXT_CHARS_MAX) + "\n\n- b\n- c";
    assertThat(descriptions(text)).containsExactly("a");
  }

  @Test
  void a_long_description_is_cut() {
    assertThat(descriptions("- " + "x".repeat(255) + "👩‍👧")).containsExactly("x".repeat(255));
    assertThat(descriptions("- " + "x".repeat(255) + " y")).containsExactly("x".repeat(255));
  }
}
