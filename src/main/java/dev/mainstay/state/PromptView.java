package dev.mainstay.state;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.render.Budget;
import dev.mainstay.render.Rendered;
import dev.mainstay.render.Rendered.Part;
import dev.mainstay.render.Section;
import dev.mainstay.render.Section.Volatility;
import dev.mainstay.render.Tokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A prompt section by section: what each takes, which stay from turn to turn, what is missing. */
public record PromptView(Rendered rendered, Budget budget, Set<String> stable, String wholeBy) {
  public PromptView {
    stable = Set.copyOf(stable);
  }

  static PromptView of(List<Section> sections, Rendered rendered, Budget budget, String wholeBy) {
    Set<String> stable = new HashSet<>();
    for (Section each : sections) {
      if (each.volatility() == Volatility.STABLE) stable.add(each.name());
    }
    return new PromptView(rendered, budget, stable, wholeBy);
  }

  public JsonObject onto(JsonObject json) {
    List<JsonObject> shown = new ArrayList<>();
    List<JsonObject> missing = new ArrayList<>();
    for (Part part : rendered.parts()) {
      if (!part.text().isEmpty()) shown.add(shown(part));
      if (part.leftOut() > 0 || part.shortened() > 0) missing.add(missing(part));
    }
    return json.with("prompt", rendered.text())
        .with("tokens", Tokens.O200K.count(rendered.text()))
        .with("budget", budget.limit())
        .with("unit", budget.unit() == Budget.Unit.CHARACTERS ? "characters" : "tokens")
        .with("size", rendered.size())
        .with("sections", shown)
        .with("left_out", missing);
  }

  private JsonObject shown(Part part) {
    return JsonObject.of("name", part.name(), "text", part.text())
        .with("tokens", Tokens.O200K.count(part.text()))
        .with("stable", stable.contains(part.name()));
  }

  private JsonObject missing(Part part) {
    return JsonObject.of("what", part.name(), "how", wholeBy)
        .with("count", part.leftOut())
        .with("shortened", part.shortened());
  }
}
