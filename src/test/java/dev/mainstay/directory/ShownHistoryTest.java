package dev.mainstay.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Execution;
import dev.mainstay.domain.Plan;
import dev.mainstay.domain.Spent;
import dev.mainstay.domain.StepRecord;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.state.Executions.View;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However much was done, history.md is a file that can be read again. */
class ShownHistoryTest {
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678901Z");
  private static final Spent MUCH =
      new Spent(new BigDecimal("12345.6789"), new BigDecimal("98765.432"), 0, 0);

  private static StepRecord record(String unit, int chars, Field... fields) {
    Map<Field, String> texts = new EnumMap<>(Field.class);
    String text = "x" + unit.repeat(Math.max(0, (chars - 2) / unit.length())) + "x";
    for (Field field : fields) texts.put(field, text);
    return new StepRecord(Plan.STEPS_MAX, AT, true, MUCH, texts);
  }

  private static Items items(List<StepRecord> history) {
    Random random = new Random(1);
    View view = new RandomView(random).view();
    // Only an execution has training data, which names the tools once more.
    while (view.execution().head().identity().isSimulation()) view = new RandomView(random).view();
    View full = new View(view.task(), view.number(), view.dossier(), history);
    return ViewItems.of(full, List.of("PLANNING"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "\u65E5",
        "\uD83D\uDE00",
        "\u0001",
        "\"",
        "a\n",
        "\n\n",
        "\u2028",
        "- **notes**: b\n"
      })
  void as_many_and_as_long_entries_as_there_may_be_make_a_file_that_can_be_read(String unit) {
    StepRecord largest = record(unit, StepRecord.FIELD_CHARS_MAX, Field.values());
    List<StepRecord> history = new ArrayList<>();
    for (int n = 0; n < Execution.RECORDS_MAX; n++) history.add(largest);
    Items items = items(history);
    String text = Page.write(PageName.HISTORY, items, null);
    assertThat(text.getBytes(StandardCharsets.UTF_8).length).isLessThan(Page.TEXT_BYTES_MAX);
    Items read = Page.read(PageName.HISTORY, text).items();
    assertThat(read).isEqualTo(items.of(PageName.HISTORY));
    assertThat(Page.write(PageName.HISTORY, items, text)).isEqualTo(text);
  }

  @Test
  void the_oldest_are_shortened_first_and_no_more_of_them_than_must_be() {
    List<StepRecord> history = new ArrayList<>();
    for (int n = 0; n < 57; n++) history.add(record("a", 19_000, Field.REAL_OUTPUTS));
    List<StepRecord> shown = ShownHistory.of(history);
    long whole = shown.stream().filter(history::contains).count();
    assertThat(whole).isEqualTo(20);
    assertThat(shown.subList(37, 57)).isEqualTo(history.subList(37, 57));
    assertThat(shown.get(0).text(Field.REAL_OUTPUTS))
        .isEqualTo(
            "x"
                + "a".repeat(199)
                + " ... (shortened; 'mainstay exec export --trace' has it whole)");
  }

  @Test
  void what_fits_is_shown_whole() {
    List<StepRecord> history = new ArrayList<>();
    for (int n = 0; n < 20; n++) history.add(record("a", 19_000, Field.REAL_OUTPUTS));
    assertThat(ShownHistory.of(history)).isEqualTo(history);
  }

  @Test
  void a_step_that_failed_is_shown_as_failed_however_short() {
    Seeds.forAll(
        5,
        random -> {
          List<StepRecord> history = new ArrayList<>();
          for (int n = 0; n < Execution.RECORDS_MAX; n++) {
            Field other = random.nextBoolean() ? Field.ERRORS : Field.NOTES;
            int chars = 2 + random.nextInt(3_000);
            history.add(record("\u65E5", chars, Field.REAL_INPUTS, Field.REAL_OUTPUTS, other));
          }
          List<StepRecord> shown = ShownHistory.of(history);
          assertThat(shown.stream().map(StepRecord::failed).toList())
              .isEqualTo(history.stream().map(StepRecord::failed).toList());
          assertThat(ShownHistory.of(history)).isEqualTo(shown);
        });
  }
}
