package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import org.commonmark.testutil.TestResources;
import org.commonmark.testutil.example.Example;
import org.commonmark.testutil.example.ExampleReader;
import org.junit.jupiter.api.Test;

/** CommonMark's own examples as free text of a person. */
class SpecExamplesTest {
  private static final int EXAMPLES = 652;

  private static List<Example> examples() {
    List<Example> examples = ExampleReader.readExamples(TestResources.getSpec());
    assertThat(examples).hasSize(EXAMPLES);
    return examples;
  }

  @Test
  void every_example_in_a_passage_comes_back_byte_for_byte() {
    for (Example example : examples()) {
      String body = example.getSource();
      String text = "# Execution Context: tea\n\n## First\nold words\n\n## Second\n" + body;
      assertThat("# Execution Context: tea\n" + joined(Page.read(PageName.CONTEXT, text).items()))
          .isEqualTo(text);
      for (String each : List.of(text, text.replace("\n", "\r\n"), "\uFEFF" + text)) {
        Items items = Page.read(PageName.CONTEXT, each).items();
        assertThat(Page.write(PageName.CONTEXT, items, each)).isEqualTo(each);
        String other = items.text("passage/## First#0") + "new words\n\n";
        Items changed = items.with("passage/## First#0", other);
        String expected =
            each.replaceFirst("(?s)(old words.*?)## Second", "$1new words\n\n## Second");
        assertThat(Page.write(PageName.CONTEXT, changed, each)).isEqualTo(expected);
      }
    }
  }

  /** Headings and bodies one behind the other. */
  private static String joined(Items items) {
    StringBuilder out = new StringBuilder();
    for (String id : items.texts("passages")) {
      String body = items.text("passage/" + id);
      String heading = Items.unpart(id.substring(0, id.lastIndexOf('#')));
      out.append(heading).append(heading.isEmpty() ? "" : "\n").append(body);
    }
    return out.toString();
  }

  @Test
  void every_example_behind_the_plan_comes_back_and_survives_a_new_step() {
    Items plan =
        Items.EMPTY
            .with("meta/execution_id", "exec_1_2")
            .with("steps", List.of("boil#0"))
            .with("step/boil#0/status", "PENDING");
    String own = Page.write(PageName.PLAN, plan, null);
    for (Example example : examples()) {
      String text = own + "\n## Scribbles\n" + example.getSource();
      assertThat(Page.read(PageName.PLAN, text).items()).as(text).isEqualTo(plan);
      assertThat(Page.write(PageName.PLAN, plan, text)).isEqualTo(text);
      Items more = plan.with("steps", List.of("boil#0", "pour#0")).with("step/pour#0/note", "hot");
      String longer = Page.write(PageName.PLAN, more, text);
      assertThat(longer).endsWith("\n## Scribbles\n" + example.getSource());
      assertThat(Page.read(PageName.PLAN, longer).items()).isEqualTo(more);
    }
  }

  @Test
  void every_example_behind_the_history_leaves_room_for_a_new_entry() {
    Items one =
        Items.EMPTY
            .with("entries", 1)
            .with("entry/1", JsonObject.of("step", 1, "at", "t", "notes", "n"));
    Items two = one.with("entries", 2).with("entry/2", one.get("entry/1"));
    Items trained = two.with("training/tool_calls", "all of them");
    String own = Page.write(PageName.HISTORY, one, null);
    for (Example example : examples()) {
      String text = own + "\n" + example.getSource();
      // Under an entry an example may be one of its fields' further lines.
      if (!Page.read(PageName.HISTORY, text).items().equals(one)) continue;
      String longer = Page.write(PageName.HISTORY, trained, text);
      assertThat(Page.read(PageName.HISTORY, longer).items()).as(longer).isEqualTo(trained);
      assertThat(longer.lines()).containsSubsequence(example.getSource().lines().toList());
    }
  }
}
