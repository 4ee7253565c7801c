package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

class ExecutionStatusTest {
  /** The diagram of the document; RESUMED is PAUSED to IN_PROGRESS, FAILED is a failure. */
  private static final Set<String> LEGAL =
      Set.of(
          "PLANNING IN_PROGRESS",
          "PLANNING COMPLETED_FAILURE",
          "IN_PROGRESS PAUSED",
          "IN_PROGRESS COMPLETED_SUCCESS",
          "PAUSED IN_PROGRESS",
          "PAUSED COMPLETED_FAILURE");

  @Test
  void every_pair_is_as_the_diagram_says() {
    for (ExecutionStatus from : ExecutionStatus.values()) {
      for (ExecutionStatus to : ExecutionStatus.values()) {
        assertThat(from.mayBecome(to))
            .as("%s to %s", from, to)
            .isEqualTo(LEGAL.contains(from + " " + to));
      }
    }
  }

  @Test
  void a_refusal_names_what_may_follow_and_nothing_else() {
    for (ExecutionStatus from : ExecutionStatus.values()) {
      for (ExecutionStatus to : ExecutionStatus.values()) {
        Refusal refusal = from.refusal(to);
        assertThat(refusal.code()).isEqualTo(Refusal.Code.CONFLICT);
        String[] halves = refusal.sentence().split("; ");
        assertThat(halves[0])
            .isEqualTo("the execution is %s and cannot become %s".formatted(from, to));
        for (ExecutionStatus named : ExecutionStatus.values()) {
          assertThat(halves[1].contains(named.name()))
              .as("%s in \"%s\"", named, halves[1])
              .isEqualTo(from.mayBecome(named));
        }
      }
    }
  }

  @Test
  void what_is_over_stays_over() {
    for (ExecutionStatus status : ExecutionStatus.values()) {
      boolean over = LEGAL.stream().noneMatch(pair -> pair.startsWith(status + " "));
      assertThat(status.isEnded()).isEqualTo(over);
    }
    assertThat(ExecutionStatus.COMPLETED_SUCCESS.refusal(ExecutionStatus.PLANNING).sentence())
        .contains("it is over; begin another one");
  }

  @Test
  void a_status_is_read_in_any_case_and_another_word_is_refused_with_all_of_them() {
    assertThat(ExecutionStatus.parse(" in_progress ")).isEqualTo(ExecutionStatus.IN_PROGRESS);
    assertThatThrownBy(() -> ExecutionStatus.parse("RESUMED"))
        .hasMessageContaining(
            "use one of PLANNING, IN_PROGRESS, PAUSED, COMPLETED_SUCCESS, COMPLETED_FAILURE");
  }
}
