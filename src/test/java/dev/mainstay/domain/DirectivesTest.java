package dev.mainstay.domain;

import static dev.mainstay.domain.NotebookSamples.ADA;
import static dev.mainstay.domain.NotebookSamples.CODER;
import static dev.mainstay.domain.NotebookSamples.TESTER;
import static dev.mainstay.domain.NotebookSamples.anyActor;
import static dev.mainstay.domain.NotebookSamples.by;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Directives.Directive;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectivesTest {
  private static TaskState given(TaskState before, String text, boolean binding, Actor actor) {
    TaskState after = before;
    for (var event : before.recordDirective(text, binding, actor))
      after = event.applyTo(after, by(actor));
    return after;
  }

  private static TaskState bindingOnes(int number) {
    TaskState state = TaskState.NONE;
    for (int i = 1; i <= number; i++) state = given(state, "order " + i, true, ADA);
    return state;
  }

  private static List<String> texts(TaskState state) {
    return state.directives().items().stream().map(Directive::text).toList();
  }

  @Test
  void a_blank_one_is_no_event() {
    assertThat(TaskState.NONE.recordDirective(" \n", true, ADA)).isEmpty();
  }

  @Test
  void a_repeated_text_moves_to_the_newest_place() {
    TaskState state = given(TaskState.NONE, "a", false, CODER);
    state = given(given(state, "b", false, CODER), " a ", false, CODER);
    assertThat(texts(state)).containsExactly("b", "a");
  }

  @Test
  void author_source_and_time_are_kept() {
    Directive directive = given(TaskState.NONE, "a", true, ADA).directives().items().get(0);
    assertThat(directive.author()).isEqualTo(ADA);
    assertThat(directive.origin()).isEqualTo(by(ADA));
  }

  @Test
  void only_persons_bind() {
    for (Actor actor : List.of(CODER, Actor.SYSTEM)) {
      assertThatThrownBy(() -> TaskState.NONE.recordDirective("a", true, actor))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining(actor.toString());
      assertThatThrownBy(() -> new Directive("a", true, by(actor))).isInstanceOf(Refusal.class);
    }
  }

  @Test
  void a_ninth_binding_one_is_refused_with_the_list_of_the_eight() {
    TaskState state = bindingOnes(8);
    assertThatThrownBy(() -> state.recordDirective("one more", true, ADA))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("1. \"order 1\"")
        .hasMessageContaining("8. \"order 8\"");
    assertThat(texts(given(state, "order 1", true, ADA))).hasSize(8).endsWith("order 1");
    assertThat(given(state, "not binding", false, ADA).directives().items()).hasSize(9);
  }

  @Test
  void of_the_others_the_oldest_gives_way_and_is_counted() {
    TaskState state = bindingOnes(1);
    for (int i = 1; i <= 10; i++) state = given(state, "wish " + i, false, CODER);
    assertThat(texts(state)).hasSize(9).startsWith("order 1", "wish 3").endsWith("wish 10");
    assertThat(state.directives().dropped()).isEqualTo(2);
  }

  @Test
  void an_agents_echo_changes_nothing_about_a_binding_one() {
    TaskState state = bindingOnes(2);
    assertThat(state.recordDirective("order 1", false, CODER)).isEmpty();
  }

  @Test
  void a_person_who_repeats_a_binding_one_does_not_lift_it() {
    TaskState state = given(bindingOnes(2), "order 1", false, ADA);
    assertThat(state.directives().binding())
        .extracting(Directive::text)
        .containsExactly("order 2", "order 1");
  }

  @Test
  void a_person_can_make_an_agents_wish_binding() {
    TaskState state = given(given(TaskState.NONE, "a", false, CODER), "a", true, ADA);
    assertThat(state.directives().items()).containsExactly(new Directive("a", true, by(ADA)));
  }

  @Test
  void lifting_is_for_persons_and_for_ones_own_wishes() {
    TaskState state = given(given(TaskState.NONE, "a", false, CODER), "b", true, ADA);
    assertThatThrownBy(() -> state.liftDirective("b", CODER))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("person:ada");
    assertThatThrownBy(() -> state.liftDirective("a", TESTER)).isInstanceOf(Refusal.class);
    assertThat(state.liftDirective("1", CODER))
        .containsExactly(new TaskStateEvent.DirectiveLifted("a"));
    var lifted = state.liftDirective("b", ADA).get(0).applyTo(state, by(ADA));
    assertThat(texts(lifted)).containsExactly("a");
    assertThatThrownBy(() -> state.liftDirective("c", ADA))
        .hasMessageContaining("1. \"a\", 2. \"b\"");
  }

  @Test
  void one_that_is_too_long_is_refused_and_not_cut() {
    assertThatThrownBy(() -> TaskState.NONE.recordDirective("x".repeat(1_025), false, ADA))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Refusal.Code.TOO_LARGE));
  }

  @Test
  void the_caps_hold_and_no_binding_one_is_ever_lost() {
    Seeds.forAll(
        300,
        random -> {
          TaskState state = TaskState.NONE;
          for (int i = 0; i < 60; i++) {
            var before = state.directives().binding().stream().map(Directive::text).toList();
            Actor actor = anyActor(random);
            boolean binding = actor.isPerson() && random.nextBoolean();
            try {
              state = given(state, "text " + random.nextInt(30), binding, actor);
            } catch (Refusal full) {
              assertThat(state.directives().binding()).hasSize(Directives.BINDING_MAX);
            }
            var after = state.directives().binding().stream().map(Directive::text).toList();
            assertThat(after).containsAll(before).hasSizeLessThanOrEqualTo(Directives.BINDING_MAX);
            assertThat(state.directives().items().size() - after.size())
                .isLessThanOrEqualTo(Directives.OTHERS_MAX);
            assertThat(texts(state)).doesNotHaveDuplicates();
          }
        });
  }
}
