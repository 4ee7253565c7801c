package dev.mainstay.render;

import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * What of some sections fits a room, the most important first. Strict: once an entry does not fit,
 * nothing of less importance is taken, so whoever sees an entry knows that all above it is there.
 */
final class Selection {
  /** A longer entry is shown by its beginning: one giant must not push out all that follows. */
  private static final int ENTRY_SHARE_PERCENT = 50;

  private final ToIntFunction<String> measure;
  private final int room;
  private final Map<String, List<Entry>> taken = new LinkedHashMap<>(); // by section, as ranked
  private int size;

  private Selection(ToIntFunction<String> measure, int room) {
    this.measure = measure;
    this.room = room;
  }

  static Selection of(List<Section> sections, ToIntFunction<String> measure, int room) {
    var selection = new Selection(measure, room);
    var ranked = new ArrayList<>(sections);
    ranked.sort(Comparator.comparingInt(Section::priority).reversed()); // stable: ties as declared
    for (Section section : ranked) {
      if (!selection.takeAll(section)) break;
    }
    return selection;
  }

  /** One item as it is printed. */
  private record Entry(String text, boolean shortened) {}

  int size() {
    return size;
  }

  private boolean takeAll(Section section) {
    var items = new ArrayList<>(section.items());
    if (section.body().keep() == Section.Keep.LAST) Collections.reverse(items);
    int frame =
        measure.applyAsInt(opening(section)) + measure.applyAsInt(Delimiters.close(section.name()));
    for (String item : items) {
      if (!take(section, item, frame)) return false;
      frame = 0;
    }
    return true;
  }

  private boolean take(Section section, String item, int frame) {
    Entry entry = entry(section.body().style().bullet() + Delimiters.entry(item) + "\n");
    int more = frame + measure.applyAsInt(entry.text());
    if (size + more > room) return false;
    taken.computeIfAbsent(section.name(), any -> new ArrayList<>()).add(entry);
    size += more;
    return true;
  }

  private Entry entry(String whole) {
    int most = (int) ((long) room * ENTRY_SHARE_PERCENT / 100);
    var entryRoom = new Excerpts.Room(most, measure);
    String text = Excerpts.head(whole, entryRoom, x -> Phrase.of("... [%d more characters]\n", x));
    return new Entry(text, !text.equals(whole));
  }

  /** Gives back the least important entry; false when there is none. */
  boolean dropLast() {
    var sections = new ArrayList<>(taken.values());
    if (sections.isEmpty()) return false;
    var last = sections.get(sections.size() - 1);
    last.remove(last.size() - 1);
    taken.values().removeIf(List::isEmpty);
    return true;
  }

  /** How a section came out. */
  Rendered.Part part(Section section) {
    var entries = new ArrayList<>(taken.getOrDefault(section.name(), List.of()));
    int leftOut = section.items().size() - entries.size();
    if (entries.isEmpty()) return new Rendered.Part(section.name(), "", 0, leftOut, 0);
    if (section.body().keep() == Section.Keep.LAST) Collections.reverse(entries);
    var text = new StringBuilder(opening(section));
    for (Entry entry : entries) text.append(entry.text());
    text.append(Delimiters.close(section.name()));
    int shortened = (int) entries.stream().filter(Entry::shortened).count();
    return new Rendered.Part(section.name(), text.toString(), entries.size(), leftOut, shortened);
  }

  private static String opening(Section section) {
    String heading = Delimiters.entry(section.body().heading());
    return Delimiters.open(section.name()) + (heading.isEmpty() ? "" : heading + "\n");
  }
}
