import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that a row said: samples, checks, facts, goals and curves. */
record Measured(
    List<Sample> samples,
    List<JsonObject> checks,
    List<JsonObject> facts,
    List<Goal> goals,
    List<JsonObject> curves) {

  static Measured of(List<String> lines) {
    Measured all = empty();
    for (String line : lines) {
      if (line.isBlank()) continue;
      try {
        all.add(JsonText.object(line));
      } catch (RuntimeException wrong) {
        throw new IllegalArgumentException(
            "a row prints JSON lines alone (" + wrong.getMessage() + "): " + line, wrong);
      }
    }
    return all;
  }

  static Measured of(JsonObject stored) {
    Measured all = empty();
    for (String key : List.of("samples", "checks", "facts", "goals", "curves")) {
      if (stored.has(key)) stored.objects(key).forEach(all::add);
    }
    return all;
  }

  private static Measured empty() {
    return new Measured(
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  private void add(JsonObject line) {
    if (line.has("check")) checks.add(check(line));
    else if (line.has("fact")) facts.add(line);
    else if (line.has("goal")) goals.add(Goal.of(line));
    else if (line.has("curve")) curves.add(line);
    else samples.add(Sample.of(line));
  }

  private static JsonObject check(JsonObject line) {
    line.text("check");
    if (!(line.get("ok") instanceof Boolean)) {
      throw new IllegalArgumentException("ok is true or false");
    }
    return line;
  }

  private static boolean isOk(JsonObject check) {
    return Boolean.TRUE.equals(check.get("ok"));
  }

  private static String who(JsonObject check) {
    return check.has("who") ? check.text("who") : "mainstay";
  }

  List<JsonObject> failures() {
    return checks.stream().filter(each -> !isOk(each)).toList();
  }

  /** What makes the whole run worth nothing: it was ours that was wrong. */
  List<JsonObject> ownFailures() {
    return failures().stream().filter(each -> Sample.isOurs(who(each))).toList();
  }

  /** Without the numbers of those others who were wrong. */
  Measured trusted() {
    Set<String> wrong = new LinkedHashSet<>();
    for (JsonObject each : failures()) wrong.add(place(who(each), variant(each)));
    List<Sample> right = new ArrayList<>();
    for (Sample each : samples) {
      if (wrong.contains(place(each.who(), each.variant()))) continue;
      if (wrong.contains(place(each.who(), null))) continue;
      right.add(each);
    }
    return new Measured(right, checks, facts, goals, curves);
  }

  private static String variant(JsonObject check) {
    return check.has("variant") ? check.text("variant") : null;
  }

  private static String place(String who, String variant) {
    return who + "\n" + variant;
  }

  /** Without the rounds that not everybody in that variant took part in. */
  Measured ofWholeRounds() {
    Map<String, Integer> last = new HashMap<>();
    for (Sample each : samples) {
      last.merge(place(each.who(), each.variant()), each.at().round(), Math::max);
    }
    Map<String, Integer> whole = new HashMap<>();
    for (Sample each : samples) {
      int rounds = last.get(place(each.who(), each.variant()));
      whole.merge(each.variant(), rounds, Math::min);
    }
    List<Sample> kept =
        samples.stream().filter(each -> each.at().round() <= whole.get(each.variant())).toList();
    return new Measured(kept, checks, facts, goals, curves);
  }

  List<Cell> cells() {
    return Cell.of(samples);
  }

  List<Goal.Outcome> outcomes() {
    List<Goal.Outcome> all = new ArrayList<>();
    for (Goal each : goals) all.addAll(each.outcomes(cells()));
    return all;
  }
}
