package dev.mainstay.store;

/** How each database reckons with time, where charts need it to; beside {@link Dialect}. */
final class TimeFragments {
  private TimeFragments() {}

  /** The hour in which a moment lies, as a moment. */
  static String hourOf(Dialect dialect, String column) {
    return dialect == Dialect.SQLITE
        ? "substr(" + column + ", 1, 13) || ':00:00.000000Z'"
        : "date_trunc('hour', " + column + ", 'UTC')";
  }

  /** The seconds from one moment to another. */
  static String seconds(Dialect dialect, String from, String to) {
    return dialect == Dialect.SQLITE
        ? "(julianday(" + to + ") - julianday(" + from + ")) * 86400.0"
        : "extract(epoch FROM (" + to + " - " + from + "))";
  }
}
