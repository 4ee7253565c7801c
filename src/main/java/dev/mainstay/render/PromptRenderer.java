package dev.mainstay.render;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

/**
 * Sections in, a prompt out that never exceeds its budget. What is shown is chosen by priority; how
 * it is laid out depends on volatility: first what is stable, then what changes from turn to turn.
 *
 * <p>The stable part has a share of the budget that does not depend on the rest, so its bytes stay
 * the same however the volatile part grows; the volatile part may use what the stable part leaves.
 * Within each part everything above the least important thing shown is shown whole. If anything is
 * missing, the last line counts it and names the command that shows it.
 */
public final class PromptRenderer {
  public static final int STABLE_SHARE_PERCENT = 60;
  private static final int STABLE_SHARE_PERCENT_MAX = 75;
  private static final int ESSENTIAL_PRIORITY_MIN = 96;
  public static final int SECTIONS_MAX = 64;
  public static final int COMMAND_CHARS_MAX = 64;

  private static final Pattern COMMAND = Pattern.compile("[!-;=-~][ -;=-~]*");

  private final String command;

  /** The command is what a reader types to see all of it, such as {@code mainstay dump T-001}. */
  public PromptRenderer(String command) {
    if (command.length() > COMMAND_CHARS_MAX || !COMMAND.matcher(command).matches()) {
      throw Refusal.invalid(
          "the command that shows all of a prompt has at most 64 plain characters");
    }
    this.command = command;
  }

  public Rendered render(List<Section> sections, Budget budget) {
    check(sections);
    var stable = sections.stream().filter(Section::isStable).toList();
    var changing = sections.stream().filter(section -> !section.isStable()).toList();

    // Entries are looked at more than once, and counting them is nearly all of the work.
    var sizes = new HashMap<String, Integer>();
    ToIntFunction<String> measure = text -> sizes.computeIfAbsent(text, budget::size);

    int share = stableShare(stable, measure, budget);
    var first = Selection.of(stable, measure, share);
    int room = budget.limit() - first.size();

    var second = Selection.of(changing, measure, room);
    Rendered rendered = layOut(sections, first, second, budget);
    if (rendered.leftOut().isNothing() && rendered.size() <= budget.limit()) return rendered;

    // The last line needs room of its own, whatever it will have to count.
    second = Selection.of(changing, measure, room - lineSizeMax(sections, budget));
    rendered = layOut(sections, first, second, budget);
    // Sizes of entries add up to the size of the text except where a tokenizer joins two of them in
    // a way nobody foresaw; the promise must hold even then.
    while (rendered.size() > budget.limit() && second.dropLast()) {
      rendered = layOut(sections, first, second, budget);
    }
    return rendered;
  }

  /**
   * The stable part's share of the budget. Goal, orders and criteria may take more than the rest of
   * it would; the share depends on the stable part alone, or its bytes would change with every
   * turn.
   */
  private static int stableShare(
      List<Section> stable, ToIntFunction<String> measure, Budget budget) {
    int usual = (int) ((long) budget.limit() * STABLE_SHARE_PERCENT / 100);
    int most = (int) ((long) budget.limit() * STABLE_SHARE_PERCENT_MAX / 100);
    boolean roomForLastLine = budget.limit() - most >= budget.minimum() * 2 / 5;
    if (!roomForLastLine) return usual;
    var essential = stable.stream().filter(s -> s.priority() >= ESSENTIAL_PRIORITY_MIN).toList();
    return Math.max(usual, Selection.of(essential, measure, most).size());
  }

  private Rendered layOut(
      List<Section> sections, Selection first, Selection second, Budget budget) {
    var parts = new ArrayList<Rendered.Part>();
    var stable = new StringBuilder();
    var changing = new StringBuilder();
    for (Section section : sections) {
      var part = (section.isStable() ? first : second).part(section);
      parts.add(part);
      (section.isStable() ? stable : changing).append(part.text());
    }
    var leftOut = Rendered.LeftOut.of(parts);
    int prefixBytes = stable.toString().getBytes(StandardCharsets.UTF_8).length;
    String text = stable.append(changing).append(line(leftOut, sections)).toString();
    return new Rendered(text, budget.size(text), prefixBytes, parts, leftOut);
  }

  private String line(Rendered.LeftOut leftOut, List<Section> sections) {
    if (leftOut.isNothing()) return "";
    return Phrase.of(
        "[left out for space: items %d of %d, sections %d of %d, shortened %d; to see all: %s]\n",
        leftOut.items(),
        itemsOf(sections),
        leftOut.sections(),
        sections.size(),
        leftOut.shortened(),
        command);
  }

  /** Only digits differ between two such lines, so the greatest counts give the longest line. */
  private int lineSizeMax(List<Section> sections, Budget budget) {
    int items = itemsOf(sections);
    return budget.size(line(new Rendered.LeftOut(items, sections.size(), items), sections));
  }

  private static int itemsOf(List<Section> sections) {
    return sections.stream().mapToInt(section -> section.items().size()).sum();
  }

  private static void check(List<Section> sections) {
    if (sections.size() > SECTIONS_MAX) throw new IllegalArgumentException("too many sections");
    Set<String> names = new HashSet<>();
    for (Section section : sections) {
      if (!names.add(section.name())) {
        throw new IllegalArgumentException("two sections are named " + section.name());
      }
    }
  }
}
