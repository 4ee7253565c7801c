package dev.mainstay.directory;

import dev.mainstay.domain.Phrase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The sections of a page, found by the titles the document gives them, and changed in place. */
final class Outline {
  private static final int KNOWN_LEVEL = 2;
  private static final int BLOCK_LEVEL = 3;

  private final PageName page;
  private final Sheet sheet;
  private final List<String> titles;
  private final List<Section> sections;

  /** The titles are in the document's order. */
  Outline(PageName page, Sheet sheet, List<String> titles) {
    this.page = page;
    this.sheet = sheet;
    this.titles = titles;
    this.sections = new ArrayList<>(sheet.sections());
    for (String title : titles) {
      int first = index(title);
      for (int i = first + 1; first >= 0 && i < sections.size(); i++) {
        if (isKnown(sections.get(i), title)) {
          String sentence = Phrase.of("the section \"## %s\" is there twice; join them", title);
          throw new PageFault(page, sections.get(i).line(), 1, sentence);
        }
      }
    }
  }

  String text() {
    return sheet.text(sections);
  }

  String ending() {
    return sheet.ending();
  }

  @Nullable Section find(String title) {
    int index = index(title);
    return index < 0 ? null : sections.get(index);
  }

  /** The section, without which the file is not recognised. */
  Section required(String title) {
    Section section = find(title);
    if (section != null) return section;
    String sentence = Phrase.of("the section \"## %s\" is missing; the file may be cut off", title);
    throw new PageFault(page, 1, 1, sentence);
  }

  /** The sections of the third level below a title, those that the document has blocks for. */
  Map<Section, String> blocks(String title, Function<Section, @Nullable String> idOf) {
    Map<Section, String> blocks = new LinkedHashMap<>();
    int index = index(title);
    if (index < 0) return blocks;
    for (Section section : sections.subList(index + 1, end(index))) {
      String id = section.level() == BLOCK_LEVEL ? idOf.apply(section) : null;
      if (id != null) blocks.put(section, id);
    }
    return blocks;
  }

  /** Whether both are there, the second behind the first. */
  boolean isBehind(String second, String first) {
    int index = index(first);
    return index >= 0 && index(second) > index;
  }

  /** Puts blocks, each with what is below it, at the end of what stands below a title. */
  void move(List<Section> blocks, String title) {
    for (Section block : blocks) {
      int from = sections.indexOf(block);
      int to = from + 1;
      while (to < sections.size() && sections.get(to).level() > BLOCK_LEVEL) to++;
      List<Section> taken = new ArrayList<>(sections.subList(from, to));
      sections.subList(from, to).clear();
      if (from == sections.size()) trimEnd(from - 1);
      int at = end(index(title));
      endWithBlank(sections, at - 1);
      endWithBlank(taken, taken.size() - 1);
      sections.addAll(at, taken);
    }
  }

  private void endWithBlank(List<Section> all, int index) {
    Section section = all.get(index);
    List<Piece> pieces = new ArrayList<>(section.pieces());
    if (!pieces.isEmpty() && pieces.get(pieces.size() - 1).isBlank()) return;
    pieces.add(Piece.made(sheet.ending()));
    all.set(index, section.withPieces(pieces));
  }

  /** Changes the lines of a section; one that is missing is made, where the document has it. */
  void change(String title, UnaryOperator<List<Piece>> change) {
    int index = ensure(title);
    Section section = sections.get(index);
    sections.set(index, section.withPieces(change.apply(section.pieces())));
  }

  /** Removes a section; if a person wrote something there, only its items. */
  void remove(String title, Predicate<Piece> isItem) {
    int index = index(title);
    if (index < 0) return;
    List<Piece> left = sections.get(index).remains(isItem);
    if (!left.isEmpty()) {
      sections.set(index, sections.get(index).withPieces(left));
      return;
    }
    sections.remove(index);
    // A file of Mainstay's own ends with one line end, as it did before the section was added.
    if (index == sections.size() && index > 0) trimEnd(index - 1);
  }

  private void trimEnd(int index) {
    Section last = sections.get(index);
    sections.set(index, last.withPieces(last.pieces().subList(0, ListLines.end(last.pieces()))));
  }

  /** Brings the blocks below a title into this order, each with the free text behind it. */
  void arrange(
      String title,
      Map<Section, String> blocks,
      List<String> order,
      Function<String, Section> make,
      Predicate<Piece> isItem) {
    if (order.isEmpty() && blocks.isEmpty()) return;
    int index = ensure(title);
    int end = end(index);
    List<Slots.Slot<List<Section>>> slots = new ArrayList<>();
    for (Section section : sections.subList(index + 1, end)) {
      String id = blocks.get(section);
      boolean leads = id != null || slots.isEmpty() || isBreak(section);
      if (leads) slots.add(new Slots.Slot<>(id, new ArrayList<>(List.of(section))));
      else slots.get(slots.size() - 1).thing().add(section);
    }
    List<List<Section>> arranged =
        Slots.arrange(
            slots,
            order,
            id -> List.of(make.apply(id)),
            gone -> remains(gone, isItem),
            slots.size());
    List<Section> flat = arranged.stream().flatMap(List::stream).toList();
    sections.subList(index + 1, end).clear();
    sections.addAll(index + 1, flat);
  }

  private static List<List<Section>> remains(List<Section> gone, Predicate<Piece> isItem) {
    List<Section> left = new ArrayList<>();
    List<Piece> pieces = gone.get(0).remains(isItem);
    if (!pieces.isEmpty()) left.add(Section.made(0, "", pieces));
    left.addAll(gone.subList(1, gone.size()));
    return left.isEmpty() ? List.of() : List.of(left);
  }

  void replace(Section old, Section changed) {
    sections.replaceAll(each -> each == old ? changed : each);
  }

  /** A heading of a person's own that does not belong to the block before it. */
  private static boolean isBreak(Section section) {
    return section.level() > 0 && section.level() <= KNOWN_LEVEL;
  }

  private static boolean isKnown(Section section, String title) {
    return section.level() == KNOWN_LEVEL && section.title().equalsIgnoreCase(title);
  }

  private int index(String title) {
    for (int i = 0; i < sections.size(); i++) if (isKnown(sections.get(i), title)) return i;
    return -1;
  }

  /** The index of the next section that the document knows; other headings end nothing. */
  private int end(int index) {
    int end = index + 1;
    while (end < sections.size() && !isKnown(sections.get(end))) end++;
    return end;
  }

  private boolean isKnown(Section section) {
    return titles.stream().anyMatch(title -> isKnown(section, title));
  }

  private int ensure(String title) {
    int index = index(title);
    if (index >= 0) return index;
    int at = sections.size();
    int rank = titles.indexOf(title);
    for (int i = rank + 1; i < titles.size(); i++) {
      int next = index(titles.get(i));
      if (next >= 0) at = Math.min(at, next);
    }
    for (int i = rank - 1; i >= 0; i--) {
      int before = index(titles.get(i));
      if (before >= 0) {
        at = end(before);
        break;
      }
    }
    sections.add(at, Section.made(KNOWN_LEVEL, "## " + title + sheet.ending(), List.of()));
    return at;
  }
}
