package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Dossier;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.state.Executions.View;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The five files say everything that they are to say about an execution, and nothing else. */
@Order(1)
class DossierRoundTripTest {
  private static final int CASES = 2_000;
  private static final Call PERSON = Call.by(Actor.person("ada"), "test");

  @Test
  void files_read_back_give_the_same_dossier_and_are_written_again_byte_for_byte() {
    Seeds.forAll(
        CASES,
        random -> {
          View view = new RandomView(random).view();
          Items items = ViewItems.of(view, List.of("PLANNING"));
          Map<PageName, String> texts = new EnumMap<>(PageName.class);
          Items.Builder read = Items.builder();
          for (PageName page : PageName.values()) {
            String text = Page.write(page, items, null);
            texts.put(page, text);
            read.putAll(Page.read(page, text).items());
          }

          Dossier back = dossier(read.build());

          Dossier was = view.dossier();
          assertThat(back.state().run().goal()).isEqualTo(was.state().run().goal());
          assertThat(back.state().plan()).isEqualTo(was.state().plan());
          assertThat(RandomView.orders(back.state().directives()))
              .isEqualTo(RandomView.orders(was.state().directives()));
          assertThat(back.execution().constraints()).isEqualTo(was.execution().constraints());
          assertThat(back.execution().pages()).isEqualTo(was.execution().pages());
          assertThat(RandomView.facts(back.execution()))
              .isEqualTo(RandomView.facts(was.execution()));
          View again = new View(view.task(), 9, back, view.history());
          Items same = ViewItems.of(again, List.of("PLANNING"));
          for (PageName page : PageName.values()) {
            Items shown =
                same.with("meta/last_updated", String.valueOf(items.get("meta/last_updated")));
            assertThat(Page.write(page, shown, texts.get(page))).isEqualTo(texts.get(page));
          }
        });
  }

  private static Dossier dossier(Items items) {
    Dossier dossier = Dossier.EMPTY;
    Origin origin = new Origin(PERSON.actor(), PERSON.source(), Instant.EPOCH);
    for (Event event : Import.events(items, Map.of(), PERSON)) {
      dossier = dossier.after(event, origin);
    }
    return dossier;
  }
}
