import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What two runs of the same rows say of ours: better, worse, or gone, beyond the spread of both.
 */
record Comparison(List<String> worse, List<String> better, List<String> gone, int compared) {

  static Comparison of(List<Result> old, List<Result> now) {
    Comparison all = new Comparison(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), 0);
    int compared = 0;
    Map<String, Result> rows = new HashMap<>();
    for (Result each : now) rows.put(each.row(), each);
    for (Result before : old) {
      Result after = rows.get(before.row());
      if (after == null) all.gone.add(before.row());
      else compared += all.row(before, after);
    }
    return new Comparison(all.worse, all.better, all.gone, compared);
  }

  private int row(Result old, Result now) {
    Map<Cell.Place, Cell> cells = new HashMap<>();
    for (Cell each : now.measured().cells()) cells.put(each.place(), each);
    int compared = 0;
    for (Cell before : old.measured().cells()) {
      Cell after = cells.get(before.place());
      for (String who : before.whos().keySet()) {
        if (!Sample.isOurs(who)) continue;
        String name = old.row() + ", " + before.name() + ", " + who;
        if (after == null || !after.whos().containsKey(who)) gone.add(name);
        else {
          compared++;
          cell(name, before, after, who);
        }
      }
    }
    return compared;
  }

  private void cell(String name, Cell before, Cell after, String who) {
    Spread old = before.whos().get(who);
    Spread now = after.whos().get(who);
    Ratio.Verdict verdict = Ratio.between(now, old, before.more()).verdict();
    if (verdict != Ratio.Verdict.AHEAD && verdict != Ratio.Verdict.BEHIND) return;
    if (!isSeenBesideOthers(before, after, who, verdict)) return;
    String line =
        name
            + ": "
            + Figures.of(old.median(), before.unit())
            + " became "
            + Figures.of(now.median(), after.unit());
    (verdict == Ratio.Verdict.BEHIND ? worse : better).add(line);
  }

  /** A machine that was busier slows the others as well, and leaves the ratios to them alone. */
  private static boolean isSeenBesideOthers(
      Cell before, Cell after, String who, Ratio.Verdict verdict) {
    for (Map.Entry<String, Spread> each : before.whos().entrySet()) {
      Spread other = after.whos().get(each.getKey());
      if (Sample.isOurs(each.getKey()) || other == null) continue;
      Ratio old = Ratio.between(before.whos().get(who), each.getValue(), before.more());
      Ratio now = Ratio.between(after.whos().get(who), other, after.more());
      boolean isSame =
          verdict == Ratio.Verdict.BEHIND ? now.most() < old.least() : now.least() > old.most();
      if (!isSame) return false;
    }
    return true;
  }

  boolean hasRegressions() {
    return !worse.isEmpty();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    worse.forEach(each -> text.append("worse   ").append(each).append('\n'));
    better.forEach(each -> text.append("better  ").append(each).append('\n'));
    gone.forEach(each -> text.append("gone    ").append(each).append('\n'));
    int same = compared - worse.size() - better.size();
    return text.append(compared + " figures compared: " + worse.size() + " worse, ")
        .append(better.size() + " better, " + same + " within the spread; ")
        .append(gone.size() + " gone\n")
        .toString();
  }
}
