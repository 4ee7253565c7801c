package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.anyActor;
import static dev.mainstay.domain.NotebookSamples.anyDelta;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Notebook.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NotebookPropertyTest {
  private static Notebook merged(Notebook before, NotebookDelta... deltas) {
    Notebook after = before;
    for (NotebookDelta delta : deltas)
      after = new NotebookEvent.Merged(delta).applyTo(after, by(CODER));
    return after;
  }

  /** Any event that the notebook would decide on. */
  private static List<NotebookEvent> anyEvents(Random random, Notebook notebook) {
    Resolution how = Resolution.values()[random.nextInt(3)];
    int items = notebook.texts(how.section()).size();
    return switch (random.nextInt(8)) {
      case 0 -> notebook.save(anyDelta(random));
      case 1, 2 ->
          items == 0 ? List.of() : notebook.resolve(String.valueOf(1 + random.nextInt(items)), how);
      default -> notebook.merge(anyDelta(random));
    };
  }

  /**
   * The document's merge concatenates and then keeps the newest: so which notes are left does not
   * depend on how updates are grouped. The count of dropped notes does in the lists without
   * repeats: a note that was dropped and said again was dropped once, and grouped it never was.
   */
  @Test
  void merging_is_associative_in_what_is_left() {
    Seeds.forAll(
        500,
        random -> {
          NotebookDelta a = anyDelta(random);
          NotebookDelta b = anyDelta(random);
          NotebookDelta c = anyDelta(random);
          assertThat(a.then(b).then(c)).isEqualTo(a.then(b.then(c)));
          Notebook oneByOne = merged(Notebook.EMPTY, a, b, c);
          for (Notebook grouped :
              List.of(
                  merged(Notebook.EMPTY, a.then(b), c),
                  merged(Notebook.EMPTY, a, b.then(c)),
                  merged(Notebook.EMPTY, a.then(b).then(c)))) {
            assertThat(grouped.toBlob()).isEqualTo(oneByOne.toBlob());
            assertThat(grouped.page(Section.HISTORY)).isEqualTo(oneByOne.page(Section.HISTORY));
          }
        });
  }

  @Test
  void the_limits_hold_after_any_events_and_nothing_is_lost_uncounted() {
    Seeds.forAll(
        150,
        random -> {
          Notebook notebook = Notebook.EMPTY;
          long history = 0;
          for (int turn = 0; turn < 25; turn++) {
            NotebookDelta delta = anyDelta(random);
            history += delta.texts(Section.HISTORY).size();
            for (NotebookEvent event : notebook.merge(delta))
              notebook = event.applyTo(notebook, by(anyActor(random)));
            for (Section section : Section.values()) {
              assertThat(notebook.texts(section)).hasSizeLessThanOrEqualTo(section.itemsMax());
              for (String text : notebook.texts(section))
                assertThat(text.length()).isLessThanOrEqualTo(Notebook.NOTE_CHARS_MAX);
              if (section != Section.HISTORY)
                assertThat(notebook.texts(section)).doesNotHaveDuplicates();
            }
            var page = notebook.page(Section.HISTORY);
            assertThat(page.dropped() + page.notes().size()).isEqualTo(history);
          }
        });
  }

  @Test
  void replaying_the_journal_gives_the_same_notebook_with_authors_and_counts() {
    Seeds.forAll(
        300,
        random -> {
          record Entry(JournalEntry.Origin origin, String kind, JsonObject payload) {}
          List<Entry> journal = new ArrayList<>();
          Notebook direct = Notebook.EMPTY;
          for (int turn = 0; turn < 15; turn++) {
            var origin = by(anyActor(random), turn);
            for (NotebookEvent event : anyEvents(random, direct)) {
              direct = event.applyTo(direct, origin);
              journal.add(new Entry(origin, event.kind(), event.payload()));
            }
          }
          Notebook replayed = Notebook.EMPTY;
          for (Entry entry : journal)
            replayed =
                NotebookEvent.read(entry.kind(), entry.payload()).applyTo(replayed, entry.origin());
          assertThat(replayed).isEqualTo(direct);
          assertThat(Notebook.fromJson(direct.toJson())).isEqualTo(direct);
          assertThat(Notebook.fromBlob(direct.toBlob(), by(CODER)).toBlob())
              .isEqualTo(direct.toBlob());
        });
  }

  @Test
  void a_notebook_comes_back_from_an_earlier_one_and_what_is_new_since() {
    Seeds.forAll(
        300,
        random -> {
          Notebook base = Notebook.EMPTY;
          Notebook now = Notebook.EMPTY;
          for (int turn = 0; turn < 20; turn++) {
            var origin = by(anyActor(random), turn);
            for (NotebookEvent event : anyEvents(random, now)) now = event.applyTo(now, origin);
            assertThat(Notebook.fromJson(base, now.toJson(base))).isEqualTo(now);
            assertThat(Notebook.fromJson(now, base.toJson(now))).isEqualTo(base);
            if (random.nextInt(5) == 0) base = now;
          }
        });
  }

  @Test
  void every_event_comes_back_from_its_payload() {
    Seeds.forAll(
        200,
        random -> {
          Notebook notebook = merged(Notebook.EMPTY, anyDelta(random), anyDelta(random));
          for (NotebookEvent event : anyEvents(random, notebook))
            assertThat(NotebookEvent.read(event.kind(), event.payload())).isEqualTo(event);
        });
  }
}
