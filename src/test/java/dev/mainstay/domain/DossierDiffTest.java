package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DossierDiffTest {
  private static final Dossier FULL = new FilledRecord("Run.goal", "Win").of(Dossier.class);

  @Test
  void all_that_a_full_dossier_has_came_to_an_empty_one_and_goes_from_it() {
    DossierDiff come = DossierDiff.between(Dossier.EMPTY, FULL);
    assertThat(come.changes())
        .containsKeys("goal", "criteria", "phase", "directives", "plan", "progress", "scratchpad")
        .containsKeys("blocked_on", "preserved_refs", "recent_actions", "compression_log")
        .containsKeys("evidence", "conflicts", "execution", "constraints", "variables", "context");
    for (Notebook.Section section : Notebook.Section.values()) {
      assertThat(come.changes()).containsKey(section.key());
    }
    DossierDiff gone = DossierDiff.between(FULL, Dossier.EMPTY);
    come.changes()
        .forEach(
            (field, change) -> {
              assertThat(change.come()).as(field).isNotEmpty().noneMatch(String::isBlank);
              assertThat(gone.changes().get(field).gone()).isEqualTo(change.come());
            });
    assertThat(come.changes().get("goal").come()).containsExactly("Win");
    assertThat(come.changes().get("criteria").come())
        .hasSize(2)
        .anyMatch(text -> text.startsWith("[met] "))
        .anyMatch(text -> text.contains(" (check: "));
    assertThat(come.changes().get("directives").come())
        .anyMatch(text -> text.startsWith("[binding] x"))
        .anyMatch(text -> !text.startsWith("[binding]"));
    assertThat(come.toJson().object("goal").texts("come")).containsExactly("Win");
  }

  @Test
  void what_is_the_same_is_no_difference() {
    assertThat(DossierDiff.between(FULL, FULL).changes()).isEmpty();
    assertThat(DossierDiff.between(FULL, FULL).toJson()).isEqualTo(JsonObject.EMPTY);
    Dossier other = new FilledRecord("Run.goal", "Lose").of(Dossier.class);
    assertThat(DossierDiff.between(FULL, other).changes())
        .containsOnlyKeys("goal")
        .containsEntry("goal", new DossierDiff.Change(List.of("Win"), List.of("Lose")));
  }

  @Test
  void a_directive_that_is_not_confirmed_is_not_marked_as_binding() {
    var come = DossierDiff.between(Dossier.EMPTY, FULL.unconfirmed()).changes().get("directives");
    assertThat(come.come())
        .anyMatch(text -> text.startsWith("[not confirmed here] x"))
        .noneMatch(text -> text.startsWith("[binding]"));
  }

  @Test
  void a_run_is_counted_from_where_it_began() {
    Instant noon = Instant.parse("2026-03-01T12:00:00Z");
    Instant later = noon.plusSeconds(60);
    var task = new TaskId("T-001");
    var accepted = new AttemptEvent.Accepted();
    assertThat(RunRecord.after(task, null, accepted, TaskState.Run.NONE, noon)).isNull();
    TaskState.Run run = FULL.state().run();
    RunRecord first = RunRecord.after(task, null, accepted, run, noon);
    assertThat(first)
        .isEqualTo(new RunRecord(task, 1, "Win", run.phase(), new RunRecord.Span(noon, null)));
    RunRecord moved = RunRecord.after(task, first, accepted, run, later);
    assertThat(moved).isEqualTo(first);
    assertThat(RunRecord.isMovedBy(accepted)).isFalse();
  }
}
