package dev.mainstay.directory;

import dev.mainstay.directory.Field.Kind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** plan.md: the metadata of an execution and its steps. */
final class PlanPage {
  private static final String HOW_TO =
      "[A heading \"### Step 1: Action Name\" for each step, with the fields component,"
          + " tool_mapping, status, inputs, expected_outputs, estimated_cost, estimated_time and"
          + " side_effects]";

  private static final String METADATA = "Metadata";
  private static final String STEPS = "Steps";
  private static final List<String> TITLES = List.of(METADATA, STEPS);
  private static final Pattern HEADING = Pattern.compile("(?s)Step +(\\d{1,9})(:.*|)");
  private static final Pattern STEP = Pattern.compile("(?s)Step +\\d{1,9}\\b.*");

  static final List<Field> META_FIELDS =
      List.of(
          Field.of("execution_id", Kind.WORD),
          Field.of("goal", Kind.TEXT),
          Field.of("status", Kind.WORD),
          Field.of("current_step", Kind.NUMBER),
          Field.of("start_time", Kind.WORD),
          Field.of("last_updated", Kind.WORD),
          Field.of("mode", Kind.WORD));

  static final List<Field> STEP_FIELDS =
      List.of(
          Field.of("component", Kind.TEXT),
          Field.of("tool_mapping", Kind.TEXT),
          Field.of("status", Kind.WORD),
          Field.of("inputs", Kind.PARAMETERS),
          Field.of("expected_outputs", Kind.PARAMETERS),
          Field.of("estimated_cost", Kind.MONEY),
          Field.of("estimated_time", Kind.SECONDS),
          Field.of("side_effects", Kind.TEXT),
          Field.extra("note", Kind.TEXT));

  private final Outline outline;
  private final FieldBlock meta;
  private final FieldBlock step;

  private PlanPage(String text) {
    Sheet sheet = Sheet.of(text);
    this.outline = new Outline(PageName.PLAN, sheet, TITLES);
    this.meta = new FieldBlock(PageName.PLAN, META_FIELDS, sheet.ending());
    this.step = new FieldBlock(PageName.PLAN, STEP_FIELDS, sheet.ending());
  }

  /** A plan without steps says how one is written. */
  static String template(String title, boolean steps) {
    String form = "# Execution Plan" + title + "\n\n## Metadata\n\n## Steps\n";
    return steps ? form : form + HOW_TO + "\n";
  }

  static Reading read(String text) {
    return new PlanPage(text).reading();
  }

  static String write(Items items, String layout, boolean fresh) {
    // Once there are steps, nobody needs to be told how to write one.
    String form = items.has("steps") ? layout.replace(HOW_TO + "\n", "") : layout;
    return new PlanPage(form).written(items, fresh);
  }

  private Reading reading() {
    Reading.Notes notes = new Reading.Notes();
    Section metadata = outline.required(METADATA);
    var fields = meta.read(metadata.pieces());
    fields.forEach(
        (name, found) -> {
          if (found.value() != null) notes.put("meta/" + name, found.value(), found.piece().line());
        });
    var id = fields.get("execution_id");
    if (id == null || id.value() == null) {
      throw new PageFault(
          PageName.PLAN, metadata.line(), 1, "execution_id is missing; the file may be cut off");
    }
    Map<Section, String> steps = steps();
    Section first = steps.isEmpty() ? metadata : steps.keySet().iterator().next();
    notes.put("steps", List.copyOf(steps.values()), first.line());
    steps.forEach((section, each) -> readStep(notes, section, "step/" + each));
    return notes.reading();
  }

  private void readStep(Reading.Notes notes, Section section, String key) {
    step.read(section.pieces())
        .forEach(
            (name, found) -> {
              int line = found.piece().line();
              if (found.value() instanceof Map<?, ?> map) {
                notes.put(key + "/" + name, List.copyOf(map.keySet()), line);
                step.parameters(found.piece(), found.line())
                    .forEach(
                        (each, parameter) ->
                            notes.put(
                                key + "/" + name + "/" + Items.part(each),
                                parameter.value(),
                                parameter.line()));
              } else if (found.value() != null) {
                notes.put(key + "/" + name, found.value(), line);
              }
            });
  }

  /** The blocks of the steps with their ids; equal labels are counted. */
  private Map<Section, String> steps() {
    Map<String, Integer> seen = new HashMap<>();
    return outline.blocks(
        STEPS,
        section -> {
          String label = label(section);
          if (label == null) return null;
          int k = seen.merge(label, 1, Integer::sum) - 1;
          return Items.part(label) + "#" + k;
        });
  }

  private static @Nullable String label(Section section) {
    Matcher matcher = HEADING.matcher(section.title());
    if (matcher.matches() && !matcher.group(2).isEmpty()) {
      return PlainValue.text(matcher.group(2).substring(1));
    }
    if (STEP.matcher(section.title()).matches()) {
      String sentence = "write a step's heading as \"### Step 1: what is done\"";
      throw new PageFault(PageName.PLAN, section.line(), 1, sentence);
    }
    return null;
  }

  private String written(Items items, boolean fresh) {
    Map<String, Object> metadata = values(items, "meta/", META_FIELDS);
    if (!metadata.isEmpty() || fresh) {
      outline.change(METADATA, pieces -> meta.write(pieces, metadata, fresh));
    }
    Map<Section, String> blocks = steps();
    List<String> order = items.texts("steps");
    boolean moved = !order.equals(List.copyOf(blocks.values()));
    Map<String, Integer> numbers = new HashMap<>();
    for (String id : order) numbers.put(id, numbers.size() + 1);
    Map<Section, String> changed = new LinkedHashMap<>();
    blocks.forEach(
        (section, id) -> {
          Section next = section;
          Integer number = numbers.get(id);
          if (number != null) {
            var values = values(items, "step/" + id + "/", STEP_FIELDS);
            next = section.withPieces(step.write(section.pieces(), values, false));
            if (moved) next = numbered(next, id, number);
          }
          outline.replace(section, next);
          changed.put(next, id);
        });
    if (moved)
      outline.arrange(
          STEPS, changed, order, id -> made(items, id, numbers.getOrDefault(id, 0)), step::isField);
    return outline.text();
  }

  private Section made(Items items, String id, int number) {
    var values = values(items, "step/" + id + "/", STEP_FIELDS);
    return Section.made(3, heading(id, number), step.write(List.of(), values, true));
  }

  private Section numbered(Section section, String id, int number) {
    Matcher matcher = HEADING.matcher(section.title());
    boolean right = matcher.matches() && matcher.group(1).equals(String.valueOf(number));
    return right ? section : section.withHeading(heading(id, number));
  }

  private String heading(String id, int number) {
    String label = Items.unpart(id.substring(0, id.lastIndexOf('#')));
    // Number signs at the end of a heading are taken for its end.
    String spelled = label.endsWith("#") ? PlainValue.quoted(label) : PlainValue.line(label);
    return "### Step " + number + ": " + spelled + outline.ending();
  }

  /** The values of a block's fields by their names; parameters as a map in their order. */
  static Map<String, Object> values(Items items, String prefix, List<Field> fields) {
    Map<String, Object> values = new HashMap<>();
    for (Field field : fields) {
      String key = prefix + field.name();
      if (field.kind() != Kind.PARAMETERS) {
        Object value = items.get(key);
        if (value != null) values.put(field.name(), value);
        continue;
      }
      Map<String, Object> parameters = new LinkedHashMap<>();
      for (String name : items.texts(key)) {
        Object value = items.get(key + "/" + Items.part(name));
        parameters.put(name, value == null ? Items.NULL : value);
      }
      if (!parameters.isEmpty()) values.put(field.name(), parameters);
    }
    return values;
  }
}
