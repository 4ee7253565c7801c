package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Pause;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class PlacesTest {
  @Test
  void whoever_finds_no_place_is_sent_away_and_served_when_one_is_free_again() {
    Places places = new Places(2, "two are there already");
    Places.Place first = places.take();
    places.take();
    assertThatThrownBy(places::take)
        .isInstanceOf(DoorRefusal.class)
        .hasMessageContaining("two are there already");
    first.close();
    places.take();
    assertThatThrownBy(places::take).isInstanceOf(DoorRefusal.class);
  }

  @Test
  void whoever_may_wait_is_served_when_a_place_is_free_again() throws Exception {
    Places places = new Places(1, "one is there already");
    assertThatThrownBy(
            () -> {
              places.take("ada", Duration.ZERO);
              places.take("ada", Duration.ZERO);
            })
        .isInstanceOf(DoorRefusal.class);
    Places others = new Places(1, "one is there already");
    Places.Place first = others.take("ada", Duration.ZERO);
    var waiting = new FutureTask<>(() -> others.take("ada", Duration.ofMinutes(1)));
    Thread waiter = new Thread(waiting);
    waiter.start();
    while (waiter.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
    first.close();
    waiting.get().close();
    others.take();
  }
}
