import java.util.ArrayList;
import java.util.List;

/**
 * How much better one does than another in the same rounds: above 1 is more of what there should be
 * more of, or less of what there should be less of. Where their rounds overlap there is no ratio.
 */
record Ratio(double median, double least, double most, Verdict verdict) {
  enum Verdict {
    AHEAD,
    BEHIND,
    EQUAL,
    /** The spread is larger than the difference. */
    UNDECIDED,
    /** A time that was taken once: nobody knows its spread. */
    ONCE
  }

  static Ratio between(Spread one, Spread other, boolean moreIsBetter) {
    List<Double> rounds = new ArrayList<>();
    int count = Math.min(one.values().size(), other.values().size());
    for (int i = 0; i < count; i++) {
      rounds.add(better(one.values().get(i), other.values().get(i), moreIsBetter));
    }
    Spread ratios = new Spread(rounds);
    double median = better(one.median(), other.median(), moreIsBetter);
    return new Ratio(
        median,
        Math.min(median, ratios.least()),
        Math.max(median, ratios.most()),
        verdict(one, other, moreIsBetter));
  }

  private static Verdict verdict(Spread one, Spread other, boolean moreIsBetter) {
    boolean bothConstant = one.least() == one.most() && other.least() == other.most();
    if (bothConstant && one.least() == other.least()) return Verdict.EQUAL;
    if (one.overlaps(other)) return Verdict.UNDECIDED;
    boolean isAhead = moreIsBetter == one.median() > other.median();
    return isAhead ? Verdict.AHEAD : Verdict.BEHIND;
  }

  private static double better(double one, double other, boolean moreIsBetter) {
    if (one == other) return 1;
    return moreIsBetter ? one / other : other / one;
  }

  /** The same without its verdict, for a time that was taken once. */
  Ratio once() {
    return new Ratio(median, least, most, Verdict.ONCE);
  }

  boolean isKnown() {
    return verdict == Verdict.AHEAD || verdict == Verdict.BEHIND;
  }

  /** The other way round: how many times the other's cost this one has. */
  Ratio inverse() {
    Verdict turned =
        verdict == Verdict.AHEAD
            ? Verdict.BEHIND
            : verdict == Verdict.BEHIND ? Verdict.AHEAD : verdict;
    return new Ratio(1 / median, 1 / most, 1 / least, turned);
  }

  /** For people: the ratio with its range, or why there is none. */
  String text() {
    return switch (verdict) {
      case EQUAL -> "equal";
      case UNDECIDED -> "about equal (spread larger than the difference)";
      case ONCE -> "measured once: no ratio";
      case AHEAD, BEHIND -> times();
    };
  }

  private String times() {
    if (Double.isInfinite(median)) return "none against some";
    if (median == 0) return "some against none";
    String middle = Figures.of(median);
    if (Figures.of(least).equals(Figures.of(most))) return middle;
    return middle + " (" + Figures.of(least) + " to " + Figures.of(most) + ")";
  }
}
