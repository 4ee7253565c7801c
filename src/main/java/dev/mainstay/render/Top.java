package dev.mainstay.render;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The first few of many in an order, without sorting the many. */
final class Top {
  private Top() {}

  static <T> List<T> of(Iterable<T> many, Comparator<? super T> order, int most) {
    // The last of those kept is on top of the heap, where it is found when a better one comes.
    PriorityQueue<T> kept = new PriorityQueue<>(order.reversed());
    for (T each : many) {
      if (kept.size() < most) {
        kept.add(each);
      } else if (order.compare(each, kept.element()) < 0) {
        kept.remove();
        kept.add(each);
      }
    }
    List<T> first = new ArrayList<>(kept);
    first.sort(order);
    return first;
  }
}
