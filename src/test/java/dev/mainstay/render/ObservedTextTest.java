package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Criterion;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.NotebookSamples;
import dev.mainstay.domain.Observed;
import dev.mainstay.domain.ObservedEvent;
import dev.mainstay.domain.ObservedEvent.ConflictSeen;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.domain.RunPhase;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState.Run;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObservedTextTest {
  private static final TaskId ONE = TaskId.of(1);
  private static final TaskId TWO = TaskId.of(2);

  private static Run run(Criterion... criteria) {
    return new Run("ship", List.of(criteria), RunPhase.RUNNING, 1, null);
  }

  private static Observed seen(ObservedEvent... events) {
    Observed observed = Observed.NONE;
    for (var event : events)
      observed = event.applyTo(observed, NotebookSamples.by(NotebookSamples.CODER));
    return observed;
  }

  private static Criterion met(String text, @Nullable String note) {
    var word = new Criterion.Met(NotebookSamples.CODER, NotebookSamples.NOON, note);
    return new Criterion(text, null, word);
  }

  @Test
  void criteria_about_which_nothing_is_known_need_no_lines_of_their_own() {
    assertThat(ObservedText.criteria(run(Criterion.of("a"), Criterion.of("b")))).isEmpty();
  }

  @Test
  void each_criterion_says_how_it_stands_and_whose_word_that_is() {
    assertThat(
            ObservedText.criteria(
                run(
                    met("documented", "see docs"),
                    new Criterion("tested", "make test", null),
                    Criterion.of("y".repeat(90)))))
        .containsExactly(
            "[met] 1. documented - see docs (by agent:coder)",
            "[check] 2. tested - exit code 0 of: make test",
            "[unmet] 3. " + "y".repeat(60) + "...");
  }

  @Test
  void a_criterion_of_sixty_characters_is_whole_and_one_more_is_cut() {
    assertThat(ObservedText.criteria(run(met("y".repeat(60), null), Criterion.of("y".repeat(61)))))
        .containsExactly(
            "[met] 1. " + "y".repeat(60) + " (by agent:coder)",
            "[unmet] 2. " + "y".repeat(60) + "...");
  }

  @Test
  void evidence_says_how_a_command_ended_and_when() {
    var made = new EvidenceSeen("make test", 2, new Tree("w-1", "t"), How.OBSERVED);
    assertThat(ObservedText.evidence(seen(made)))
        .containsExactly("- make test: exit code 2 (observed at 2026-03-01T12:00:00.000000Z)");
  }

  @Test
  void a_conflict_says_what_to_do_in_words_that_a_shell_takes_as_they_are() {
    assertThat(
            ObservedText.conflicts(
                ONE,
                seen(
                    new ConflictSeen("src/App.java", TWO, "a", "b"),
                    new ConflictSeen("it's; rm -rf $HOME", TWO, "a", null),
                    new ConflictSeen("a```;rm x;```", TWO, "a", "b"),
                    new ConflictSeen("-f", TWO, "a", "b"))))
        .containsExactly(
            line("src/App.java", "changed", "src/App.java"),
            line("it's; rm -rf $HOME", "deleted", "'it'\\''s; rm -rf $HOME'"),
            line("a''';rm x;'''", "changed", "'a'\\'''\\'''\\'';rm x;'\\'''\\'''\\'''"),
            line("-f", "changed", "-- -f"));
  }

  private static String line(String path, String how, String word) {
    return "- %s was %s by T-002, too: read it again before you write it, then run: mainstay repo settle T-001 %s"
        .formatted(path, how, word);
  }

  @Test
  void what_gave_way_is_counted() {
    Observed many = Observed.NONE;
    for (int i = 0; i < 18; i++) {
      var event = new ConflictSeen("f" + i, TWO, "a", "b");
      many = event.applyTo(many, NotebookSamples.by(NotebookSamples.CODER));
    }
    assertThat(ObservedText.conflicts(ONE, many)).hasSize(17).endsWith("- (2 older ones left out)");
    for (int i = 0; i < 17; i++) {
      var event = new EvidenceSeen("make " + i, 0, new Tree("w-1", "t"), How.RAN);
      many = event.applyTo(many, NotebookSamples.by(NotebookSamples.CODER));
    }
    assertThat(ObservedText.evidence(many)).hasSize(17).endsWith("- (1 older one left out)");
  }

  @Test
  void no_text_in_it_passes_for_something_else() {
    Seeds.forAll(
        300,
        random -> {
          String hostile = NeutralTest.hostile(random).replaceAll("\\p{Cc}", "");
          String path =
              hostile.replaceAll("[\\p{Cf}\\p{Zl}\\p{Zp}]", "").replaceAll("/+", "/") + "x";
          Run run = run(met(hostile, hostile), new Criterion("c", hostile, null));
          Observed observed =
              seen(
                  new EvidenceSeen(hostile, 0, new Tree("w-1", "t"), How.RAN),
                  new ConflictSeen(path, TWO, "a", "b"));
          String signed = " (by agent:coder)";
          List<String> lines = ObservedText.criteria(run);
          assertThat(lines.get(0)).endsWith(signed);
          NeutralTest.assertHarmless(lines.get(0).replace(signed, ""));
          NeutralTest.assertHarmless(lines.get(1));
          ObservedText.evidence(observed).forEach(NeutralTest::assertHarmless);
          ObservedText.conflicts(ONE, observed).forEach(NeutralTest::assertHarmless);
        });
  }
}
