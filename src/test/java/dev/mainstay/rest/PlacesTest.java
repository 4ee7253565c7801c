package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
