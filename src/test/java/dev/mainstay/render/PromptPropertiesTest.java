package dev.mainstay.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.context.Cases;
import dev.mainstay.render.Section.Body;
import dev.mainstay.render.Section.Keep;
import dev.mainstay.render.Section.Style;
import dev.mainstay.render.Section.Volatility;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PromptPropertiesTest {
  private static final int CASES = 250;
  private static final Pattern LAST_LINE =
      Pattern.compile(
          "\\[left out for space: items (\\d+) of (\\d+), sections (\\d+) of (\\d+),"
              + " shortened (\\d+); to see all: .*]\n");

  @Test
  void no_prompt_exceeds_its_budget() {
    Cases.forAll(
        CASES,
        random -> {
          var budget = budget(random);
          var rendered = renderer(random).render(sections(random), budget);
          assertThat(budget.size(rendered.text()))
              .isEqualTo(rendered.size())
              .isLessThanOrEqualTo(budget.limit());
        });
  }

  @Test
  void all_that_is_more_important_than_something_shown_is_shown() {
    Cases.forAll(
        CASES,
        random -> {
          var sections = sections(random);
          var rendered = renderer(random).render(sections, budget(random));
          for (Volatility volatility : Volatility.values()) {
            int lowestShown = Integer.MAX_VALUE;
            int highestMissing = Integer.MIN_VALUE;
            int incomplete = 0;
            for (int i = 0; i < sections.size(); i++) {
              if (sections.get(i).volatility() != volatility) continue;
              var part = rendered.parts().get(i);
              int priority = sections.get(i).priority();
              if (part.shown() > 0) lowestShown = Math.min(lowestShown, priority);
              if (part.leftOut() > 0) highestMissing = Math.max(highestMissing, priority);
              if (part.shown() > 0 && part.leftOut() > 0) incomplete++;
            }
            assertThat(lowestShown).isGreaterThanOrEqualTo(highestMissing);
            assertThat(incomplete).isLessThanOrEqualTo(1);
          }
        });
  }

  @Test
  void what_is_left_out_is_counted_exactly() {
    Cases.forAll(
        CASES,
        random -> {
          var sections = sections(random);
          var rendered = renderer(random).render(sections, budget(random));
          int printed = 0;
          for (int i = 0; i < sections.size(); i++) {
            var part = rendered.parts().get(i);
            int all = sections.get(i).items().size();
            assertThat(part.shown() + part.leftOut()).isEqualTo(all);
            if (sections.get(i).body().style() == Style.BULLETS) {
              assertThat(part.text().lines().filter(line -> line.startsWith("- ")).count())
                  .isEqualTo(part.shown());
            }
            printed += part.shown();
          }
          int all = sections.stream().mapToInt(section -> section.items().size()).sum();
          assertThat(rendered.leftOut().items()).isEqualTo(all - printed);
          var last = LAST_LINE.matcher(rendered.text());
          assertThat(last.find()).isEqualTo(!rendered.leftOut().isNothing());
          if (!rendered.leftOut().isNothing()) {
            assertThat(last.end()).isEqualTo(rendered.text().length());
            assertThat(Integer.parseInt(last.group(1))).isEqualTo(all - printed);
            assertThat(Integer.parseInt(last.group(2))).isEqualTo(all);
            assertThat(Integer.parseInt(last.group(5))).isEqualTo(rendered.leftOut().shortened());
          }
        });
  }

  @Test
  void the_stable_prefix_is_the_same_bytes_when_only_volatile_sections_change() {
    Cases.forAll(
        CASES,
        random -> {
          var renderer = renderer(random);
          var budget = budget(random);
          var before = sections(random);
          var after = new ArrayList<Section>();
          for (Section section : before) {
            boolean keep = section.isStable();
            if (keep) after.add(section);
            else if (random.nextInt(4) > 0) after.add(changed(section, random));
          }
          var one = renderer.render(before, budget);
          var two = renderer.render(after, budget);

          byte[] prefix = prefix(one);
          assertThat(prefix(two)).isEqualTo(prefix);
          assertThat(PrefixStats.between(one.text(), two.text()).commonBytes())
              .isGreaterThanOrEqualTo(prefix.length);
          String stable = new String(prefix, StandardCharsets.UTF_8);
          for (int i = 0; i < before.size(); i++) {
            String text = one.parts().get(i).text();
            if (before.get(i).isStable()) assertThat(stable).contains(text);
          }
        });
  }

  @Test
  void the_only_tags_in_a_prompt_are_those_of_its_sections() {
    Cases.forAll(
        CASES,
        random -> {
          var rendered = renderer(random).render(sections(random), budget(random));
          var open = new ArrayList<String>();
          for (String line : rendered.text().split("\n")) {
            if (!line.contains("<")) continue;
            assertThat(line).matches("</?s\\d+>");
            if (line.startsWith("</")) assertThat(open.remove(0)).isEqualTo(line.substring(2));
            else open.add(line.substring(1));
            assertThat(open).hasSizeLessThanOrEqualTo(1);
          }
          assertThat(open).isEmpty();
        });
  }

  private static byte[] prefix(Rendered rendered) {
    byte[] bytes = rendered.text().getBytes(StandardCharsets.UTF_8);
    return Arrays.copyOf(bytes, rendered.stablePrefixBytes());
  }

  private static Section changed(Section section, Random random) {
    return new Section(
        section.name(), random.nextInt(5), section.volatility(), body(random, section.name()));
  }

  private static List<Section> sections(Random random) {
    var sections = new ArrayList<Section>();
    int count = random.nextInt(9);
    for (int i = 0; i < count; i++) {
      var volatility = random.nextBoolean() ? Volatility.STABLE : Volatility.VOLATILE;
      String name = "s" + i;
      sections.add(new Section(name, random.nextInt(5), volatility, body(random, name)));
    }
    return sections;
  }

  private static Body body(Random random, String name) {
    var items = new ArrayList<String>();
    int count = random.nextInt(random.nextInt(20) == 0 ? 300 : 12);
    for (int i = 0; i < count; i++) {
      items.add(Cases.text(random, random.nextInt(15) == 0 ? 9_000 : 160));
    }
    return new Body(
        random.nextBoolean() ? "" : name + Cases.text(random, 20),
        random.nextInt(3) == 0 ? Style.LINES : Style.BULLETS,
        random.nextBoolean() ? Keep.FIRST : Keep.LAST,
        items);
  }

  private static Budget budget(Random random) {
    var units = Budget.Unit.values();
    var unit = units[random.nextInt(units.length)];
    int least = unit == Budget.Unit.CHARACTERS ? Budget.CHARACTERS_MIN : Budget.TOKENS_MIN;
    return new Budget(unit, least + random.nextInt(random.nextBoolean() ? 100 : 6_000));
  }

  private static PromptRenderer renderer(Random random) {
    var command = new StringBuilder("q");
    int chars = random.nextInt(PromptRenderer.COMMAND_CHARS_MAX);
    while (command.length() < chars) command.append((char) ('=' + random.nextInt(60)));
    return new PromptRenderer(command.toString());
  }
}
