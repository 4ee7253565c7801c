import dev.mainstay.domain.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** docs/BENCHMARKS.md: ratios first, absolute figures as an aside. */
final class Document {
  private static final double FLOOR_TIMES_MAX = 2;
  private static final String HEAD =
      """
      # Benchmarks

      Written by `bench/run` from `bench/results`; do not edit. Each row measures Mainstay beside what one would take
      instead, on the same machine, on the same disk and in the same run: the contestants take turns within each
      round, every peer in its fastest documented settings that are as durable. What each of them did was checked, and
      a run that lost data has no number.

      A ratio says **how many times better Mainstay does**: more a second, or less time, space or tokens. Above 1 it is
      ahead, below 1 behind; in brackets the least and the most of the rounds. Where the rounds of the two overlap
      there is no ratio. Beside a floor, which is the least that anybody could do, it says how many times its cost
      Mainstay has.

      `bench/run [NAME...]` measures again, `bench/compare` says what became worse since the last commit.
      """;

  private final Path rows;
  private final Path docs;

  Document(Path rows, Path docs) {
    this.rows = rows;
    this.docs = docs;
  }

  private record Chapter(Result result, RowText text, List<String> plots) {}

  void write(List<Result> results) throws IOException {
    Files.createDirectories(docs);
    List<Chapter> chapters = new ArrayList<>();
    for (Result each : results) {
      RowText text = RowText.of(rows, each.row());
      chapters.add(new Chapter(each, text, Plots.write(each, text.title(), docs.resolve("bench"))));
    }
    chapters.sort(Comparator.comparingInt(each -> each.text().order()));
    StringBuilder out = new StringBuilder(HEAD);
    out.append("\n| row | ahead of peers | about equal | behind | goals reached |\n");
    out.append("|---|---|---|---|---|\n");
    for (Chapter each : chapters) out.append(summary(each));
    for (Chapter each : chapters) out.append(chapter(each));
    Path profiles = rows.resolve("profiles.md");
    if (Files.exists(profiles)) out.append('\n').append(Files.readString(profiles));
    Files.writeString(docs.resolve("BENCHMARKS.md"), out);
  }

  private static List<Cell.Pair> pairs(Result result) {
    return result.measured().cells().stream().flatMap(each -> each.pairs().stream()).toList();
  }

  private static List<Cell.Pair> besidePeers(Result result) {
    return pairs(result).stream().filter(each -> Sample.isPeer(each.other())).toList();
  }

  private static String summary(Chapter chapter) {
    List<Cell.Pair> peers = besidePeers(chapter.result());
    long ahead = count(peers, Ratio.Verdict.AHEAD);
    long behind = count(peers, Ratio.Verdict.BEHIND);
    List<Goal.Outcome> goals = chapter.result().measured().outcomes();
    long reached = goals.stream().filter(Goal.Outcome::reached).count();
    String title = chapter.text().title();
    return String.format(
        "| [%s](#%s) | %s | %s | %s | %s |%n",
        title,
        anchor(title),
        peers.isEmpty() ? "-" : ahead + " of " + peers.size(),
        peers.isEmpty() ? "-" : String.valueOf(peers.size() - ahead - behind),
        peers.isEmpty() ? "-" : String.valueOf(behind),
        goals.isEmpty() ? "-" : reached + " of " + goals.size());
  }

  private static long count(List<Cell.Pair> pairs, Ratio.Verdict verdict) {
    return pairs.stream().filter(each -> each.ratio().verdict() == verdict).count();
  }

  private static String anchor(String title) {
    return title.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
  }

  private static String chapter(Chapter chapter) {
    Result result = chapter.result();
    StringBuilder out = new StringBuilder("\n## ").append(chapter.text().title()).append("\n\n");
    if (!chapter.text().about().isEmpty()) out.append(chapter.text().about()).append("\n\n");
    out.append(ratios(result));
    for (String each : chapter.plots()) {
      out.append("![")
          .append(chapter.text().title())
          .append("](bench/")
          .append(each)
          .append(")\n\n");
    }
    out.append(goals(result)).append(failures(result)).append(why(chapter));
    return out.append(Aside.of(result)).toString();
  }

  private static String ratios(Result result) {
    List<Cell.Pair> pairs = pairs(result);
    if (pairs.isEmpty()) return "";
    boolean isOneOfOurs = pairs.stream().allMatch(each -> each.ours().equals("mainstay"));
    StringBuilder out = new StringBuilder("| what | beside | Mainstay |\n|---|---|---|\n");
    for (Cell.Pair each : pairs) {
      String name = each.cell().name() + (isOneOfOurs ? "" : ", " + each.ours());
      out.append("| ").append(cell(name)).append(" | ").append(cell(each.other())).append(" | ");
      out.append(said(each)).append(" |\n");
    }
    return out.append('\n').toString();
  }

  private static String said(Cell.Pair pair) {
    Ratio ratio = pair.ratio();
    if (!ratio.isKnown()) return ratio.text();
    if (Sample.isFloor(pair.other())) return ratio.inverse().text() + " times its cost";
    String word = ratio.verdict() == Ratio.Verdict.AHEAD ? "ahead" : "behind";
    return "**" + ratio.text() + "** " + word;
  }

  private static String goals(Result result) {
    List<Goal.Outcome> goals = result.measured().outcomes();
    if (goals.isEmpty()) return "";
    StringBuilder out = new StringBuilder("| goal | where | found | |\n|---|---|---|---|\n");
    for (Goal.Outcome each : goals) {
      out.append("| ").append(cell(each.goal())).append(" | ").append(cell(each.where()));
      out.append(" | ").append(each.found()).append(" | ");
      out.append(each.reached() ? "reached" : "**missed**").append(" |\n");
    }
    return out.append('\n').toString();
  }

  private static String failures(Result result) {
    StringBuilder out = new StringBuilder();
    for (JsonObject each : result.measured().failures()) {
      out.append("No number for ").append(each.text("who"));
      if (each.has("variant")) out.append(" (").append(each.text("variant")).append(")");
      out.append(": it was found false that ").append(each.text("check"));
      if (each.has("detail")) out.append(" (").append(each.text("detail")).append(")");
      out.append(".\n\n");
    }
    return out.toString();
  }

  /** A loss that nobody explained is told as such. */
  private static String why(Chapter chapter) {
    if (!chapter.text().why().isEmpty()) {
      return "**Why.** " + chapter.text().why() + "\n\n";
    }
    return hasLosses(chapter.result()) ? "**Why.** Not explained yet.\n\n" : "";
  }

  static boolean hasLosses(Result result) {
    boolean missed = result.measured().outcomes().stream().anyMatch(each -> !each.reached());
    boolean behind = count(besidePeers(result), Ratio.Verdict.BEHIND) > 0;
    boolean farFromFloor =
        pairs(result).stream()
            .filter(each -> Sample.isFloor(each.other()) && each.ratio().isKnown())
            .anyMatch(each -> each.ratio().inverse().median() > FLOOR_TIMES_MAX);
    return missed || behind || farFromFloor;
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
