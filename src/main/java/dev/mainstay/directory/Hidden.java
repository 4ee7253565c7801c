package dev.mainstay.directory;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Items that stand in a file and are not read, because something above them was left open: a code
 * fence, a comment. They would look as if somebody had taken them away.
 */
final class Hidden {
  private static final Pattern ENTRY = Pattern.compile("### Step \\d+ Execution - .*");

  private Hidden() {}

  /** What is wrong with a file in which known lines are still there, but not as items. */
  static @Nullable Finding in(PageName page, String text, Reading reading, String base) {
    Items known = Page.read(page, base).items();
    return switch (page) {
      case CONTEXT, VARIABLES -> null;
      case PLAN -> step(text, reading, known);
      case HISTORY -> {
        boolean fewer = count(reading.items()) < count(known);
        yield fewer ? first(page, text, reading, line -> ENTRY.matcher(line).matches()) : null;
      }
      case CONSTRAINTS -> constraint(text, reading, known, base);
    };
  }

  private static long count(Items items) {
    return items.get("entries") instanceof Long count ? count : 0;
  }

  /** A step whose heading is there more often than it was read. */
  private static @Nullable Finding step(String text, Reading reading, Items known) {
    for (String id : known.texts("steps")) {
      if (reading.items().texts("steps").contains(id)) continue;
      String label = StepItems.label(id);
      long read =
          reading.items().texts("steps").stream()
              .filter(each -> StepItems.label(each).equals(label))
              .count();
      Pattern heading = Pattern.compile("### Step \\d+: *" + Pattern.quote(label));
      long there = text.lines().filter(line -> heading.matcher(line.strip()).matches()).count();
      if (there > read) {
        return first(PageName.PLAN, text, reading, line -> heading.matcher(line).matches());
      }
    }
    return null;
  }

  private static @Nullable Finding constraint(
      String text, Reading reading, Items known, String base) {
    Set<String> lost = new HashSet<>();
    String[] lines = base.split("\n", -1);
    Page.read(PageName.CONSTRAINTS, base)
        .lines()
        .forEach(
            (key, line) -> {
              boolean gone = known.has(key) && !reading.items().has(key) && !Items.isOrder(key);
              if (gone) lost.add(lines[Math.min(line, lines.length) - 1].strip());
            });
    lost.remove("");
    return first(PageName.CONSTRAINTS, text, reading, lost::contains);
  }

  private static @Nullable Finding first(
      PageName page, String text, Reading reading, Predicate<String> wanted) {
    Set<Integer> read = new HashSet<>(reading.lines().values());
    String[] lines = text.split("\n", -1);
    for (int at = 0; at < lines.length; at++) {
      if (!wanted.test(lines[at].strip()) || read.contains(at + 1)) continue;
      String sentence =
          "column 1: this line is not read, because something above it is open, such as a code block or a comment; close it";
      return new Finding(page.file(), at + 1, Finding.Kind.FAULT, sentence);
    }
    return null;
  }
}
