package dev.mainstay.directory;

import dev.mainstay.directory.Field.Kind;
import dev.mainstay.domain.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** constraints.md: settings, limits, directives, rules, behaviours, and what waits for a person. */
final class ConstraintsPage {
  private static final String MODIFIERS = "Behavioral Modifiers";
  private static final String RESOURCES = "Resource Constraints";
  private static final String DIRECTIVES = "Active Directives";
  private static final String RULES = "Adaptation Rules";
  private static final String BEHAVIOURS = "Context-Aware Behaviors";
  private static final String PROPOSALS = "Open Proposals";
  private static final List<String> TITLES =
      List.of(MODIFIERS, RESOURCES, DIRECTIVES, RULES, BEHAVIOURS, PROPOSALS);

  static final List<Field> MODIFIER_FIELDS =
      List.of(
          Field.of("user_sentiment", Kind.QUOTED),
          Field.of("priority", Kind.QUOTED),
          Field.of("max_cost_per_task", Kind.DECIMAL),
          Field.of("human_review_trigger_level", Kind.QUOTED),
          Field.of("active_persona", Kind.QUOTED),
          Field.of("error_tolerance", Kind.QUOTED));

  static final List<Field> RESOURCE_FIELDS =
      List.of(
          Field.of("max_execution_time", Kind.DURATION),
          Field.of("max_file_operations", Kind.NUMBER),
          Field.of("max_web_requests", Kind.NUMBER),
          Field.of("preferred_tools", Kind.LIST));

  private final Outline outline;
  private final Map<String, FieldBlock> blocks = new LinkedHashMap<>();

  private ConstraintsPage(String text) {
    Sheet sheet = Sheet.of(text);
    this.outline = new Outline(PageName.CONSTRAINTS, sheet, TITLES);
    var modifiers = new FieldBlock(PageName.CONSTRAINTS, MODIFIER_FIELDS, sheet.ending());
    var resources = new FieldBlock(PageName.CONSTRAINTS, RESOURCE_FIELDS, sheet.ending());
    blocks.put(MODIFIERS, modifiers);
    blocks.put(RESOURCES, resources);
  }

  static String template(String title) {
    return """
        # Execution Constraints%s

        ## Behavioral Modifiers

        ## Resource Constraints

        ## Active Directives
        [Dynamic behavioral rules that evolve during execution]

        ## Adaptation Rules
        [Rules for self-modification of constraints]

        ## Context-Aware Behaviors
        [Behaviors that adapt based on task type or domain]
        """
        .replace("%s", title);
  }

  static Reading read(String text) {
    return new ConstraintsPage(text).reading();
  }

  static String write(Items items, String layout, boolean fresh) {
    return new ConstraintsPage(layout).written(items, fresh);
  }

  private Reading reading() {
    Reading.Notes notes = new Reading.Notes();
    outline.required(MODIFIERS);
    blocks.forEach(
        (title, block) ->
            block
                .read(pieces(title))
                .forEach(
                    (name, found) -> {
                      if (found.value() == null) return;
                      notes.put("setting/" + name, found.value(), found.piece().line());
                    }));
    readList(notes, DIRECTIVES, "directive");
    readList(notes, RULES, "rule");
    readList(notes, BEHAVIOURS, "behaviour");
    return notes.reading();
  }

  private void readList(Reading.Notes notes, String title, String noun) {
    Section section = outline.find(title);
    if (section == null) return;
    List<String> order = new ArrayList<>();
    new Names(noun)
        .of(section.pieces())
        .forEach(
            (piece, entry) -> {
              order.add(entry.name());
              String key = noun + "/" + Items.part(entry.name());
              notes.put(key, entry.value(), piece.line());
            });
    notes.put(noun + "s", order, section.line());
  }

  private List<Piece> pieces(String title) {
    Section section = outline.find(title);
    return section == null ? List.of() : section.pieces();
  }

  /** One line of a list: its name, and what is said about it. */
  record Entry(String name, Object value) {}

  /** Which list items of a section count, by the noun of the section. */
  private record Names(String noun) {
    Map<Piece, Entry> of(List<Piece> pieces) {
      Map<String, Piece> seen = new LinkedHashMap<>();
      Map<Piece, Entry> entries = new LinkedHashMap<>();
      for (Piece piece : pieces) {
        Entry entry = entry(piece);
        if (entry == null) continue;
        boolean first = seen.putIfAbsent(entry.name(), piece) == null;
        if (!first && noun.equals("behaviour")) {
          String sentence = entry.name() + " is there twice; remove one of them";
          throw new PageFault(PageName.CONSTRAINTS, piece.line(), 1, sentence);
        }
        // The same directive or rule once more says nothing new; its line is left alone.
        if (first) entries.put(piece, entry);
      }
      return entries;
    }

    private @Nullable Entry entry(Piece piece) {
      Piece.Bullet bullet = piece.bullet();
      if (bullet == null) return null;
      if (noun.equals("behaviour")) {
        FieldLine line = FieldLine.of(piece);
        if (line == null) return null;
        try {
          Object text = Field.of(line.name(), Kind.TEXT).read(line, bullet.more());
          return new Entry(line.name(), text == null ? "" : text);
        } catch (Field.Wrong impossible) {
          throw new IllegalStateException(impossible);
        }
      }
      StringBuilder raw = new StringBuilder(bullet.head());
      for (String each : bullet.more()) raw.append('\n').append(each);
      if (noun.equals("directive")) return DirectiveLine.read(raw.toString());
      String text = PlainValue.text(raw.toString());
      return text.isEmpty() ? null : new Entry(text, true);
    }
  }

  private String written(Items items, boolean fresh) {
    blocks.forEach(
        (title, block) -> {
          var values = PlanPage.values(items, "setting/", block.fields());
          if (values.isEmpty() && outline.find(title) == null) return;
          outline.change(title, pieces -> block.write(pieces, values, fresh));
        });
    writeList(
        items, DIRECTIVES, "directive", text -> DirectiveLine.write(text, object(items, text)));
    writeList(items, RULES, "rule", DirectiveLine::line);
    writeList(items, BEHAVIOURS, "behaviour", name -> behaviour(items, name));
    writeProposals(items.texts("proposals"));
    return outline.text();
  }

  private static JsonObject object(Items items, String text) {
    Object value = items.get("directive/" + Items.part(text));
    return value instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private String behaviour(Items items, String name) {
    String text = items.text("behaviour/" + Items.part(name));
    String lines = Field.of(name, Kind.TEXT).write(text == null ? "" : text, outline.ending());
    return lines.substring("- ".length());
  }

  private void writeList(Items items, String title, String noun, Function<String, String> lineOf) {
    List<String> order = items.texts(noun + "s");
    if (order.isEmpty() && outline.find(title) == null) return;
    Function<String, String> lines =
        name -> {
          String line = "- " + lineOf.apply(name);
          return Lines.isEnded(line) ? line : line + outline.ending();
        };
    outline.change(
        title,
        pieces -> {
          Names names = new Names(noun);
          Map<Piece, Entry> entries = names.of(pieces);
          List<Piece> once = new ArrayList<>(pieces);
          // In another order, what was there twice might count by its other line.
          if (!entries.values().stream().map(Entry::name).toList().equals(order)) {
            once.removeIf(piece -> !entries.containsKey(piece) && names.entry(piece) != null);
          }
          return ListLines.write(
              once,
              piece -> {
                Entry entry = entries.get(piece);
                if (entry == null) return null;
                Object now = items.get(noun + "/" + Items.part(entry.name()));
                boolean kept = now == null || now.equals(entry.value());
                String line = kept ? null : lines.apply(entry.name());
                return new ListLines.Item(entry.name(), line);
              },
              order,
              lines,
              new ListLines.Style("", outline.ending()));
        });
  }

  private void writeProposals(List<String> proposals) {
    List<String> before = new ArrayList<>();
    for (Piece piece : pieces(PROPOSALS)) {
      if (piece.bullet() != null) before.add(PlainValue.text(piece.bullet().head()));
    }
    if (proposals.isEmpty()) {
      outline.remove(PROPOSALS, piece -> piece.bullet() != null);
      return;
    }
    if (proposals.equals(before)) return;
    outline.change(
        PROPOSALS,
        pieces -> {
          List<Piece> out = new ArrayList<>();
          for (Piece piece : pieces) if (piece.bullet() == null) out.add(piece);
          int at = ListLines.end(out);
          if (ListLines.needsBlank(out)) out.add(at++, Piece.made(outline.ending()));
          for (String each : proposals) {
            String line = "- " + DirectiveLine.line(each) + outline.ending();
            out.add(at++, Piece.made(line));
          }
          return out;
        });
  }
}
