package dev.mainstay.rules;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The variables that an expression is asked over, and how much work is left for it. */
final class Given {
  /** One for each character and each item that is looked at, copied or compared. */
  static final int WORK_STEPS_MAX = 10_000_000;

  /** Beyond these, whoever wrote a name wrong is not told which one is the nearest. */
  private static final int NAMES_COMPARED_MAX = 1_000;

  private static final int NAME_CHARS_COMPARED_MAX = 100;

  private final JsonObject variables;
  private long stepsLeft = WORK_STEPS_MAX;

  Given(JsonObject variables) {
    this.variables = variables;
  }

  /** Takes the work off what is left; what has used it all up gets no answer. */
  void work(long steps) {
    stepsLeft -= steps;
    if (stepsLeft < 0) {
      throw new Unanswered(
          Phrase.of("it takes more than %d steps to work out; make it simpler", WORK_STEPS_MAX));
    }
  }

  @Nullable Object variable(String name) {
    if (variables.has(name)) return variables.get(name);
    throw new Unanswered(
        Phrase.of("there is no variable \"%s\"", name) + nearest(name, variables.asMap().keySet()));
  }

  /** The end of a sentence that says which name was meant, if there is any to say. */
  static String nearest(String name, Collection<String> known) {
    if (known.size() > NAMES_COMPARED_MAX || name.length() > NAME_CHARS_COMPARED_MAX) return "";
    List<String> likely =
        known.stream().filter(each -> each.length() <= NAME_CHARS_COMPARED_MAX).toList();
    if (likely.isEmpty()) return "";
    return Nearest.hint(name, likely);
  }
}
