package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Delegation.Branch;
import dev.mainstay.domain.Delegation.Notice;
import dev.mainstay.domain.Delegation.Site;
import dev.mainstay.domain.Delegation.Standing;
import dev.mainstay.domain.Delegation.Status;
import dev.mainstay.domain.Delegation.Wish;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DelegationTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final Wish WISH =
      new Wish("coder", "claude", new Site("host", "main", "/repo"), true);
  private static final Delegation WANTED =
      Delegation.wanted(new TaskId("T-001"), "person:ada", WISH, NOON);

  @Test
  void it_is_given_returned_given_again_and_reported() {
    Delegation given = WANTED.on(new Branch("b", "c0ffee"), LATER).given("t-1", 7, LATER);
    assertThat(given.status()).isEqualTo(Status.GIVEN);
    assertThat(given.standing().message()).isEqualTo(7);
    assertThat(given.moments()).isEqualTo(new Delegation.Moments(NOON, LATER));
    Delegation returned = given.returned("it\u0007is over", LATER);
    assertThat(returned.standing().terminal()).isNull();
    assertThat(returned.standing().notice()).isEqualTo(new Notice("it is over", false));
    assertThat(returned.standing().branch()).isEqualTo(new Branch("b", "c0ffee"));
    Delegation reported =
        given.noted(new Notice("slow", true), LATER).reported(LATER.plusSeconds(1));
    assertThat(reported.standing().terminal()).isEqualTo("t-1");
    assertThat(reported.standing().notice()).isEqualTo(new Notice(null, true));
    assertThat(reported.returned("again", LATER).status()).isEqualTo(Status.WAITING);
  }

  @Test
  void what_may_not_follow_is_a_bug_of_whoever_tries_it() {
    Delegation reported = WANTED.reported(NOON);
    assertThatThrownBy(() -> reported.given("t-1", 7, NOON))
        .hasMessageContaining("T-001 is REPORTED, not to be GIVEN");
    assertThatThrownBy(() -> reported.reported(NOON)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Standing(Status.WAITING, "t-1", null, null, Notice.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Standing(Status.WAITING, null, 7L, null, Notice.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Standing(Status.GIVEN, "t-1", null, null, Notice.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Standing(Status.GIVEN, null, 7L, null, Notice.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Standing(Status.REPORTED, "t-1", null, null, Notice.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Status.REPORTED.isOpen()).isFalse();
    assertThat(Status.GIVEN.isOpen()).isTrue();
  }

  @Test
  void it_comes_back_from_its_json_however_it_stands() {
    Delegation given = WANTED.on(new Branch("b", "c0ffee"), LATER).given("t-1", 7, LATER);
    for (Delegation each :
        new Delegation[] {WANTED, given, given.returned("over", LATER), given.reported(LATER)}) {
      assertThat(Delegation.fromJson(each.toJson())).isEqualTo(each);
    }
    Wish plain = new Wish("coder", null, WISH.site(), false);
    Delegation other = Delegation.wanted(new TaskId("T-002"), "person:ada", plain, NOON);
    Delegation noted = other.noted(new Notice("slow", true), NOON);
    assertThat(Delegation.fromJson(noted.toJson())).isEqualTo(noted);
  }

  @Test
  void its_caller_is_a_terminal_or_whoever_it_names() {
    assertThat(WANTED.isByTerminal()).isFalse();
    assertThat(WANTED.actor()).isEqualTo(Actor.person("ada"));
  }
}
