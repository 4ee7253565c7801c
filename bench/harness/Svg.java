import java.util.Locale;

/** A drawing that is read on a light page and on a dark one. */
final class Svg {
  static final int WIDTH = 860;
  private static final String STYLE =
      """
      <style>
      svg { --page: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #d1d9e0;
        --ours: #0969da; --ours2: #54aeff; --floor: #9aa4af; --peer0: #bc4c00; --peer1: #8250df;
        --peer2: #1a7f37; --peer3: #9a6700; --peer4: #bf3989; }
      @media (prefers-color-scheme: dark) {
        svg { --page: #0d1117; --ink: #e6edf3; --faint: #9198a1; --line: #3d444d;
          --ours: #58a6ff; --ours2: #a5d6ff; --floor: #7d8590; --peer0: #f0883e; --peer1: #bc8cff;
          --peer2: #3fb950; --peer3: #d29922; --peer4: #f778ba; }
      }
      text { fill: var(--ink); font: 13px system-ui, sans-serif; }
      .title { font-size: 14px; font-weight: 600; }
      .faint { fill: var(--faint); font-size: 12px; }
      .line { stroke: var(--line); fill: none; }
      .whisker { stroke: var(--ink); stroke-width: 1.5; fill: none; }
      </style>
      """;
  private static final int PEER_COLOURS = 5;

  private final StringBuilder body = new StringBuilder();

  void text(double x, double y, String kind, String anchor, String text) {
    body.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            kind,
            x,
            y,
            anchor,
            escaped(text)));
  }

  void bar(double x, double y, double width, double height, String colour) {
    body.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\""
                + " style=\"fill: var(--%s)\"/>\n",
            x,
            y,
            Math.max(1, width),
            height,
            colour));
  }

  void line(String kind, double x1, double y1, double x2, double y2) {
    body.append(
        String.format(
            Locale.ROOT,
            "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            kind,
            x1,
            y1,
            x2,
            y2));
  }

  void path(String points, String colour, boolean dashed) {
    body.append(
        String.format(
            Locale.ROOT,
            "<polyline points=\"%s\" fill=\"none\" stroke-width=\"2\"%s style=\"stroke: var(--%s)\"/>\n",
            points,
            dashed ? " stroke-dasharray=\"5 4\"" : "",
            colour));
  }

  /** One of ours is blue, a floor is grey, and each other has a colour of its own. */
  static String colour(String who, int place) {
    if (who.equals("mainstay")) return "ours";
    if (Sample.isOurs(who)) return "ours2";
    return Sample.isFloor(who) ? "floor" : "peer" + place % PEER_COLOURS;
  }

  String drawing(double height, String title) {
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" role=\"img\">\n"
                + "<title>%s</title>\n",
            WIDTH,
            height,
            escaped(title))
        + STYLE
        + "<rect width=\"100%\" height=\"100%\" style=\"fill: var(--page)\"/>\n"
        + body
        + "</svg>\n";
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
