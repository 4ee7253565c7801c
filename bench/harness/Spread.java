import java.util.List;

/** What several rounds measured of one thing, in the order of the rounds. */
record Spread(List<Double> values) {
  Spread {
    if (values.isEmpty()) throw new IllegalArgumentException("nothing was measured");
    values = List.copyOf(values);
  }

  double median() {
    double[] sorted = values.stream().mapToDouble(each -> each).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  double least() {
    return values.stream().mapToDouble(each -> each).min().orElseThrow();
  }

  double most() {
    return values.stream().mapToDouble(each -> each).max().orElseThrow();
  }

  /** Whether rounds of one were as good as rounds of the other. */
  boolean overlaps(Spread other) {
    return least() <= other.most() && other.least() <= most();
  }
}
