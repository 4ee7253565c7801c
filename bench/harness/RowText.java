import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a person wrote about a row, in bench/rows/NAME.md: a title, its place among the others
 * (&lt;!-- order 10 --&gt;), what is measured and how, and, after "## Why", an explanation of each
 * loss.
 */
record RowText(String title, int order, String about, String why) {
  private static final int LAST = 1_000;
  private static final String WHY = "## Why";
  private static final String ORDER = "<!-- order ";

  static RowText of(Path rows, String name) throws IOException {
    Path file = rows.resolve(name + ".md");
    if (!Files.exists(file)) return new RowText(name, LAST, "", "");
    String text = Files.readString(file).strip();
    String title = text.lines().findFirst().orElse(name).replaceFirst("^#+ *", "");
    String rest = text.substring(text.indexOf('\n') + 1).strip();
    int order = LAST;
    if (rest.startsWith(ORDER)) {
      order = Integer.parseInt(rest.substring(ORDER.length(), rest.indexOf(" -->")));
      rest = rest.substring(rest.indexOf("-->") + 3).strip();
    }
    int why = rest.indexOf(WHY);
    if (why < 0) return new RowText(title, order, rest, "");
    return new RowText(
        title, order, rest.substring(0, why).strip(), rest.substring(why + WHY.length()).strip());
  }
}
