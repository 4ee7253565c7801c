package dev.mainstay.directory;

import dev.mainstay.directory.Field.Kind;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** history.md: what was done, entry by entry, and the training data of an execution. */
final class HistoryPage {
  private static final String LOG = "Step Execution Log";
  private static final String TRAINING = "Training Data Collection";
  private static final String TRAINING_NOTE =
      "[Structured data for fine-tuning - only in EXECUTION mode]";
  private static final List<String> TITLES = List.of(LOG, TRAINING);
  private static final Pattern HEADING =
      Pattern.compile("(?s)Step +(\\d{1,9}) +Execution(?: +-(.*?))?( +\\(simulated\\))?");

  static final List<Field> ENTRY_FIELDS =
      List.of(
          Field.of("component_used", Kind.TEXT),
          Field.of("tool_used", Kind.TEXT),
          Field.of("real_inputs", Kind.TEXT),
          Field.of("real_outputs", Kind.TEXT),
          Field.of("actual_cost", Kind.MONEY),
          Field.of("actual_time", Kind.SECONDS),
          Field.of("errors", Kind.TEXT),
          Field.of("state_changes", Kind.TEXT),
          Field.of("notes", Kind.TEXT));

  static final List<Field> TRAINING_FIELDS =
      List.of(
          Field.of("conversation_trace", Kind.TEXT),
          Field.of("tool_calls", Kind.TEXT),
          Field.of("state_transitions", Kind.TEXT),
          Field.of("performance_metrics", Kind.TEXT));

  private final Outline outline;
  private final FieldBlock entry;
  private final FieldBlock training;

  private HistoryPage(String text) {
    Sheet sheet = Sheet.of(text);
    this.outline = new Outline(PageName.HISTORY, sheet, TITLES);
    this.entry = new FieldBlock(PageName.HISTORY, ENTRY_FIELDS, sheet.ending());
    this.training = new FieldBlock(PageName.HISTORY, TRAINING_FIELDS, sheet.ending());
  }

  static String template(String title) {
    return "# Execution History" + title + "\n\n## " + LOG + "\n";
  }

  static Reading read(String text) {
    return new HistoryPage(text).reading();
  }

  static String write(Items items, String layout) {
    return new HistoryPage(layout).written(items);
  }

  private Reading reading() {
    Reading.Notes notes = new Reading.Notes();
    Section log = outline.required(LOG);
    Map<Section, String> entries = entries();
    notes.put("entries", (long) entries.size(), log.line());
    entries.forEach((section, n) -> notes.put("entry/" + n, said(section), section.line()));
    Section section = outline.find(TRAINING);
    if (section != null) {
      training
          .read(section.pieces())
          .forEach(
              (name, found) -> {
                if (found.value() != null) {
                  notes.put("training/" + name, found.value(), found.piece().line());
                }
              });
    }
    return notes.reading();
  }

  /** The blocks of the entries with their numbers, from 1. */
  private Map<Section, String> entries() {
    Map<Section, String> entries = blocks(LOG, 0);
    entries.putAll(late(entries.size()));
    return entries;
  }

  /** What somebody put at the very end of the file is the end of the log, whatever is between. */
  private Map<Section, String> late(int before) {
    return outline.isBehind(TRAINING, LOG) ? blocks(TRAINING, before) : Map.of();
  }

  private Map<Section, String> blocks(String title, int before) {
    int[] count = {before};
    return outline.blocks(
        title,
        section -> HEADING.matcher(section.title()).matches() ? String.valueOf(++count[0]) : null);
  }

  private JsonObject said(Section section) {
    Matcher heading = HEADING.matcher(section.title());
    if (!heading.matches()) throw new IllegalStateException(section.title());
    Map<String, Object> said = new HashMap<>();
    said.put("step", Long.valueOf(heading.group(1)));
    String at = heading.group(2);
    if (at != null) said.put("at", PlainValue.trim(at));
    if (heading.group(3) != null) said.put("simulated", true);
    entry
        .read(section.pieces())
        .forEach(
            (name, found) -> {
              if (found.value() != null) said.put(key(name), found.value());
            });
    return (JsonObject) Items.plain(said);
  }

  /** Cost and time are numbers, so they are named otherwise than the fields they stand in. */
  private static String key(String field) {
    return switch (field) {
      case "actual_cost" -> "cost";
      case "actual_time" -> "time";
      default -> field;
    };
  }

  private String written(Items items) {
    Object count = items.get("entries");
    int wanted = count instanceof Long number ? Math.toIntExact(number) : 0;
    List<String> order = new ArrayList<>();
    for (int n = 1; n <= wanted; n++) order.add(String.valueOf(n));
    Map<Section, String> changed = new LinkedHashMap<>();
    List<Section> late = List.copyOf(late(0).keySet());
    // A text that says all this already stays as it is.
    if (!late.isEmpty() && !reading().items().equals(items.of(PageName.HISTORY))) {
      outline.move(late, LOG);
    }
    Map<Section, String> blocks = entries();
    blocks.forEach(
        (section, n) -> {
          Section next =
              Integer.parseInt(n) <= wanted ? changed(section, object(items, n)) : section;
          outline.replace(section, next);
          changed.put(next, n);
        });
    if (blocks.size() != wanted) {
      outline.arrange(LOG, changed, order, n -> made(object(items, n)), entry::isField);
    }
    writeTraining(items);
    return outline.text();
  }

  private static JsonObject object(Items items, String n) {
    return items.get("entry/" + n) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private Section changed(Section section, JsonObject wanted) {
    JsonObject before = said(section);
    if (before.equals(wanted)) return section;
    Section next = section.withPieces(entry.write(section.pieces(), values(wanted), false));
    return heading(before).equals(heading(wanted)) ? next : next.withHeading(heading(wanted));
  }

  private Section made(JsonObject wanted) {
    return Section.made(3, heading(wanted), entry.write(List.of(), values(wanted), true));
  }

  private String heading(JsonObject said) {
    Object step = said.get("step");
    String at = said.textOrNull("at");
    return Phrase.of(
        "### Step %s Execution%s%s%s",
        step == null ? 0 : step,
        at == null ? "" : " - " + at,
        Boolean.TRUE.equals(said.get("simulated")) ? " (simulated)" : "",
        outline.ending());
  }

  private static Map<String, Object> values(JsonObject said) {
    Map<String, Object> values = new HashMap<>();
    for (Field field : ENTRY_FIELDS) {
      Object value = said.get(key(field.name()));
      if (value != null) values.put(field.name(), value);
    }
    return values;
  }

  private void writeTraining(Items items) {
    Map<String, Object> values = PlanPage.values(items, "training/", TRAINING_FIELDS);
    boolean fresh = outline.find(TRAINING) == null;
    if (values.isEmpty()) {
      if (fresh || training.read(pieces()).values().stream().allMatch(each -> each.value() == null))
        return;
      outline.remove(TRAINING, piece -> training.isField(piece) || isNote(piece));
      return;
    }
    outline.change(
        TRAINING,
        pieces -> {
          Piece note = new Piece(0, TRAINING_NOTE + outline.ending(), true, null);
          return training.write(fresh ? List.of(note) : pieces, values, fresh);
        });
  }

  private List<Piece> pieces() {
    Section section = outline.find(TRAINING);
    return section == null ? List.of() : section.pieces();
  }

  private static boolean isNote(Piece piece) {
    return PlainValue.trim(new Lines(piece.raw()).bare(0)).equals(TRAINING_NOTE);
  }
}
