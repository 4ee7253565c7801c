package dev.mainstay.directory;

import java.util.Set;

/**
 * Keys of items, each with what stands below it; the key of an order list is about itself alone.
 */
record KeySet(Set<String> keys) {
  boolean covers(String key) {
    if (keys.contains(key)) return true;
    for (int at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1)) {
      String above = key.substring(0, at);
      if (keys.contains(above) && !Items.isOrder(above)) return true;
    }
    return false;
  }
}
