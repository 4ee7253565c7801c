package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** context.md: a title, and passages of free text under any headings, each byte for byte. */
final class ContextPage {
  private static final String PREAMBLE = "#0";

  /** A passage as it stands: its heading with the line end, and its body. */
  private record Passage(String heading, String body, int line) {}

  private final Sheet sheet;
  private String title = "";
  private final Map<String, Passage> passages = new LinkedHashMap<>();

  private ContextPage(String text) {
    this.sheet = Sheet.of(text);
    List<Section> sections = new ArrayList<>(sheet.sections());
    int first = 0;
    if (sections.size() > 1 && sections.get(1).level() == 1) {
      title = body(sections.get(0)) + sections.get(1).heading();
      first = 1;
    }
    Map<String, Integer> seen = new HashMap<>();
    for (int i = first; i < sections.size(); i++) {
      Section section = sections.get(i);
      String body = body(section) + (i == sections.size() - 1 ? sheet.tail() : "");
      boolean preamble = i == first;
      if (preamble && body.isEmpty()) continue;
      String heading = preamble ? "" : section.heading();
      String name = preamble ? "" : bare(heading);
      int k = seen.merge(name, 1, Integer::sum) - 1;
      passages.put(Items.part(name) + "#" + k, new Passage(heading, body, section.line()));
    }
  }

  private static String body(Section section) {
    StringBuilder body = new StringBuilder();
    for (Piece piece : section.pieces()) body.append(piece.raw());
    return body.toString();
  }

  private static String bare(String heading) {
    int end = heading.length();
    while (end > 0 && "\r\n".indexOf(heading.charAt(end - 1)) >= 0) end--;
    return heading.substring(0, end);
  }

  static String template(String title) {
    return """
        # Execution Context%s

        ## Knowledge Accumulation
        [Summaries, insights, and key findings gathered during execution]

        ### Web Content Summaries
        [Summaries of fetched web pages, extracted data]

        ### Document Analysis Results
        [Key insights from analyzed documents]

        ### Key Findings
        [Important discoveries that influence subsequent steps]

        ## Current Understanding
        [Agent's evolving understanding of the task and domain]

        ## Decision Rationale
        [Explanations for major decisions made during execution]
        """
        .replace("%s", title);
  }

  static Reading read(String text) {
    ContextPage page = new ContextPage(text);
    Reading.Notes notes = new Reading.Notes();
    notes.put("passages", List.copyOf(page.passages.keySet()), 1);
    page.passages.forEach((id, each) -> notes.put("passage/" + id, each.body(), each.line()));
    return notes.reading();
  }

  static String write(Items items, String layout) {
    return new ContextPage(layout).written(items);
  }

  private String written(Items items) {
    StringBuilder out = new StringBuilder(sheet.mark()).append(title);
    String above = "";
    for (String id : order(items)) {
      Passage old = passages.get(id);
      String body = items.text("passage/" + id);
      String heading =
          old != null ? old.heading() : Items.unpart(id.substring(0, id.lastIndexOf('#')));
      if (!heading.isEmpty()) {
        endLine(out);
        if (takesIn(above, heading)) out.append(sheet.ending());
        out.append(heading);
      }
      above = body == null ? "" : body;
      if (above.isEmpty()) {
        if (old == null && !heading.isEmpty()) out.append(sheet.ending());
        continue;
      }
      if (!heading.isEmpty() || !title.isEmpty()) endLine(out);
      out.append(above);
    }
    return out.toString();
  }

  /** The wanted order, but a passage that ends in an open code fence would swallow what follows. */
  private List<String> order(Items items) {
    List<String> order = new ArrayList<>(items.texts("passages"));
    if (order.remove(PREAMBLE)) order.add(0, PREAMBLE);
    List<String> open = new ArrayList<>();
    for (int i = 0; i + 1 < order.size(); i++) {
      String body = items.text("passage/" + order.get(i));
      if (body != null && !Sheet.isClosed(body)) open.add(order.get(i));
    }
    order.removeAll(open);
    order.addAll(open);
    return order;
  }

  private void endLine(StringBuilder out) {
    boolean empty = out.length() == sheet.mark().length();
    if (!empty && !Lines.isEnded(out)) out.append(sheet.ending());
  }

  /** Whether a heading, being underlined, would take in the text above it. */
  private static boolean takesIn(String above, String heading) {
    if (above.isBlank() || heading.stripLeading().startsWith("#")) return false;
    String end = Lines.isEnded(above) ? "" : "\n";
    List<Section> sections = Sheet.of(above + end + heading).sections();
    return !sections.get(sections.size() - 1).heading().equals(heading);
  }
}
