package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.DossierEvent.CheckpointSaved;
import dev.mainstay.domain.DossierEvent.EvidenceWaived;
import dev.mainstay.domain.DossierEvent.Forked;
import dev.mainstay.domain.DossierEvent.Restored;
import dev.mainstay.domain.Evidence.How;
import dev.mainstay.domain.Evidence.Tree;
import dev.mainstay.domain.ObservedEvent.EvidenceSeen;
import dev.mainstay.json.JsonText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DossierEventTest {
  private static final Dossier FULL = new FilledRecord("", "").of(Dossier.class);
  private static final TaskId ONE = TaskId.of(1);

  private static final Map<String, DossierEvent> EVENTS =
      Map.of(
          "checkpoint.saved", new CheckpointSaved("before the refactoring"),
          "evidence.waived", new EvidenceWaived(List.of("tests", "./check.sh"), "no network"),
          "dossier.restored", new Restored("one", 7, FULL),
          "dossier.forked", new Forked(ONE, 7, FULL));

  private static Dossier seen() {
    var seen = new EvidenceSeen("make", 0, new Tree("w-1", "t"), How.RAN);
    return Dossier.EMPTY.after(seen, by(ADA));
  }

  @Test
  void every_event_comes_back_from_its_kind_and_its_payload() {
    assertThat(EVENTS).hasSameSizeAs(DossierEvent.READERS);
    EVENTS.forEach(
        (kind, event) -> {
          assertThat(event.kind()).isEqualTo(kind);
          JsonObject kept = JsonText.object(JsonText.write(event.payload()));
          assertThat(DossierEvent.read(kind, kept)).isEqualTo(event);
          assertThat(Dossier.read(kind, kept)).isEqualTo(event);
          assertThat(Dossier.isAbout(kind)).isTrue();
        });
    assertThatThrownBy(() -> DossierEvent.read("dossier.burnt", JsonObject.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("dossier.burnt");
  }

  @Test
  void what_each_event_says_is_plain_to_read() {
    assertThat(new CheckpointSaved(" one ").payload()).isEqualTo(JsonObject.of("name", "one"));
    assertThat(new EvidenceWaived(List.of("tests"), "no network").payload())
        .isEqualTo(JsonObject.of("requires", List.of("tests"), "reason", "no network"));
    assertThat(new Restored("one", 7, Dossier.EMPTY).payload())
        .isEqualTo(JsonObject.of("place", "one", "number", 7, "dossier", Dossier.EMPTY.toJson()));
    assertThat(new Forked(ONE, 7, Dossier.EMPTY).payload())
        .isEqualTo(JsonObject.of("from", "T-001", "number", 7, "dossier", Dossier.EMPTY.toJson()));
  }

  @Test
  void a_name_and_a_waiver_change_nothing_that_is_known() {
    assertThat(new CheckpointSaved("one").applyTo(FULL)).isSameAs(FULL);
    assertThat(new EvidenceWaived(List.of(), "no network").applyTo(FULL)).isSameAs(FULL);
    assertThat(FULL.after(new CheckpointSaved("one"), by(ADA))).isEqualTo(FULL);
    assertThat(FULL.mark("one")).containsExactly(new CheckpointSaved("one"));
    assertThatThrownBy(() -> FULL.mark("now")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new EvidenceWaived(List.of(), " ")).isInstanceOf(Refusal.class);
  }

  @Test
  void going_back_keeps_what_was_observed_and_a_fork_begins_without() {
    Restored restored = new Restored("one", 7, FULL);
    assertThat(restored.dossier().observed()).isEqualTo(Observed.NONE);
    Dossier back = restored.applyTo(seen());
    assertThat(back.observed()).isEqualTo(seen().observed());
    assertThat(back.state()).isEqualTo(FULL.state());
    assertThat(back.notebook()).isEqualTo(FULL.notebook());
    assertThat(new Forked(ONE, 7, FULL).applyTo(seen())).isSameAs(FULL);
  }

  @Test
  void a_dossier_knows_the_kinds_of_all_its_parts_and_no_other() {
    assertThat(Dossier.kinds())
        .containsAll(NotebookEvent.READERS.keySet())
        .containsAll(TaskStateEvent.READERS.keySet())
        .containsAll(ObservedEvent.READERS.keySet())
        .containsAll(ExecutionEvent.READERS.keySet())
        .containsAll(DossierEvent.READERS.keySet())
        .allMatch(Dossier::isAbout)
        .doesNotContain("task.created");
    assertThat(Dossier.isAbout("task.created")).isFalse();
    assertThatThrownBy(() -> Dossier.read("task.created", JsonObject.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
    Event stranger = new FlowEvent.Removed();
    assertThatThrownBy(() -> Dossier.EMPTY.after(stranger, by(ADA)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("flow.removed");
  }

  @Test
  void an_entry_of_any_part_is_read_by_that_part() {
    Event merged =
        new NotebookEvent.Merged(
            new NotebookDelta(Map.of(Notebook.Section.GOALS, List.of("ship"))));
    Event acted = new TaskStateEvent.ActionsNoted("Read");
    Event seen = new EvidenceSeen("make", 0, new Tree("w-1", "t"), How.RAN);
    Event told = new ExecutionEvent.ToolsSeen(Spent.NOTHING, "Read");
    for (Event event : List.of(merged, acted, seen, told)) {
      assertThat(Dossier.read(event.kind(), event.payload())).isEqualTo(event);
    }
    Dossier noted = Dossier.EMPTY.after(merged, by(ADA));
    assertThat(noted.notebook().texts(Notebook.Section.GOALS)).containsExactly("ship");
    assertThat(noted.state()).isEqualTo(TaskState.NONE);
  }
}
