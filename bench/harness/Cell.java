import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One metric in one variant, with everybody who was measured at it, in the order they came. */
record Cell(String variant, String metric, String unit, boolean more, Map<String, Spread> whos) {

  /** The place of a cell among the others of a row. */
  record Place(String variant, String metric) {}

  static List<Cell> of(List<Sample> samples) {
    Map<Place, List<Sample>> places = new LinkedHashMap<>();
    for (Sample each : samples) {
      Place place = new Place(each.variant(), each.metric());
      places.computeIfAbsent(place, key -> new ArrayList<>()).add(each);
    }
    return places.values().stream().map(Cell::one).toList();
  }

  private static Cell one(List<Sample> samples) {
    Map<String, Map<Integer, Double>> rounds = new LinkedHashMap<>();
    for (Sample each : samples) {
      Map<Integer, Double> own = rounds.computeIfAbsent(each.who(), key -> new TreeMap<>());
      if (own.put(each.at().round(), each.at().value()) != null) {
        throw new IllegalArgumentException("measured twice in one round: " + each);
      }
    }
    Map<String, Spread> whos = new LinkedHashMap<>();
    rounds.forEach((who, own) -> whos.put(who, new Spread(List.copyOf(own.values()))));
    Sample first = samples.get(0);
    return new Cell(first.variant(), first.metric(), first.unit(), first.more(), whos);
  }

  /** Tokens and bytes are the same each time; times never are. */
  private boolean isTime() {
    return unit.equals("ms") || unit.equals("1/s");
  }

  private static int rounds(Spread spread) {
    return spread.values().size();
  }

  Place place() {
    return new Place(variant, metric);
  }

  String name() {
    return variant.isEmpty() ? metric : variant + ": " + metric;
  }

  /** One of ours beside one of the others. */
  record Pair(Cell cell, String ours, String other, Ratio ratio) {}

  List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    whos.forEach(
        (ours, own) -> {
          if (!Sample.isOurs(ours)) return;
          whos.forEach(
              (who, spread) -> {
                if (Sample.isOurs(who)) return;
                Ratio ratio = Ratio.between(own, spread, more);
                boolean isOnce = isTime() && Math.min(rounds(own), rounds(spread)) < 2;
                pairs.add(new Pair(this, ours, who, isOnce ? ratio.once() : ratio));
              });
        });
    return pairs;
  }
}
