package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.Block;
import org.commonmark.node.BulletList;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * A Markdown text cut at the places CommonMark names: headings, list items, everything else. All
 * pieces together are the text again, byte for byte.
 *
 * @param tail a code fence or an HTML block at the end that nothing closes; whatever is added must
 *     stand before it
 */
record Sheet(String mark, String ending, List<Section> sections, String tail) {
  private static final String BYTE_ORDER_MARK = "\uFEFF";
  private static final int NESTING_MAX = 100;

  // Only blocks are asked for, so the inline parser has nothing to do.
  private static final Parser PARSER =
      Parser.builder()
          .includeSourceSpans(IncludeSourceSpans.BLOCKS)
          .inlineParserFactory(context -> (lines, node) -> {})
          .maxOpenBlockParsers(NESTING_MAX)
          .build();

  static Sheet of(String text) {
    String mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    String body = text.substring(mark.length());
    return new Cutting(body).sheet(mark);
  }

  /** Whether a heading put behind the text would be one. */
  static boolean isClosed(String text) {
    boolean may = text.contains("```") || text.contains("~~~") || text.contains("<");
    if (!may) return true;
    Node last = PARSER.parse(text + "\n\n# end\n").getLastChild();
    return last instanceof Heading;
  }

  /** The text of these sections in this sheet's frame. */
  String text(List<Section> changed) {
    StringBuilder out = new StringBuilder(mark);
    Section before = null;
    for (Section section : changed) {
      if (section.isMade() || (before != null && before.isMade())) endBlock(out);
      if (before != null && section.isIndented() && !isKnownPair(before, section)) endList(out);
      if (!section.heading().isEmpty()) append(out, section.heading());
      for (Piece piece : section.pieces()) append(out, piece.raw());
      before = section;
    }
    if (!tail.isEmpty()) {
      boolean known = sections.get(sections.size() - 1).equals(before);
      if (before != null && before.isMade()) endBlock(out);
      if (PlainValue.isBlank(tail.charAt(0)) && !known) endList(out);
      append(out, tail);
    }
    return out.toString();
  }

  private boolean isKnownPair(Section before, Section section) {
    int at = sections.indexOf(section);
    return at > 0 && sections.get(at - 1).equals(before);
  }

  /** A comment keeps the indented text that follows out of the list item before it. */
  private void endList(StringBuilder out) {
    endBlock(out);
    out.append("<!-- -->").append(ending);
  }

  private void append(StringBuilder out, String raw) {
    if (!Lines.isEnded(out) && out.length() > mark.length()) out.append(ending);
    out.append(raw);
  }

  private void endBlock(StringBuilder out) {
    if (out.length() <= mark.length()) return;
    if (!Lines.isEnded(out)) out.append(ending);
    int last = out.length() - (endsWith(out, "\r\n") ? 2 : 1);
    boolean blank = last == mark.length() || "\r\n".indexOf(out.charAt(last - 1)) >= 0;
    if (!blank) out.append(ending);
  }

  private static boolean endsWith(StringBuilder out, String end) {
    int at = out.length() - end.length();
    return at >= 0 && out.indexOf(end, at) == at;
  }

  /** Goes over the blocks of one text. */
  private static final class Cutting {
    private final Lines lines;
    private final String text;
    private final List<Block> blocks = new ArrayList<>();

    Cutting(String text) {
      this.text = text;
      this.lines = new Lines(text);
      for (Node node = PARSER.parse(text).getFirstChild(); node != null; node = node.getNext()) {
        if (node instanceof Block block && !block.getSourceSpans().isEmpty()) blocks.add(block);
      }
    }

    Sheet sheet(String mark) {
      int end = blocks.size();
      if (end > 0 && isOpen(blocks.get(end - 1))) end--;
      List<Section> sections = new ArrayList<>();
      int from = 0;
      while (from < end || sections.isEmpty()) {
        int to = sections.isEmpty() ? from : from + 1;
        while (to < end && !(blocks.get(to) instanceof Heading)) to++;
        boolean headed = !sections.isEmpty();
        sections.add(section(headed, from, to));
        from = to;
      }
      String tail = end < blocks.size() ? lines.raw(line(end), lines.count()) : "";
      return new Sheet(mark, Lines.ending(text), sections, tail);
    }

    private boolean isOpen(Block last) {
      boolean may = last instanceof FencedCodeBlock || last instanceof HtmlBlock;
      return may && !isClosed(text);
    }

    /** The line at which a block begins; behind the last one, the end of the text. */
    private int line(int block) {
      if (block >= blocks.size()) return lines.count();
      return blocks.get(block).getSourceSpans().get(0).getLineIndex();
    }

    private Section section(boolean headed, int from, int to) {
      List<Piece> pieces = new ArrayList<>();
      if (!headed) {
        free(pieces, 0, line(from));
        for (int i = from; i < to; i++) cut(pieces, i);
        return new Section(1, 0, "", pieces);
      }
      Heading heading = (Heading) blocks.get(from);
      int first = line(from);
      var spans = heading.getSourceSpans();
      int behind = spans.get(spans.size() - 1).getLineIndex() + 1;
      free(pieces, behind, line(from + 1));
      for (int i = from + 1; i < to; i++) cut(pieces, i);
      return new Section(first + 1, heading.getLevel(), lines.raw(first, behind), pieces);
    }

    private void cut(List<Piece> pieces, int block) {
      int from = line(block);
      int to = line(block + 1);
      if (blocks.get(block) instanceof BulletList list) {
        items(pieces, list, to);
        return;
      }
      int end = to;
      while (end > from + 1 && lines.isBlank(end - 1)) end--;
      boolean paragraph = blocks.get(block) instanceof Paragraph;
      pieces.add(new Piece(from + 1, lines.raw(from, end), paragraph, null));
      free(pieces, end, to);
    }

    private void free(List<Piece> pieces, int from, int to) {
      for (int i = from; i < to; i++) pieces.add(new Piece(i + 1, lines.raw(i, i + 1), true, null));
    }

    private void items(List<Piece> pieces, Node list, int to) {
      for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
        int from = item.getSourceSpans().get(0).getLineIndex();
        Node next = item.getNext();
        int behind = next == null ? to : next.getSourceSpans().get(0).getLineIndex();
        item(pieces, item, from, behind);
      }
    }

    /** The lines of an item are those indented under it; a line that only leans on it is free. */
    private void item(List<Piece> pieces, Node item, int from, int to) {
      String first = lines.bare(from);
      int marker = item.getSourceSpans().get(0).getColumnIndex();
      while (marker < first.length() && PlainValue.isBlank(first.charAt(marker))) marker++;
      int head = Math.min(marker + 1, first.length());
      while (head < first.length() && PlainValue.isBlank(first.charAt(head))) head++;
      int width = marker + 2;
      int end = from + 1;
      while (end < to && (lines.isBlank(end) || indentation(lines.bare(end)) >= width)) end++;
      while (end > from + 1 && lines.isBlank(end - 1)) end--;
      List<String> more = new ArrayList<>();
      for (int i = from + 1; i < end; i++) more.add(dedented(lines.bare(i), width));
      List<Piece> inner = inner(item, from + 1, end);
      var bullet = new Piece.Bullet(first.substring(head), head + 1, more, inner);
      pieces.add(new Piece(from + 1, lines.raw(from, end), false, bullet));
      free(pieces, end, to);
    }

    private List<Piece> inner(Node item, int from, int to) {
      List<Piece> inner = new ArrayList<>();
      int at = from;
      for (Node child = item.getFirstChild(); child != null; child = child.getNext()) {
        if (!(child instanceof BulletList) || child.getSourceSpans().isEmpty()) continue;
        int start = child.getSourceSpans().get(0).getLineIndex();
        if (start < from || start >= to) continue;
        free(inner, at, start);
        Node next = child.getNext();
        while (next != null && next.getSourceSpans().isEmpty()) next = next.getNext();
        int end = next == null ? to : Math.min(to, next.getSourceSpans().get(0).getLineIndex());
        items(inner, child, end);
        at = end;
      }
      free(inner, at, to);
      return inner;
    }

    private static int indentation(String line) {
      int columns = 0;
      for (int i = 0; i < line.length() && PlainValue.isBlank(line.charAt(i)); i++) {
        columns += line.charAt(i) == '\t' ? 4 - columns % 4 : 1;
      }
      return columns;
    }

    private static String dedented(String line, int width) {
      int at = 0;
      while (at < Math.min(width, line.length()) && line.charAt(at) == ' ') at++;
      if (at < width && at < line.length() && line.charAt(at) == '\t') at++;
      return line.substring(at);
    }
  }
}
