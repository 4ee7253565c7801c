package dev.mainstay.diagram;

import dev.mainstay.bpmn.Node.Loop;
import dev.mainstay.domain.Phrase;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How often an activity is done. */
final class LoopReader {
  /** A list of more numbers would be a longer expression than there may be. */
  static final int CARDINALITY_MAX = 200;

  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");

  private final Map<String, Tag> named;
  private final Findings findings;

  LoopReader(Map<String, Tag> named, Findings findings) {
    this.named = named;
    this.findings = findings;
  }

  /** Null when it is done once. */
  @Nullable Loop loop(Tag activity, String id) {
    if (activity.child("standardLoopCharacteristics").isPresent()) {
      findings.fatal(
          id,
          "a standard loop is not run",
          "draw the loop: an exclusive gateway behind the activity with a flow back to it");
    }
    Tag loop = activity.child("multiInstanceLoopCharacteristics").orElse(null);
    if (loop == null) return null;
    refuseEvents(loop, id);
    String item = loop.ownOr("item", "elementVariable");
    if (item == null) item = loop.child("inputDataItem").map(LoopReader::label).orElse(null);
    return new Loop(
        loop.flag("isSequential", false),
        collection(loop, id),
        item == null || item.isBlank() ? Loop.ITEM : item.strip(),
        loop.expressionOf("completionCondition"),
        results(loop));
  }

  private void refuseEvents(Tag loop, String id) {
    String behaviour = Objects.requireNonNullElse(loop.attribute("behavior"), "All");
    if (behaviour.equals("All")) return;
    findings.fatal(
        id,
        Phrase.of("a multi-instance loop with behavior \"%s\" is not run", behaviour),
        "leave behavior out, and draw what happens behind the activity");
  }

  private String collection(Tag loop, String id) {
    String collection = loop.ownOr("collection", "collection");
    if (collection == null) collection = dataName(loop, "loopDataInputRef");
    if (collection != null) return Tag.expression(collection);
    String cardinality = loop.expressionOf("loopCardinality");
    if (cardinality == null) return "";
    if (!WHOLE.matcher(cardinality).matches() || Integer.parseInt(cardinality) > CARDINALITY_MAX) {
      findings.fatal(
          id,
          Phrase.of(
              "the loop cardinality \"%s\" is no number from 0 to %d",
              cardinality, CARDINALITY_MAX),
          "write such a number, or name a list with mainstay:collection");
      return "[]";
    }
    return IntStream.rangeClosed(1, Integer.parseInt(cardinality))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private @Nullable String results(Tag loop) {
    String own = loop.own("results");
    return own == null ? dataName(loop, "loopDataOutputRef") : own.strip();
  }

  /** What the data that a loop refers to is called. */
  private @Nullable String dataName(Tag loop, String child) {
    String reference = loop.child(child).map(each -> Tag.local(each.text())).orElse("");
    if (reference.isEmpty()) return null;
    Tag data = named.get(reference);
    return data == null ? reference : label(data);
  }

  private static String label(Tag data) {
    String name = data.attribute("name");
    return name == null || name.isBlank() ? data.id() : name.strip();
  }
}
