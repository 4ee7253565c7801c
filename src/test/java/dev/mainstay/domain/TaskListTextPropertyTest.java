package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mainstay.CpuTime;
import dev.mainstay.Seeds;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.TaskListText.Found;
import dev.mainstay.json.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What must hold for every text, whoever wrote it. */
class TaskListTextPropertyTest {
  private static final int HOSTILE_CHARS = 1_000_000;

  /** A reader whose time grows with the square of the text needs hours, ours a moment. */
  private static final Duration HANG = Duration.ofMinutes(2);

  private static final List<String> PIECES =
      List.of(
          "- ",
          "* ",
          "1. ",
          "(2) ",
          "[x] ",
          "[pending] ",
          "[",
          "]",
          "{",
          "}",
          "\"tasks\"",
          ":",
          ",",
          "\"",
          "\\",
          "```",
          "```json\n",
          "~~~",
          "\n",
          "\n\n",
          "\r",
          "  ",
          "\t",
          "# Plan\n",
          "Done:\n",
          "**",
          "`",
          "_",
          "---",
          "word",
          "é",
          "👩‍👧",
          "\u0000",
          "\ud83d",
          "\u0301",
          "\u2028",
          "Open Tasks:");

  /** What a description may hold; statuses, markers and emphasis within it stay what they are. */
  private static final List<String> WORDS =
      List.of(
          "add",
          "tests",
          "[done]",
          "[x]",
          "-",
          "2.",
          "**bold**",
          "`code`",
          "_",
          "{\"tasks\":[]}",
          "é",
          "日本語",
          "👩‍👧",
          "#",
          "```",
          "Plan:",
          "(3)",
          "\u2003",
          "•",
          "a  b",
          "|",
          "<b>",
          "\\");

  private static Found parse(String text) {
    return TaskListText.parse(text, JsonText::object);
  }

  @Test
  void no_text_makes_it_throw_or_exceed_a_limit() {
    Seeds.forAll(
        5_000,
        random -> {
          StringBuilder text = new StringBuilder();
          for (int i = random.nextInt(80); i > 0; i--) text.append(one(PIECES, random));
          Found found = parse(text.toString());
          assertThat(found.tasks()).hasSizeLessThanOrEqualTo(RepoState.OPEN_TASKS_MAX);
          for (int i = 0; i < found.tasks().size(); i++) {
            assertThat(found.tasks().get(i).priority()).isEqualTo(i + 1);
          }
        });
  }

  @Test
  void any_characters_at_all_are_read_without_a_throw() {
    Seeds.forAll(
        1_000,
        random -> {
          char[] chars = new char[random.nextInt(200)];
          for (int i = 0; i < chars.length; i++) chars[i] = (char) random.nextInt(0x10000);
          assertThatCode(() -> parse("- " + new String(chars))).doesNotThrowAnyException();
        });
  }

  @Test
  void the_list_of_a_snapshot_is_read_back_as_it_was() {
    Seeds.forAll(
        500,
        random -> {
          List<OpenTask> tasks = new ArrayList<>();
          for (int i = 1 + random.nextInt(RepoState.OPEN_TASKS_MAX); i > 0; i--) {
            OpenTask.Status[] all = OpenTask.Status.values();
            OpenTask.Status status = all[random.nextInt(all.length)];
            tasks.add(new OpenTask(description(random), status, tasks.size() + 1));
          }
          assertThat(parse(format(tasks))).isEqualTo(new Found(tasks, 0));
        });
  }

  private static String description(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) text.append(one(WORDS, random)).append(' ');
    // The last word keeps emphasis from going around the whole.
    return text.append("end").append(random.nextInt(100)).toString();
  }

  private static String format(List<OpenTask> tasks) {
    StringBuilder text = new StringBuilder("Open Tasks (" + tasks.size() + "):\n");
    for (OpenTask task : tasks) {
      text.append(
          "  %d. [%s] %s\n".formatted(task.priority(), task.status().typed(), task.description()));
    }
    return text + "\nLast updated: 2026-01-01 00:00:00 UTC\n";
  }

  private static String one(List<String> pieces, Random random) {
    return pieces.get(random.nextInt(pieces.size()));
  }

  @Tag("long")
  @Test
  void a_million_hostile_characters_are_read_at_once() throws InterruptedException {
    for (String piece :
        List.of(
            "[",
            "[\n",
            "{\n",
            "{\"",
            "[\"a\",\n",
            " ",
            "\t",
            "\n",
            "\r",
            "*",
            "**",
            "`",
            "```\n",
            "`` ` ",
            "- \n",
            "- a\n",
            "1",
            "1. \n",
            "- [",
            "[ ] ",
            "_ ",
            "-",
            "- - ",
            "#",
            ":\n",
            "a\n",
            "- a\nb\n",
            "\u0301",
            "👩‍👧",
            "\ud800",
            "\\",
            "**a** ",
            "(1) a\n  - b\n")) {
      String text = piece.repeat(HOSTILE_CHARS / piece.length());
      for (String begin : List.of("", "- **")) {
        CpuTime.within(HANG, begin + piece, () -> parse(begin + text));
      }
    }
  }
}
