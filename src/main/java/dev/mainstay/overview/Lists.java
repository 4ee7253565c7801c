package dev.mainstay.overview;

import dev.mainstay.domain.JsonObject;
import java.util.List;

/** Several lists side by side, each cut, with how many more there are of each. */
final class Lists {
  private JsonObject lists = JsonObject.EMPTY;
  private JsonObject more = JsonObject.EMPTY;

  void add(String name, List<JsonObject> items, long all) {
    add(name, items, all - items.size(), items.size());
  }

  /** What is shown in several lines each is still counted once. */
  void add(String name, List<JsonObject> lines, long left, int shown) {
    lists = lists.with(name, lines);
    if (left > 0 && shown > 0) more = more.with(name, left);
  }

  JsonObject with(String name, JsonObject also) {
    return lists.with(name, also).with("more", more);
  }
}
