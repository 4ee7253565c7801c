package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.WorkflowEvent.Change;
import dev.mainstay.domain.WorkflowEvent.Moved;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A long way of the tokens is several entries, none of them longer than an entry may be. */
class WorkflowPartsTest {
  private static final JsonObject ENDING = JsonObject.of("well", true);
  private static final int NEVER_FULL = 1_000_000;

  private static JsonObject trace(int number) {
    return JsonObject.of("node", "n" + (1_000 + number));
  }

  private static Moved moved(int traces) {
    List<JsonObject> all = new ArrayList<>();
    for (int i = 0; i < traces; i++) all.add(trace(i));
    return new Moved(
            JsonObject.of("what", "due"),
            all,
            new Change<>(List.of(JsonObject.of("id", "token-2")), List.of("token-1")),
            new Change<>(JsonObject.of("v", 1), List.of("w")),
            JsonObject.of("numbered", 2))
        .ending(ENDING);
  }

  private static int chars(JsonObject json) {
    return CompactJson.of(json).length() + 1;
  }

  private static int bare(Moved moved) {
    return chars(
        new Moved(moved.because(), List.of(), moved.tokens(), moved.variables(), moved.outcome())
            .payload());
  }

  private static List<Integer> sizes(List<Moved> parts) {
    return parts.stream().map(part -> part.traces().size()).toList();
  }

  private static List<JsonObject> traces(List<Moved> parts) {
    return parts.stream().flatMap(part -> part.traces().stream()).toList();
  }

  @Test
  void a_hundred_traces_are_one_entry_however_little_room_there_is() {
    assertThat(moved(100).parts(1)).containsExactly(moved(100));
    assertThat(moved(101).parts(1)).hasSizeGreaterThan(1);
    assertThat(moved(101).parts(NEVER_FULL)).containsExactly(moved(101));
  }

  @Test
  void the_first_entry_moves_everything_and_those_behind_it_only_tell_traces() {
    Moved whole = moved(150);
    List<Moved> parts = whole.parts(1_000);
    assertThat(traces(parts)).isEqualTo(whole.traces());
    Moved first = parts.get(0);
    assertThat(first.tokens()).isEqualTo(whole.tokens());
    assertThat(first.variables()).isEqualTo(whole.variables());
    assertThat(first.because()).isEqualTo(whole.because());
    assertThat(first.outcome()).isEqualTo(JsonObject.of("numbered", 2, "ending", ENDING));
    JsonObject after = JsonObject.of("tokens", List.of(JsonObject.of("id", "token-2")));
    JsonObject data = first.applyTo(after.with("variables", JsonObject.of("w", 1)));
    assertThat(data.object("variables")).isEqualTo(JsonObject.of("v", 1));
    for (Moved part : parts.subList(1, parts.size())) {
      assertThat(part.payload())
          .isEqualTo(JsonObject.of("numbered", 2).with("traces", part.traces()));
      assertThat(part.applyTo(data)).isEqualTo(data);
    }
  }

  @Test
  void an_entry_is_filled_up_to_its_last_character() {
    Moved whole = moved(150);
    int room = bare(whole) + 10 * chars(trace(0));
    int bareLater = chars(JsonObject.of("numbered", 2).with("traces", List.of()));
    int later = (room - bareLater) / chars(trace(0));
    assertThat(sizes(whole.parts(room))).startsWith(10, later, later);
    assertThat(sizes(whole.parts(room - 1))).startsWith(9);
    int exact = bareLater + 50 * chars(trace(0));
    assertThat(sizes(whole.parts(exact))).element(1).isEqualTo(50);
    assertThat(sizes(whole.parts(exact - 1))).element(1).isEqualTo(49);
    for (int most = room; most < room + 100; most++) {
      int limit = most;
      assertThat(whole.parts(limit))
          .allSatisfy(part -> assertThat(chars(part.payload())).isLessThanOrEqualTo(limit));
    }
  }

  @Test
  void a_first_entry_without_room_for_a_trace_has_none() {
    Moved whole = moved(120);
    int oneFits = bare(whole) + chars(trace(0));
    assertThat(sizes(whole.parts(oneFits))).startsWith(1);
    List<Moved> full = whole.parts(oneFits - 1);
    assertThat(sizes(full)).startsWith(0);
    assertThat(full.get(0).tokens()).isEqualTo(whole.tokens());
    assertThat(full.get(1).traces()).startsWith(trace(0));
    assertThat(traces(full)).isEqualTo(whole.traces());
  }

  @Test
  void a_trace_that_is_too_long_for_any_entry_has_one_of_its_own() {
    List<Moved> parts = moved(110).parts(1);
    assertThat(sizes(parts)).hasSize(111).startsWith(0, 1).endsWith(1, 1).doesNotContain(2);
    assertThat(traces(parts)).isEqualTo(moved(110).traces());
  }
}
