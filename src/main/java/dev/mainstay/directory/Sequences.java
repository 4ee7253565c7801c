package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One order out of three. */
final class Sequences {
  private Sequences() {}

  /**
   * Everything that the file or the store has, in the order of the side that changed it, the file's
   * if both did; what only the other side has stands behind its predecessor there.
   */
  static List<String> merged(List<String> base, List<String> file, List<String> store) {
    boolean storeLeads = !isReordered(base, file) && isReordered(base, store);
    List<String> first = storeLeads ? store : file;
    List<String> second = storeLeads ? file : store;
    List<String> out = new ArrayList<>(new LinkedHashSet<>(first));
    Set<String> there = new HashSet<>(out);
    int behind = 0;
    for (String each : second) {
      if (there.add(each)) out.add(behind++, each);
      else behind = out.indexOf(each) + 1;
    }
    return out;
  }

  private static boolean isReordered(List<String> base, List<String> side) {
    List<String> before = new ArrayList<>(base);
    before.retainAll(new HashSet<>(side));
    List<String> now = new ArrayList<>(side);
    now.retainAll(new HashSet<>(base));
    return !before.equals(now);
  }
}
