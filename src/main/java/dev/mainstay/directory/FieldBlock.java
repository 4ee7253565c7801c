package dev.mainstay.directory;

import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of one block: read with their places, written into the same places. */
record FieldBlock(PageName page, List<Field> fields, String ending) {
  /** A field as it stands in a text; its value is null if it is empty. */
  record Found(Piece piece, FieldLine line, @Nullable Object value) {}

  private static final String NAME = "[\\p{L}\\p{N}_$]([\\p{L}\\p{N}_$ .-]*[\\p{L}\\p{N}_$])?";

  Map<String, Found> read(List<Piece> pieces) {
    Map<String, Found> found = new LinkedHashMap<>();
    for (Piece piece : pieces) {
      FieldLine line = FieldLine.of(piece);
      if (line == null || piece.bullet() == null || !isKnown(line.name())) continue;
      Field field = Field.named(fields, line.name());
      if (found.containsKey(line.name())) {
        throw fault(piece, 1, line.name() + " is there twice in this block; remove one of them");
      }
      found.put(line.name(), new Found(piece, line, value(field, piece, line)));
    }
    return found;
  }

  /** Whether this piece is one of the block's fields. */
  boolean isField(Piece piece) {
    FieldLine line = FieldLine.of(piece);
    return line != null && isKnown(line.name());
  }

  private boolean isKnown(String name) {
    return fields.stream().anyMatch(each -> each.name().equals(name));
  }

  private PageFault fault(Piece piece, int column, String sentence) {
    return new PageFault(page, piece.line(), column, sentence);
  }

  private @Nullable Object value(Field field, Piece piece, FieldLine line) {
    if (field.kind() == Field.Kind.PARAMETERS) {
      Map<String, Object> parameters = new LinkedHashMap<>();
      parameters(piece, line).forEach((name, each) -> parameters.put(name, each.value()));
      return parameters.isEmpty() ? null : parameters;
    }
    try {
      Piece.Bullet bullet = piece.bullet();
      return field.read(line, bullet == null ? List.of() : bullet.more());
    } catch (Field.Wrong wrong) {
      throw fault(piece, line.column(), wrong.sentence);
    }
  }

  /** A parameter as it stands in a text. */
  record Parameter(int line, String name, Object value) {}

  /** The named values below a field's line. */
  Map<String, Parameter> parameters(Piece piece, FieldLine line) {
    Map<String, Parameter> parameters = new LinkedHashMap<>();
    boolean inline = line.rest().startsWith("{") || line.rest().startsWith("[");
    if (inline && !line.rest().matches("\\{\\s*}|\\[\\s*]")) {
      String sentence = "write each of the %s on a line of its own, as \"  - name: value\"";
      throw fault(piece, line.column(), Phrase.of(sentence, line.name()));
    }
    if (piece.bullet() == null) return parameters;
    for (Piece inner : piece.bullet().inner()) {
      Parameter parameter = parameter(inner);
      if (parameter == null) continue;
      if (parameters.put(parameter.name(), parameter) != null) {
        throw fault(inner, 1, parameter.name() + " is there twice; remove one of them");
      }
    }
    return parameters;
  }

  private static @Nullable Parameter parameter(Piece piece) {
    Piece.Bullet bullet = piece.bullet();
    if (bullet == null) return null;
    String head = bullet.head();
    int colon = -1;
    String name = "";
    JsonSource.Node quoted = head.startsWith("\"") ? JsonSource.string(head, 0) : null;
    if (quoted != null) {
      name = String.valueOf(quoted.value());
      if (head.startsWith(":", quoted.end())) colon = quoted.end();
    } else {
      colon = head.indexOf(':');
      while (colon >= 0 && colon + 1 < head.length() && !PlainValue.isBlank(head.charAt(colon + 1)))
        colon = head.indexOf(':', colon + 1);
      if (colon > 0) name = PlainValue.trim(head.substring(0, colon));
    }
    if (colon < 0 || (quoted == null && name.isEmpty())) return null;
    StringBuilder raw = new StringBuilder(PlainValue.trim(head.substring(colon + 1)));
    for (String each : bullet.more()) raw.append(raw.length() == 0 ? "" : "\n").append(each);
    return new Parameter(piece.line(), name, PlainValue.any(raw.toString()));
  }

  /**
   * The pieces with these values: an unchanged field keeps its spelling, a changed one its place, a
   * new one goes where the document has it. A fresh block gets the empty lines of its form too.
   */
  List<Piece> write(List<Piece> pieces, Map<String, ?> values, boolean fresh) {
    Map<String, Found> found = read(pieces);
    List<Piece> out = new ArrayList<>();
    List<Integer> ranks = new ArrayList<>();
    for (Piece piece : pieces) {
      FieldLine line = FieldLine.of(piece);
      Found known = line == null ? null : found.get(line.name());
      for (Piece each : known == null ? List.of(piece) : rewritten(known, values)) {
        out.add(each);
        ranks.add(known == null ? -1 : rank(known.line().name()));
      }
    }
    for (Field field : fields) {
      Object value = values.get(field.name());
      if (found.containsKey(field.name()) || (value == null && !(fresh && field.always())))
        continue;
      int at = place(ranks, rank(field.name()));
      if (at < 0) {
        at = ListLines.end(out);
        if (ListLines.needsBlank(out)) {
          out.add(at, Piece.made(ending));
          ranks.add(at++, -1);
        }
      }
      String indent = neighbour(out, ranks, at);
      out.add(at, Piece.made(ListLines.indented(lines(field, value), indent)));
      ranks.add(at, rank(field.name()));
    }
    return out;
  }

  /** The indentation of the field before or behind; else none. */
  private static String neighbour(List<Piece> out, List<Integer> ranks, int at) {
    for (int i = at - 1; i <= at; i++) {
      if (i < 0 || i >= out.size() || ranks.get(i) < 0) continue;
      return ListLines.blanks(out.get(i).raw());
    }
    return "";
  }

  private int rank(String name) {
    return fields.indexOf(Field.named(fields, name));
  }

  private static int place(List<Integer> ranks, int rank) {
    int after = -1;
    int before = -1;
    for (int i = 0; i < ranks.size(); i++) {
      int each = ranks.get(i);
      if (each < 0) continue;
      if (each < rank) after = i + 1;
      else if (before < 0) before = i;
    }
    return after >= 0 ? after : before;
  }

  private List<Piece> rewritten(Found found, Map<String, ?> values) {
    Piece piece = found.piece();
    Field field = Field.named(fields, found.line().name());
    Object value = values.get(field.name());
    if (same(found.value(), value)) return List.of(piece);
    if (field.kind() == Field.Kind.PARAMETERS) return List.of(reparametered(found, value));
    String rest = field.takesLines() ? "" : piece.raw().substring(piece.firstLine().length());
    if (value == null && !field.always()) {
      return rest.isEmpty() ? List.of() : List.of(Piece.made(rest.stripLeading()));
    }
    String indent = ListLines.indent(List.of(piece), "");
    return List.of(Piece.made(ListLines.indented(field.write(value, ending), indent) + rest));
  }

  private static boolean same(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Map<?, ?> one && right instanceof Map<?, ?> two) {
      return new ArrayList<>(one.entrySet()).equals(new ArrayList<>(two.entrySet()));
    }
    return left == null ? right == null : left.equals(right);
  }

  private Piece reparametered(Found found, @Nullable Object value) {
    Piece piece = found.piece();
    Map<?, ?> wanted = value instanceof Map<?, ?> map ? map : Map.of();
    List<String> order = wanted.keySet().stream().map(String::valueOf).toList();
    List<Piece> inner = piece.bullet() == null ? List.of() : piece.bullet().inner();
    List<Piece> changed =
        ListLines.write(
            inner,
            each -> {
              Parameter old = parameter(each);
              if (old == null) return null;
              Object now = wanted.get(old.name());
              boolean kept = now == null || now.equals(old.value());
              return new ListLines.Item(old.name(), kept ? null : line(old.name(), now));
            },
            order,
            name -> line(name, wanted.get(name)),
            new ListLines.Style(ListLines.indent(List.of(piece), "") + "  ", ending));
    StringBuilder raw = new StringBuilder(piece.firstLine());
    for (Piece each : changed) {
      if (!Lines.isEnded(raw)) raw.append(ending);
      raw.append(each.raw());
    }
    return Piece.made(raw.toString());
  }

  private String line(String name, @Nullable Object value) {
    String spelled = name.matches(NAME) ? name : PlainValue.quoted(name);
    return "- " + spelled + ": " + PlainValue.anyLine(Items.plain(value)) + ending;
  }

  private String lines(Field field, @Nullable Object value) {
    if (field.kind() != Field.Kind.PARAMETERS) return field.write(value, ending);
    // The document has a blank behind this colon and behind no other.
    String blank = field.name().equals("inputs") ? " " : "";
    StringBuilder out = new StringBuilder(FieldLine.start(field.name()) + blank + ending);
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, each) -> out.append("  ").append(line(String.valueOf(name), each)));
    }
    return out.toString();
  }
}
