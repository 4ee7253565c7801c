package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.NOON;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.AgentProfile.Engine;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.Provider.Manners;
import dev.mainstay.domain.StepDetails.Outlook;
import dev.mainstay.domain.StepDetails.Param;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Everything has a limit: exactly so much is taken, and one more is refused. */
class EdgesTest {
  private static final int ANY = 7;

  private static <T> List<T> many(int count, IntFunction<T> each) {
    return IntStream.range(0, count).mapToObj(each).toList();
  }

  /** So many are taken, and one more is too large. */
  private static <T> void assertMost(int most, IntFunction<T> each, Function<List<T>, ?> taker) {
    assertThat(taker.apply(many(most, each))).isNotNull();
    List<T> more = many(most + 1, each);
    assertThatThrownBy(() -> taker.apply(more))
        .isInstanceOfSatisfying(
            Refusal.class, no -> assertThat(no.code()).isEqualTo(Refusal.Code.TOO_LARGE));
  }

  @Test
  void lists_end_where_they_say() {
    assertMost(50, i -> Criterion.of("c" + i), TaskState.NONE.run()::with);
    assertMost(32, i -> Sign.of("busy", "s" + i), signs -> signs(signs));
    assertMost(50, i -> "tool " + i, Setting.PREFERRED_TOOLS::value);
    assertMost(64, i -> "word", words -> McpServer.words("a command", words));
    assertMost(100, i -> "tool", tools -> new Engine(null, null, tools, List.of()));
    assertMost(32, EdgesTest::server, servers -> new Engine(null, null, List.of(), servers));
    assertMost(50, i -> new Param("p" + i, "v"), EdgesTest::details);
    assertMost(20, i -> "b" + i, blockers -> new Work("", "", blockers, List.of()));
    assertMost(200, i -> "r" + i, refs -> new Work("", "", List.of(), refs));
    assertMost(1_000, i -> "n" + i, EdgesTest::update);
    assertMost(128, i -> "f", names -> new RepoPath(String.join("/", names)));
  }

  private static ScreenSigns signs(List<Sign> busy) {
    return new ScreenSigns(List.of(), List.of(), busy, List.of(), List.of());
  }

  private static McpServer server(int number) {
    return new McpServer("s" + number, List.of("run"), null, Map.of());
  }

  private static StepDetails details(List<Param> params) {
    return new StepDetails("", "", params, List.of(), Outlook.NONE);
  }

  private static NotebookDelta update(List<String> notes) {
    return new NotebookDelta(Map.of(Section.HISTORY, notes));
  }

  @Test
  void texts_end_where_they_say() {
    String most = "x".repeat(NotebookDelta.DELTA_CHARS_MAX / 2);
    assertThat(update(List.of(most, most)).texts().get(Section.HISTORY)).hasSize(2);
    assertThatThrownBy(() -> update(List.of(most, most, "x"))).hasMessageContaining("send less");
    String path = ("f".repeat(63) + "/").repeat(64);
    String longest = path.substring(0, RepoPath.PATH_CHARS_MAX - 1) + "g";
    assertThat(new RepoPath(longest).value()).hasSize(4_096);
    assertThatThrownBy(() -> new RepoPath(longest + "g")).hasMessageContaining("4,096 characters");
    assertThat(new RepoPath("n".repeat(255)).name()).hasSize(255);
    assertThatThrownBy(() -> new RepoPath("n".repeat(256))).hasMessageContaining("255 bytes");
    String typed = "x".repeat(Typed.TYPED_CHARS_MAX);
    assertThat(Typed.of(typed).text()).isEqualTo(typed);
    assertThatThrownBy(() -> Typed.of(typed + "x")).hasMessageContaining("at most 102,400");
    // What must go is not typed, and still too long to be looked at.
    assertThatThrownBy(() -> Typed.of(typed + "\u202a")).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Typed(typed + "x", Map.of())).isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Typed("a\u001bb", Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void the_first_and_the_last_mark_of_each_kind_are_never_typed() {
    for (String mark : List.of("\u202a", "\u202e", "\u2066", "\u2069")) {
      assertThat(Typed.of("a" + mark + "b"))
          .isEqualTo(new Typed("ab", Map.of(Typed.Removed.DIRECTION_MARKS, 1)));
    }
    for (String half : List.of("\ud800", "\udfff")) {
      assertThat(Typed.of("a" + half).removed()).containsKey(Typed.Removed.LONE_SURROGATES);
    }
    for (String kept : List.of("\u2065", "\u206a", "\u202f", "\ud7ff", "\ue000")) {
      assertThat(Typed.of(kept)).isEqualTo(new Typed(kept, Map.of()));
    }
  }

  @Test
  void waits_and_counts_end_where_they_say() {
    Duration most = Duration.ofSeconds(30);
    assertThat(new Manners("/exit", most, Duration.ZERO, true).settle()).isEqualTo(most);
    assertThatThrownBy(() -> new Manners("/exit", most.plusNanos(1), most, true))
        .hasMessage("settle lies between 0ms and 30s");
    assertThatThrownBy(() -> new Manners("/exit", most, Duration.ofNanos(-1), true))
        .hasMessage("enter_after lies between 0ms and 30s");
    long count = Spent.COUNT_MAX;
    assertThat(new Spent(BigDecimal.ZERO, BigDecimal.ZERO, count, 0).fileOperations())
        .isEqualTo(count);
    assertThatThrownBy(() -> new Spent(BigDecimal.ZERO, BigDecimal.ZERO, 0, count + 1))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Spent(BigDecimal.ZERO, BigDecimal.ZERO, -1, 0))
        .isInstanceOf(Refusal.class);
    assertThat(new ScannedFile.Stat(0, NOON, "k").size()).isZero();
    assertThatThrownBy(() -> new ScannedFile.Stat(-1, NOON, "k"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_compression_may_leave_nothing_and_a_hundred_of_them_are_kept() {
    TaskState state = TaskState.NONE;
    for (int i = 0; i < 103; i++) {
      var compressed = new TaskStateEvent.Compressed("cut", "left " + i, i, 0);
      state = compressed.applyTo(state, by(CODER));
    }
    Trail trail = state.trail();
    assertThat(trail.compressions()).hasSize(100).first().extracting("summary").isEqualTo("left 3");
    assertThat(trail.compressionsDropped()).isEqualTo(3);
    assertThat(state.lastCompressions(2))
        .extracting("summary")
        .containsExactly("left 101", "left 102");
    assertThatThrownBy(() -> new TaskStateEvent.Compressed("cut", "", -1, 0))
        .hasMessageContaining("fewer than 0 tokens");
    assertThatThrownBy(() -> new TaskStateEvent.Compressed("cut", "", 0, -1))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Trail.Compression("cut", "", 0, -1, NOON))
        .isInstanceOf(Refusal.class);
    var more = new ArrayList<>(trail.compressions());
    more.add(more.get(0));
    assertThatThrownBy(() -> new Trail(List.of(), 0, more, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThat(new Trail(Collections.nCopies(6, "a"), 0, List.of(), 0).actions()).hasSize(6);
    String summary = "x".repeat(1_024);
    assertThat(new Trail.Compression("cut", summary, 0, 0, NOON).summary()).hasSize(1_024);
    assertThatThrownBy(() -> new Trail.Compression("cut", summary + "x", 0, 0, NOON))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void an_update_names_a_step_by_its_place_and_a_plan_by_texts_or_steps() {
    assertThat(update("current_step", 0L).currentStep()).isZero();
    assertThat(update("current_step", 99L).currentStep()).isEqualTo(99);
    assertThatThrownBy(() -> update("current_step", -1L)).hasMessageContaining("counted from 0");
    assertThatThrownBy(() -> update("current_step", 100L)).isInstanceOf(Refusal.class);
    assertThat(update("plan", "only one").plan()).containsExactly(Plan.Wish.of("only one"));
    assertThatThrownBy(() -> update("plan", List.of(JsonObject.of("label", "a", "stat", "done"))))
        .hasMessageContaining("\"stat\" is not a field of a step");
  }

  private static TaskUpdate update(String field, Object value) {
    return TaskUpdate.fromJson(JsonObject.of(field, value));
  }

  @Test
  void an_object_is_nested_so_deep_and_no_deeper() {
    assertThat(JsonObject.depth(JsonObject.copyOf(nested(JsonObject.DEPTH_MAX)))).isEqualTo(64);
    assertThatThrownBy(() -> JsonObject.copyOf(nested(JsonObject.DEPTH_MAX + 1)))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("deeper than 64 levels");
    assertThat(JsonObject.of("a", lists(JsonObject.DEPTH_MAX)).list("a")).hasSize(1);
    assertThatThrownBy(() -> JsonObject.of("a", lists(JsonObject.DEPTH_MAX + 1)))
        .isInstanceOf(Refusal.class);
    assertThat(JsonObject.of("a", (short) 3, "b", new StringBuilder("x")))
        .isEqualTo(JsonObject.of("a", 3L, "b", "x"));
  }

  private static Map<String, Object> nested(int levels) {
    Map<String, Object> inner = Map.of("k", ANY);
    for (int i = 1; i < levels; i++) inner = Map.of("k", inner);
    return inner;
  }

  private static List<Object> lists(int levels) {
    List<Object> inner = List.of(ANY);
    for (int i = 1; i < levels; i++) inner = List.of(inner);
    return inner;
  }
}
