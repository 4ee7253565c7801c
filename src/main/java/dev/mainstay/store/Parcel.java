package dev.mainstay.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes with the same text. New rows become one statement with many rows, and so do rows that
 * change or go; others are one statement that is run for each. A change joins the parcel of its
 * like if it says what it is {@link Sql#about about} and nothing it would pass by that is about the
 * same.
 */
final class Parcel {
  /** Below this the parts are sent as they are, in one journey with others. */
  private static final int ALIKE_MIN = 2;

  /**
   * More changes than these of one text are run for each, so that there are few texts to prepare.
   */
  private static final int FEW_MAX = 8;

  private static final int PACKED_MIN = 6;
  private static final int WIDE_MAX = 500;
  private static final int TEXTS_MAX = 500;
  private static final Map<String, Boolean> OF_ROWS = new ConcurrentHashMap<>();

  private final String text;
  private final List<Sql> changes = new ArrayList<>();
  private final Set<String> things = new HashSet<>();

  private Parcel(Sql first) {
    this.text = first.text();
    add(first);
  }

  private void add(Sql change) {
    changes.add(change);
    things.addAll(change.things());
  }

  /** In an order that has the same effect as theirs. */
  static List<Parcel> pack(List<Sql> changes) {
    List<Parcel> parcels = new ArrayList<>();
    boolean few = changes.size() < PACKED_MIN;
    for (Sql change : changes) {
      Parcel like = few ? null : join(parcels, change);
      if (like == null) parcels.add(new Parcel(change));
      else like.add(change);
    }
    return parcels;
  }

  private static @Nullable Parcel join(List<Parcel> parcels, Sql change) {
    if (change.things().isEmpty()) return null;
    for (int i = parcels.size() - 1; i >= 0; i--) {
      Parcel each = parcels.get(i);
      if (each.concerns(change)) return null;
      if (each.text.equals(change.text())) return each;
    }
    return null;
  }

  /** What is about nothing in particular may be about everything. */
  private boolean concerns(Sql change) {
    if (things.isEmpty()) return true;
    for (String thing : change.things()) if (things.contains(thing)) return true;
    for (String thing : change.needs()) if (things.contains(thing)) return true;
    return false;
  }

  /** Too many for one journey with others. */
  boolean isLarge() {
    return changes.size() > FEW_MAX && !isOfRows();
  }

  private boolean isOfRows() {
    Boolean known = OF_ROWS.get(text);
    if (known != null) return known;
    boolean found = WideRows.fits(text);
    if (OF_ROWS.size() < TEXTS_MAX) OF_ROWS.put(text, found);
    return found;
  }

  /** Runs a change that is none of rows for each. */
  void sendEach() {
    Sql.forEach(changes);
  }

  /** What is to be sent, in as few statements as can be. */
  List<Sql> statements() {
    if (changes.size() < ALIKE_MIN || !isOfRows()) return changes;
    List<Sql> wide = new ArrayList<>();
    for (int from = 0; from < changes.size(); from += WIDE_MAX) {
      int to = Math.min(from + WIDE_MAX, changes.size());
      wide.add(WideRows.of(changes.subList(from, to)));
    }
    return wide;
  }
}
