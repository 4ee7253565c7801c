package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.TESTER;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Notebook.Page;
import dev.mainstay.domain.Notebook.Section;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NotebookTest {
  private static Notebook merged(Notebook before, Actor actor, NotebookDelta delta) {
    Notebook after = before;
    for (var event : before.merge(delta)) after = event.applyTo(after, by(actor));
    return after;
  }

  private static Notebook with(Section section, String... texts) {
    return merged(Notebook.EMPTY, CODER, NotebookDelta.of(section, texts));
  }

  private static Notebook resolved(Notebook before, String item, Resolution how) {
    return before.resolve(item, how).get(0).applyTo(before, by(TESTER));
  }

  @Test
  void a_merge_puts_new_items_after_old_ones() {
    var notebook = merged(with(Section.GOALS, "a"), CODER, NotebookDelta.of(Section.GOALS, "b"));
    assertThat(notebook.texts(Section.GOALS)).containsExactly("a", "b");
  }

  @Test
  void the_next_focus_is_replaced_only_by_one_that_says_something() {
    var notebook = with(Section.NEXT_FOCUS, "first");
    notebook = merged(notebook, CODER, NotebookDelta.of(Section.NEXT_FOCUS, "  "));
    assertThat(notebook.texts(Section.NEXT_FOCUS)).containsExactly("first");
    notebook = merged(notebook, CODER, NotebookDelta.of(Section.NEXT_FOCUS, "second"));
    assertThat(notebook.texts(Section.NEXT_FOCUS)).containsExactly("second");
    assertThat(notebook.page(Section.NEXT_FOCUS).dropped()).isZero();
  }

  @Test
  void merging_is_also_a_pure_function() {
    Notebook mine = Notebook.EMPTY.merged(NotebookDelta.of(Section.GOALS, "a"), by(CODER));
    mine = mine.merged(NotebookDelta.of(Section.NEXT_FOCUS, "first"), by(CODER));
    Notebook theirs =
        Notebook.EMPTY
            .merged(NotebookDelta.of(Section.GOALS, "b", "a"), by(TESTER))
            .merged(NotebookDelta.of(Section.HISTORY, "1", "2", "3", "4"), by(TESTER));
    Notebook both = mine.merged(theirs);
    assertThat(both.texts(Section.GOALS)).containsExactly("b", "a");
    assertThat(both.page(Section.GOALS).notes().get(1).author()).isEqualTo(CODER);
    assertThat(both.texts(Section.HISTORY)).containsExactly("2", "3", "4");
    assertThat(both.page(Section.HISTORY).dropped()).isEqualTo(1);
    assertThat(both.texts(Section.NEXT_FOCUS)).containsExactly("first");
    var focus = NotebookDelta.of(Section.NEXT_FOCUS, "second");
    assertThat(both.merged(Notebook.EMPTY.merged(focus, by(ADA))).texts(Section.NEXT_FOCUS))
        .containsExactly("second");
    assertThat(mine.texts(Section.GOALS)).containsExactly("a");
  }

  @Test
  void an_update_that_says_nothing_is_no_event() {
    assertThat(Notebook.EMPTY.merge(NotebookDelta.EMPTY)).isEmpty();
    assertThat(Notebook.EMPTY.merge(NotebookDelta.of(Section.GOALS, "", " \n"))).isEmpty();
  }

  @Test
  void history_keeps_the_newest_three_with_repeats_and_counts_the_others() {
    var notebook = with(Section.HISTORY, "a", "b", "c", "c", "d");
    assertThat(notebook.page(Section.HISTORY).texts()).containsExactly("c", "c", "d");
    assertThat(notebook.page(Section.HISTORY).dropped()).isEqualTo(2);
  }

  @Test
  void an_exact_duplicate_is_kept_once_at_the_newest_place() {
    var notebook = with(Section.DECISIONS, "a", "b", "a");
    assertThat(notebook.texts(Section.DECISIONS)).containsExactly("b", "a");
    assertThat(notebook.page(Section.DECISIONS).dropped()).isZero();
  }

  @Test
  void other_lists_keep_fifty_and_count_the_others() {
    String[] many = new String[53];
    Arrays.setAll(many, i -> "goal " + i);
    Page page = with(Section.GOALS, many).page(Section.GOALS);
    assertThat(page.texts()).hasSize(50).startsWith("goal 3").endsWith("goal 52");
    assertThat(page.dropped()).isEqualTo(3);
  }

  @Test
  void a_long_text_is_cut_at_a_visible_character_and_counted() {
    var page =
        with(Section.GOALS, "x".repeat(300), "y".repeat(255) + "e\u0301").page(Section.GOALS);
    assertThat(page.texts()).containsExactly("x".repeat(256), "y".repeat(255));
    assertThat(page.shortened()).isEqualTo(2);
    var event =
        (NotebookEvent.Merged)
            Notebook.EMPTY.merge(NotebookDelta.of(Section.GOALS, "z".repeat(999))).get(0);
    assertThat(event.payload().texts("goals")).containsExactly("z".repeat(999));
  }

  @Test
  void a_note_belongs_to_who_said_it_first_unless_a_person_repeats_it() {
    var notebook = with(Section.CONSTRAINTS, "no new dependency");
    var again = NotebookDelta.of(Section.CONSTRAINTS, "no new dependency");
    notebook = merged(notebook, TESTER, again);
    assertThat(notebook.page(Section.CONSTRAINTS).notes().get(0).author()).isEqualTo(CODER);
    notebook = merged(notebook, ADA, again);
    assertThat(notebook.page(Section.CONSTRAINTS).notes().get(0).author()).isEqualTo(ADA);
    notebook = merged(notebook, CODER, again);
    assertThat(notebook.page(Section.CONSTRAINTS).notes().get(0).author()).isEqualTo(ADA);
  }

  @Test
  void saving_replaces_everything_within_the_limits_and_keeps_authors() {
    var notebook =
        merged(with(Section.GOALS, "a", "b"), ADA, NotebookDelta.of(Section.HISTORY, "h"));
    var whole =
        new NotebookDelta(
            Map.of(Section.GOALS, List.of("b", "c"), Section.HISTORY, List.of("1", "2", "3", "4")));
    for (var event : notebook.save(whole)) notebook = event.applyTo(notebook, by(TESTER));
    assertThat(notebook.texts(Section.GOALS)).containsExactly("b", "c");
    assertThat(notebook.page(Section.GOALS).notes())
        .extracting(Note::author)
        .containsExactly(CODER, TESTER);
    assertThat(notebook.texts(Section.HISTORY)).containsExactly("2", "3", "4");
    assertThat(notebook.page(Section.HISTORY).dropped()).isEqualTo(1);
  }

  @Test
  void a_settled_issue_is_open_no_more() {
    var notebook = with(Section.OPEN_ISSUES, "slow", "flaky", "2");
    assertThat(resolved(notebook, "slow", Resolution.SETTLED).texts(Section.OPEN_ISSUES))
        .containsExactly("flaky", "2");
    assertThat(resolved(notebook, "1", Resolution.SETTLED).texts(Section.OPEN_ISSUES))
        .containsExactly("flaky", "2");
    // The exact text goes before the number.
    assertThat(resolved(notebook, "2", Resolution.SETTLED).texts(Section.OPEN_ISSUES))
        .containsExactly("slow", "flaky");
  }

  @Test
  void a_hypothesis_becomes_a_decision_of_whoever_decided_it() {
    var notebook = with(Section.HYPOTHESES, "the cache is stale", "the disk is slow");
    notebook = resolved(notebook, "1", Resolution.CONFIRMED);
    notebook = resolved(notebook, "the disk is slow", Resolution.REFUTED);
    assertThat(notebook.texts(Section.HYPOTHESES)).isEmpty();
    assertThat(notebook.texts(Section.DECISIONS))
        .containsExactly("the cache is stale", "refuted: the disk is slow");
    assertThat(notebook.page(Section.DECISIONS).notes())
        .extracting(Note::author)
        .containsOnly(TESTER);
  }

  @Test
  void a_note_that_is_not_there_is_answered_with_those_that_are() {
    var notebook = with(Section.OPEN_ISSUES, "slow", "flaky");
    assertThatThrownBy(() -> notebook.resolve("3", Resolution.SETTLED))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.NOT_FOUND))
        .hasMessageContaining("1. \"slow\", 2. \"flaky\"");
    assertThatThrownBy(() -> notebook.resolve("slow", Resolution.CONFIRMED))
        .hasMessageContaining("no hypothesis")
        .hasMessageContaining("there are none");
    assertThatThrownBy(() -> notebook.resolve("0", Resolution.SETTLED)).isInstanceOf(Refusal.class);
  }

  @Test
  void the_blob_holds_exactly_the_seven_fields_with_plain_texts() {
    assertThat(Notebook.EMPTY.toBlob().asMap())
        .containsOnlyKeys(
            "goals",
            "constraints",
            "decisions",
            "hypotheses",
            "history",
            "open_issues",
            "next_focus")
        .containsEntry("goals", List.of())
        .containsEntry("next_focus", "");
    var blob =
        merged(with(Section.GOALS, "a"), ADA, NotebookDelta.of(Section.NEXT_FOCUS, "f")).toBlob();
    assertThat(blob.texts("goals")).containsExactly("a");
    assertThat(blob.text("next_focus")).isEqualTo("f");
    assertThat(Notebook.fromBlob(blob, by(ADA)).toBlob()).isEqualTo(blob);
  }

  @Test
  void a_blob_is_read_whatever_shape_its_fields_have() {
    var map = new java.util.HashMap<String, Object>();
    map.put("goals", "one");
    map.put("constraints", null);
    map.put("decisions", Arrays.asList(5L, true, null, new BigDecimal("1.50")));
    map.put("next_focus", 7L);
    map.put("somebody_elses", "field");
    var notebook = Notebook.fromBlob(JsonObject.copyOf(map), by(ADA));
    assertThat(notebook.texts(Section.GOALS)).containsExactly("one");
    assertThat(notebook.texts(Section.CONSTRAINTS)).isEmpty();
    assertThat(notebook.texts(Section.DECISIONS)).containsExactly("5", "true", "1.50");
    assertThat(notebook.texts(Section.NEXT_FOCUS)).containsExactly("7");
    assertThat(Notebook.fromBlob(JsonObject.EMPTY, by(ADA))).isEqualTo(Notebook.EMPTY);
  }

  @Test
  void an_unknown_field_of_an_update_is_refused_with_the_nearest_known_one() {
    assertThatThrownBy(() -> NotebookDelta.fromJson(JsonObject.of("goal", "a")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("did you mean \"goals\"?")
        .hasMessageContaining("next_focus");
  }

  @Test
  void what_is_no_text_is_refused_by_its_field() {
    assertThatThrownBy(() -> NotebookDelta.fromJson(JsonObject.of("goals", List.of(List.of("a")))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("goals");
    assertThatThrownBy(() -> NotebookDelta.fromJson(JsonObject.of("next_focus", List.of("a", "b"))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("next_focus");
    assertThatThrownBy(() -> NotebookDelta.of(Section.GOALS, "a\uD800"))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> NotebookDelta.of(Section.GOALS, "a\u0000"))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void what_the_limits_do_to_an_update_is_said() {
    TaskId task = TaskId.of(1);
    assertThat(NotebookDelta.of(Section.GOALS, "a".repeat(256)).cuts(task)).isEmpty();
    assertThat(NotebookDelta.of(Section.GOALS, "a".repeat(257)).cuts(task))
        .containsExactly(
            "1 text was cut to 256 characters; 'mainstay state history T-001' shows all of it");
    assertThat(NotebookDelta.of(Section.HISTORY, "a", "b", "c").cuts(task)).isEmpty();
    assertThat(NotebookDelta.of(Section.HISTORY, "a", "b", "c", "d").cuts(task))
        .containsExactly(
            "of 4 texts in history the newest 3 are kept; 'mainstay state history T-001' shows all of them");
  }

  @Test
  void an_update_out_of_all_proportion_is_refused() {
    String[] many = new String[1_001];
    Arrays.fill(many, "a");
    assertThatThrownBy(() -> NotebookDelta.of(Section.GOALS, many)).isInstanceOf(Refusal.class);
    assertThatThrownBy(
            () -> NotebookDelta.of(Section.GOALS, "a".repeat(40_000), "b".repeat(40_000)))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.TOO_LARGE));
  }

  @Test
  void a_notebook_over_its_limits_cannot_exist() {
    var note = new Note("a", by(ADA));
    assertThatThrownBy(
            () -> new Notebook(Map.of(Section.GOALS, new Page(List.of(note, note), 0, 0))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(
            () ->
                new Notebook(
                    Map.of(Section.HISTORY, new Page(List.of(note, note, note, note), 0, 0))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Note("x".repeat(257), by(ADA)))
        .isInstanceOf(IllegalStateException.class);
  }
}
