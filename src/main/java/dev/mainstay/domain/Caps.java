package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import dev.mainstay.domain.Notebook.Keeping;
import dev.mainstay.domain.Notebook.Page;
import dev.mainstay.domain.Notebook.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Brings notes within the limits of their section and counts what that cost. */
final class Caps {
  private Caps() {}

  /** The page with these texts after the notes that it has. */
  static Page added(Section section, Page page, List<String> texts, Origin by) {
    List<Note> notes = new ArrayList<>(page.notes());
    for (String text : texts) notes.add(new Note(cut(text), by));
    return capped(section, notes, page, cuts(texts));
  }

  /** The page with these texts instead; a text that was there before keeps its author. */
  static Page replaced(Section section, Page page, List<String> texts, Origin by) {
    Map<String, Note> before = new LinkedHashMap<>();
    for (Note note : page.notes()) before.put(note.text(), note);
    List<Note> notes = new ArrayList<>();
    for (String text : texts) {
      String cut = cut(text);
      notes.add(before.getOrDefault(cut, new Note(cut, by)));
    }
    return capped(section, notes, page, cuts(texts));
  }

  /** The page with the notes of another one after its own; the counts of both are added. */
  static Page merged(Section section, Page page, Page more) {
    if (more.notes().isEmpty()) return page;
    List<Note> notes = new ArrayList<>(page.notes());
    notes.addAll(more.notes());
    Page both = capped(section, notes, page, more.shortened());
    if (section.keeping() == Keeping.LAST) return both;
    return new Page(both.notes(), both.dropped() + more.dropped(), both.shortened());
  }

  private static Page capped(Section section, List<Note> notes, Page before, long cuts) {
    List<Note> kept = section.keeping() == Keeping.EVERY ? notes : once(notes);
    int over = Math.max(0, kept.size() - section.itemsMax());
    kept = kept.subList(over, kept.size());
    // Of a section with one value, only that value counts: the others were replaced, not dropped.
    if (section.keeping() == Keeping.LAST) return new Page(kept, 0, cuts);
    return new Page(kept, before.dropped() + over, before.shortened() + cuts);
  }

  private static List<Note> once(List<Note> notes) {
    Map<String, Note> byText = new LinkedHashMap<>();
    for (Note note : notes) {
      // Taken out before it is put in again: so it stands at the newest place.
      Note first = byText.remove(note.text());
      Origin author = first == null ? note.origin() : Note.author(first.origin(), note.origin());
      byText.put(note.text(), author == note.origin() ? note : new Note(note.text(), author));
    }
    return List.copyOf(byText.values());
  }

  private static String cut(String text) {
    return Graphemes.cut(text, Note.CHARS_MAX).stripTrailing();
  }

  private static long cuts(List<String> texts) {
    return texts.stream().filter(text -> text.length() > Note.CHARS_MAX).count();
  }
}
