package dev.mainstay.hook;

import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What the hooks of a session know from one event to the next.
 *
 * @param handed messages that the model was shown and that are acknowledged with the next event
 * @param orders binding orders that a person gave before there was a task to keep them
 * @param remindedOfRest whether this stop was already held up with what is left
 * @param asking whether the terminal was last said to wait for a person
 * @param compacted whether the state is to be given back with the next prompt
 */
record Memory(
    List<Long> handed,
    List<String> orders,
    boolean remindedOfRest,
    boolean asking,
    boolean compacted) {
  static final int ORDERS_MAX = 8;

  Memory {
    handed = List.copyOf(handed);
    orders = List.copyOf(orders.subList(0, Math.min(orders.size(), ORDERS_MAX)));
  }

  static Memory of(JsonObject json) {
    List<Long> handed = new ArrayList<>();
    for (Object id : json.list("handed")) if (id instanceof Long number) handed.add(number);
    return new Memory(
        handed,
        json.texts("orders"),
        Boolean.TRUE.equals(json.get("reminded")),
        Boolean.TRUE.equals(json.get("asking")),
        Boolean.TRUE.equals(json.get("compacted")));
  }

  JsonObject toJson() {
    return JsonObject.of("handed", handed.isEmpty() ? null : handed)
        .with("orders", orders.isEmpty() ? null : orders)
        .with("reminded", remindedOfRest ? true : null)
        .with("asking", asking ? true : null)
        .with("compacted", compacted ? true : null);
  }

  Memory handing(List<Long> ids) {
    return new Memory(ids, orders, remindedOfRest, asking, compacted);
  }

  Memory withOrders(List<String> all) {
    return new Memory(handed, all, remindedOfRest, asking, compacted);
  }

  Memory reminded(boolean now) {
    return new Memory(handed, orders, now, asking, compacted);
  }

  Memory asking(boolean now) {
    return new Memory(handed, orders, remindedOfRest, now, compacted);
  }

  Memory compacted(boolean now) {
    return new Memory(handed, orders, remindedOfRest, asking, now);
  }
}
