package dev.mainstay.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Changes with the same text. New rows become one statement with many rows, and so do changes of
 * rows; others are one statement that is run for each. A change joins the parcel of its like if it
 * says what it is {@link Sql#about about} and nothing it would pass by that is about the same.
 */
final class Parcel {
  /** Below this the parts are sent as they are, in one journey with others. */
  private static final int ALIKE_MIN = 3;

  /**
   * More changes than these of one text are run for each, so that there are few texts to prepare.
   */
  private static final int FEW_MAX = 8;

  private static final int PACKED_MIN = 2 * ALIKE_MIN;
  private static final int WIDE_MAX = 64;
  private static final int WIDE_TEXTS_MAX = 500;

  private static final Pattern ROW = Pattern.compile("VALUES\\s*(\\([^()]*\\))");
  private static final Pattern NAME = Pattern.compile(":([a-z_]+)");
  private static final Map<String, String> WIDE = new ConcurrentHashMap<>();
  private static final Map<String, Kind> KINDS = new ConcurrentHashMap<>();

  /** What can be made of changes that are alike. */
  private enum Kind {
    NEW_ROWS,
    CHANGED_ROWS,
    OTHERS
  }

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
    return false;
  }

  /** Too many for one journey with others. */
  boolean isLarge() {
    return changes.size() > FEW_MAX && kind() == Kind.OTHERS;
  }

  private Kind kind() {
    Kind known = KINDS.get(text);
    if (known != null) return known;
    Kind found =
        ROW.matcher(text).find()
            ? Kind.NEW_ROWS
            : WideUpdate.fits(text) ? Kind.CHANGED_ROWS : Kind.OTHERS;
    if (KINDS.size() < WIDE_TEXTS_MAX) KINDS.put(text, found);
    return found;
  }

  /** Runs a change that is none of rows for each. */
  void sendEach() {
    Sql.forEach(changes);
  }

  /** What is to be sent, in as few statements as can be. */
  List<Sql> statements() {
    if (changes.size() < ALIKE_MIN || kind() == Kind.OTHERS) return changes;
    List<Sql> wide = new ArrayList<>();
    // In powers of two, so that there are few texts to prepare.
    for (int from = 0; from < changes.size(); ) {
      int rows = Math.min(WIDE_MAX, Integer.highestOneBit(changes.size() - from));
      wide.add(row(changes.subList(from, from + rows)));
      from += rows;
    }
    return wide;
  }

  private Sql row(List<Sql> rows) {
    if (rows.size() == 1) return rows.get(0);
    if (kind() == Kind.CHANGED_ROWS) return WideUpdate.of(rows);
    Sql all = rows.get(0).withText(wide(text, rows.size()));
    for (int i = 0; i < rows.size(); i++) {
      int row = i;
      rows.get(i).binds().forEach((name, value) -> all.bind(numbered(name, row), value));
    }
    all.readBy(rows.stream().map(Sql::reader).filter(Objects::nonNull).toList());
    return all;
  }

  private static String wide(String text, int rows) {
    String known = WIDE.get(rows + " " + text);
    if (known != null) return known;
    Matcher found = ROW.matcher(text);
    if (!found.find()) throw new IllegalArgumentException("no row of values: " + text);
    StringBuilder wide = new StringBuilder(text.substring(0, found.start(1)));
    for (int i = 0; i < rows; i++) {
      int row = i;
      String values = NAME.matcher(found.group(1)).replaceAll(m -> ":" + numbered(m.group(1), row));
      wide.append(i == 0 ? "" : ", ").append(values);
    }
    wide.append(text.substring(found.end(1)));
    if (WIDE.size() < WIDE_TEXTS_MAX) WIDE.put(rows + " " + text, wide.toString());
    return wide.toString();
  }

  private static String numbered(String name, int row) {
    return row == 0 ? name : name + "_row_" + row;
  }
}
