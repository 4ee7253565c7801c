package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.render.Budget.Unit;
import org.junit.jupiter.api.Test;

class BudgetTest {
  @Test
  void the_least_and_the_most_are_accepted() {
    assertThat(Budget.tokens(320)).isEqualTo(new Budget(Unit.O200K_TOKENS, 320));
    assertThat(Budget.characters(1_024)).isEqualTo(new Budget(Unit.CHARACTERS, 1_024));
    assertThat(Budget.tokens(4_000_000).limit()).isEqualTo(4_000_000);
    assertThat(Budget.characters(4_000_000).limit()).isEqualTo(4_000_000);
  }

  @Test
  void one_less_and_one_more_are_refused_in_the_unit_that_was_asked_for() {
    assertThatThrownBy(() -> Budget.tokens(319))
        .isInstanceOf(Refusal.class)
        .hasMessage("a budget of 319 tokens cannot be kept; give one from 320 to 4000000");
    assertThatThrownBy(() -> new Budget(Unit.ESTIMATED_TOKENS, 4_000_001))
        .hasMessage("a budget of 4000001 tokens cannot be kept; give one from 320 to 4000000");
    assertThatThrownBy(() -> Budget.characters(1_023))
        .hasMessage("a budget of 1023 characters cannot be kept; give one from 1024 to 4000000");
    assertThatThrownBy(() -> Budget.characters(4_000_001))
        .hasMessageContaining("a budget of 4000001 characters");
  }

  @Test
  void the_least_depends_on_the_unit() {
    assertThat(Budget.CLAUDE_CODE.minimum()).isEqualTo(1_024);
    assertThat(Budget.CODEX.minimum()).isEqualTo(320);
    assertThat(Budget.CODEX.estimated().minimum()).isEqualTo(320);
  }

  @Test
  void each_unit_counts_in_its_own_way() {
    String text = "Aufgabe \u0437\u0430\u0434\u0430\u0447\u0430 \ud83d\ude00";

    assertThat(Unit.CHARACTERS.size(text)).isEqualTo(17);
    assertThat(Unit.O200K_TOKENS.size(text)).isEqualTo(Tokens.O200K.count(text));
    assertThat(Unit.CL100K_TOKENS.size(text)).isEqualTo(Tokens.CL100K.count(text));
    assertThat(Unit.ESTIMATED_TOKENS.size(text)).isEqualTo(12);
    assertThat(Budget.CLAUDE_CODE.size(text)).isEqualTo(17);
    assertThat(Budget.CODEX.estimated().size(text)).isEqualTo(12);
    assertThat(Tokens.O200K.count(text)).isNotEqualTo(Tokens.CL100K.count(text)).isPositive();
  }

  @Test
  void an_estimate_has_the_same_limit_and_characters_need_none() {
    assertThat(Budget.API.estimated()).isEqualTo(new Budget(Unit.ESTIMATED_TOKENS, 5_000));
    assertThat(new Budget(Unit.CL100K_TOKENS, 700).estimated())
        .isEqualTo(new Budget(Unit.ESTIMATED_TOKENS, 700));
    assertThat(Budget.CLAUDE_CODE.estimated()).isSameAs(Budget.CLAUDE_CODE);
  }

  @Test
  void a_host_has_its_budget_and_another_name_is_refused() {
    assertThat(Budget.named(" codex ")).isSameAs(Budget.CODEX);
    assertThatThrownBy(() -> Budget.named("emacs"))
        .isInstanceOf(Refusal.class)
        .hasMessage("there is no budget named \"emacs\"; there are claude-code, codex, api");
  }
}
