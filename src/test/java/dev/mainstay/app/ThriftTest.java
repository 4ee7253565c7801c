package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.app.Thrift.Heap;
import org.junit.jupiter.api.Test;

class ThriftTest {
  private static final long MB = 1L << 20;

  private Heap heap = new Heap(48 * MB, 20 * MB);
  private long needed = 25 * MB;
  private long nanos;
  private int collections;
  private final Thrift thrift = new Thrift(() -> heap, this::collect, () -> nanos);

  private void collect() {
    collections++;
    heap = new Heap(needed * 12 / 5, needed); // what the serial collector keeps
  }

  private int looked(long heldMb, long usedMb) {
    heap = new Heap(heldMb * MB, usedMb * MB);
    int before = collections;
    thrift.look();
    return collections - before;
  }

  @Test
  void a_small_heap_is_left_alone() {
    assertThat(looked(96, 95)).isZero();
  }

  @Test
  void one_that_grows_with_what_is_thrown_away_is_looked_at_each_time() {
    for (int i = 0; i < 10; i++) assertThat(looked(100, 97)).isOne();
  }

  @Test
  void what_is_needed_is_not_looked_at_again_and_again() {
    needed = 60 * MB;
    assertThat(looked(200, 190)).isOne();
    assertThat(looked(144, 120)).as("as large as it was left").isZero();
    assertThat(looked(173, 170)).isZero();
    assertThat(looked(174, 170)).as("grown by half of what is needed").isOne();
    assertThat(looked(150, 120)).isZero();
    nanos += Thrift.REST.toNanos();
    assertThat(looked(150, 120)).as("the minute is over").isOne();
    assertThat(looked(150, 120)).isZero();
  }

  @Test
  void who_does_nothing_is_not_disturbed_once_nothing_was_found() {
    needed = 100 * MB;
    looked(200, 110);
    for (int i = 0; i < 3; i++) {
      nanos += Thrift.REST.toNanos();
      assertThat(looked(240, 101)).isZero();
    }
  }

  @Test
  void what_was_needed_once_is_given_back_although_nothing_comes() {
    needed = 100 * MB;
    assertThat(looked(255, 250)).isOne(); // it found much, so the next look may, too
    needed = 25 * MB;
    assertThat(looked(240, 100)).isZero();
    nanos += Thrift.REST.toNanos();
    assertThat(looked(240, 100)).isOne();
    assertThat(heap.held()).isLessThan(Thrift.ENOUGH);
  }
}
