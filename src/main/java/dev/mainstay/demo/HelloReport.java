package dev.mainstay.demo;

import dev.mainstay.demo.HelloStory.Told;
import dev.mainstay.demo.Turn.Outcome;
import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Two tellings side by side: turn by turn, in sum, and as a picture. */
public record HelloReport(Told transcript, Told snapshot) {
  private static final int EACH_TURN_UP_TO = 30;
  private static final int WIDTH = 760;
  private static final int HEIGHT = 340;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 46;
  private static final int BOTTOM = 44;
  private static final int LINES = 4;
  private static final int LABELS = 5;

  /** Every turn at first, then the round ones, then the last. */
  public List<String> table() {
    List<String> lines = new ArrayList<>();
    lines.add("turn  with the transcript                             with a snapshot");
    int last = Math.max(transcript.turns().size(), snapshot.turns().size());
    int step = last > 500 ? 100 : 10;
    for (int i = 1; i <= last; i++) {
      boolean ends = i == last || i == transcript.doneAt() || i == snapshot.doneAt();
      boolean shown = i <= EACH_TURN_UP_TO || i % step == 0 || ends;
      if (shown) lines.add(Phrase.of("%4d  %-46s  %s", i, cell(transcript, i), cell(snapshot, i)));
    }
    return lines;
  }

  private static String cell(Told told, int number) {
    if (number > told.turns().size()) return "";
    Turn turn = told.turns().get(number - 1);
    String mark = turn.outcome() == Outcome.NO_OP ? " (no-op)" : "";
    if (turn.outcome() == Outcome.REFUSED) mark = " (refused)";
    return Phrase.of("%,7d tokens  %s%s", turn.tokens(), turn.action(), mark);
  }

  public List<String> summary() {
    return List.of(
        "                                  transcript    snapshot",
        row("longest prompt, tokens", transcript.tokensMax(), snapshot.tokensMax()),
        row("tokens in all", transcript.tokensInAll(), snapshot.tokensInAll()),
        row("different files", transcript.writes().size(), snapshot.writes().size()),
        row("file writes", transcript.count(Outcome.WROTE), snapshot.count(Outcome.WROTE)),
        row("most writes of one file", most(transcript), most(snapshot)),
        row(
            "writes that changed nothing",
            transcript.count(Outcome.NO_OP),
            snapshot.count(Outcome.NO_OP)),
        Phrase.of("%-30s  %12s  %10s", "done in turn", done(transcript), done(snapshot)));
  }

  private static String row(String what, long transcript, long snapshot) {
    return Phrase.of("%-30s  %,12d  %,10d", what, transcript, snapshot);
  }

  private static long most(Told told) {
    return told.writes().values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private static String done(Told told) {
    return told.doneAt() == 0 ? "not in " + told.turns().size() : Phrase.of("%,d", told.doneAt());
  }

  /** Tokens of each prompt over the turns, as a picture for a web page. */
  public String svg() {
    int turns = Math.max(transcript.turns().size(), snapshot.turns().size());
    int most = round(Math.max(transcript.tokensMax(), snapshot.tokensMax()));
    StringBuilder svg = new StringBuilder();
    svg.append(
        Phrase.of(
            """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        <text x="%d" y="24" font-size="15" fill="#222222">Tokens of each prompt, turn by turn</text>
        """,
            WIDTH, HEIGHT, LEFT));
    for (int i = 0; i <= LINES; i++) grid(svg, most * i / LINES, most);
    for (int i = 0; i <= LABELS; i++) {
      int turn = Math.max(1, turns * i / LABELS);
      svg.append(
          Phrase.of(
              "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\" fill=\"#555555\">%,d</text>\n",
              x(turn, turns), HEIGHT - BOTTOM + 20, turn));
    }
    line(svg, transcript, turns, most, "#c2410c");
    line(svg, snapshot, turns, most, "#0f766e");
    legend(svg, 0, "with the transcript: " + words(transcript), "#c2410c");
    legend(svg, 1, "with a snapshot: " + words(snapshot), "#0f766e");
    return svg.append("</svg>\n").toString();
  }

  private static String words(Told told) {
    String end = told.doneAt() == 0 ? "not done" : "done in turn " + told.doneAt();
    return Phrase.of(
        "%d writes of %d files, %s", told.count(Outcome.WROTE), told.writes().size(), end);
  }

  private static void grid(StringBuilder svg, int tokens, int most) {
    String y = y(tokens, most);
    svg.append(
        Phrase.of(
            "<line x1=\"%d\" y1=\"%s\" x2=\"%d\" y2=\"%s\" stroke=\"#dddddd\"/>\n",
            LEFT, y, WIDTH - RIGHT, y));
    svg.append(
        Phrase.of(
            "<text x=\"%d\" y=\"%s\" text-anchor=\"end\" dy=\"4\" fill=\"#555555\">%,d</text>\n",
            LEFT - 8, y, tokens));
  }

  private static void line(StringBuilder svg, Told told, int turns, int most, String colour) {
    List<String> points = new ArrayList<>();
    for (Turn turn : told.turns()) {
      points.add(x(turn.number(), turns) + "," + y(turn.tokens(), most));
    }
    svg.append(
        Phrase.of(
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>\n",
            colour, String.join(" ", points)));
    Optional<Turn> done =
        told.turns().stream().filter(turn -> turn.outcome() == Outcome.DONE).findFirst();
    done.ifPresent(
        turn ->
            svg.append(
                Phrase.of(
                    "<circle cx=\"%s\" cy=\"%s\" r=\"4\" fill=\"%s\"/>\n",
                    x(turn.number(), turns), y(turn.tokens(), most), colour)));
  }

  private static void legend(StringBuilder svg, int place, String words, String colour) {
    int x = LEFT + place * (WIDTH - LEFT - RIGHT) / 2;
    svg.append(
        Phrase.of("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", x, HEIGHT - 6, colour, words));
  }

  private static String x(int turn, int turns) {
    double share = turns <= 1 ? 0 : (turn - 1) / (double) (turns - 1);
    return Phrase.of("%.1f", LEFT + share * (WIDTH - LEFT - RIGHT));
  }

  private static String y(int tokens, int most) {
    double share = tokens / (double) most;
    return Phrase.of("%.1f", HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP));
  }

  /** The next round number above. */
  private static int round(int number) {
    int step = Math.max(1, (int) Math.pow(10, Math.floor(Math.log10(Math.max(1, number)))) / 2);
    return (number / step + 1) * step;
  }
}
