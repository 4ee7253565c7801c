package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.RepeatFuse.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatFuseTest {
  private static final RepeatFuse FRESH = RepeatFuse.fresh(List.of("wait_for_build"));

  private static RepeatFuse repeated(int times) {
    RepeatFuse fuse = FRESH;
    for (int i = 0; i < times; i++) fuse = fuse.after("read", "args", "result");
    return fuse;
  }

  @Test
  void a_fresh_fuse_lets_everything_pass() {
    assertThat(FRESH.verdict()).isEqualTo(Verdict.FINE);
    assertThat(FRESH.before("read", "args")).isEqualTo(Verdict.FINE);
  }

  @Test
  void two_are_noticed_five_refused_and_eight_end_the_run() {
    assertThat(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9))
        .extracting(times -> repeated(times).verdict())
        .containsExactly(
            Verdict.FINE,
            Verdict.NOTICE,
            Verdict.NOTICE,
            Verdict.NOTICE,
            Verdict.REFUSE,
            Verdict.REFUSE,
            Verdict.REFUSE,
            Verdict.NO_PROGRESS,
            Verdict.NO_PROGRESS);
  }

  @Test
  void any_difference_resets_it() {
    RepeatFuse fuse = repeated(7);
    assertThat(fuse.after("write", "args", "result").repeats()).isEqualTo(1);
    assertThat(fuse.after("read", "other", "result").repeats()).isEqualTo(1);
    assertThat(fuse.after("read", "args", "other").repeats()).isEqualTo(1);
    assertThat(fuse.after("write", "a", "r").after("read", "args", "result").verdict())
        .isEqualTo(Verdict.FINE);
  }

  @Test
  void a_tool_that_polls_is_never_stopped() {
    RepeatFuse fuse = repeated(4);
    for (int i = 0; i < 20; i++) {
      assertThat(fuse.before("wait_for_build", "x")).isEqualTo(Verdict.FINE);
      fuse = fuse.after("wait_for_build", "x", "pending");
      assertThat(fuse.verdict()).isEqualTo(Verdict.FINE);
    }
  }

  @Test
  void a_call_is_refused_before_it_runs_and_refusing_comes_to_an_end() {
    RepeatFuse fuse = repeated(4);
    assertThat(fuse.before("read", "other")).isEqualTo(Verdict.FINE);
    assertThat(fuse.afterRefused("read", "other")).isEqualTo(fuse);
    for (int i = 5; i <= 7; i++) {
      assertThat(fuse.before("read", "args")).isEqualTo(Verdict.REFUSE);
      fuse = fuse.afterRefused("read", "args");
    }
    assertThat(fuse.before("read", "args")).isEqualTo(Verdict.NO_PROGRESS);
    assertThat(fuse.afterRefused("read", "args").verdict()).isEqualTo(Verdict.NO_PROGRESS);
  }

  @Test
  void it_counts_the_row_at_the_end_whatever_came_before() {
    Seeds.forAll(
        300,
        random -> {
          RepeatFuse fuse = FRESH;
          String last = "";
          int row = 0;
          for (int i = 0; i < 40; i++) {
            String turn = String.valueOf(random.nextInt(2));
            row = turn.equals(last) ? row + 1 : 1;
            last = turn;
            fuse = fuse.after("t", turn, "r");
            assertThat(fuse.repeats()).isEqualTo(row);
            assertThat(RepeatFuse.fromJson(fuse.toJson(), fuse.polling())).isEqualTo(fuse);
          }
        });
    assertThat(RepeatFuse.fromJson(FRESH.toJson(), FRESH.polling())).isEqualTo(FRESH);
  }
}
