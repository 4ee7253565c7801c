package dev.mainstay.domain;

import dev.mainstay.domain.JournalEntry.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What everybody who works on a task knows together: seven sections of short notes, newest last.
 * Its limits always hold; what they cost is counted per section and stays in the journal.
 */
public record Notebook(Map<Section, Page> pages) {
  public static final int NOTE_CHARS_MAX = Note.CHARS_MAX;
  public static final int HISTORY_ITEMS_MAX = 3;
  public static final int LIST_ITEMS_MAX = 50;

  public static final Notebook EMPTY = new Notebook(Map.of());

  /** What happens to notes of a section when more come. */
  public enum Keeping {
    /** An exact duplicate is kept once, at the newest place. */
    ONCE,
    /** Repeats are kept: doing a thing twice is two things. */
    EVERY,
    /** The newest replaces the one before, which no limit dropped and nobody counts. */
    LAST
  }

  /** The sections in the order in which they are shown. */
  public enum Section {
    GOALS("Goals", LIST_ITEMS_MAX, Keeping.ONCE),
    CONSTRAINTS("Constraints", LIST_ITEMS_MAX, Keeping.ONCE),
    DECISIONS("Decisions", LIST_ITEMS_MAX, Keeping.ONCE),
    HYPOTHESES("Hypotheses", LIST_ITEMS_MAX, Keeping.ONCE),
    HISTORY("History", HISTORY_ITEMS_MAX, Keeping.EVERY),
    OPEN_ISSUES("Open issues", LIST_ITEMS_MAX, Keeping.ONCE),
    NEXT_FOCUS("Next focus", 1, Keeping.LAST);

    private final String title;
    private final int itemsMax;
    private final Keeping keeping;

    Section(String title, int itemsMax, Keeping keeping) {
      this.title = title;
      this.itemsMax = itemsMax;
      this.keeping = keeping;
    }

    public String title() {
      return title;
    }

    public int itemsMax() {
      return itemsMax;
    }

    public Keeping keeping() {
      return keeping;
    }

    /** The field's name in JSON: {@code open_issues}. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** All names, in order. */
    public static List<String> keys() {
      return Arrays.stream(values()).map(Section::key).toList();
    }
  }

  /** The notes of one section, and how many its limits dropped and shortened so far. */
  public record Page(List<Note> notes, long dropped, long shortened) {
    public static final Page EMPTY = new Page(List.of(), 0, 0);

    public Page {
      notes = List.copyOf(notes);
      if (dropped < 0 || shortened < 0) throw new IllegalStateException("counts below zero");
    }

    public List<String> texts() {
      return notes.stream().map(Note::text).toList();
    }
  }

  public Notebook {
    Map<Section, Page> kept = new EnumMap<>(Section.class);
    pages.forEach(
        (section, page) -> {
          check(section, page);
          if (!page.equals(Page.EMPTY)) kept.put(section, page);
        });
    pages = Collections.unmodifiableMap(kept);
  }

  private static void check(Section section, Page page) {
    if (page.notes().size() > section.itemsMax()) {
      throw new IllegalStateException(section + " holds " + page.notes().size() + " notes");
    }
    if (section.keeping() == Keeping.ONCE
        && new HashSet<>(page.texts()).size() < page.notes().size()) {
      throw new IllegalStateException(section + " holds a note twice");
    }
  }

  public Page page(Section section) {
    return pages.getOrDefault(section, Page.EMPTY);
  }

  public List<String> texts(Section section) {
    return page(section).texts();
  }

  /** What comes next, or null. */
  public @Nullable Note nextFocus() {
    var notes = page(Section.NEXT_FOCUS).notes();
    return notes.isEmpty() ? null : notes.get(0);
  }

  /** Nothing is noted. */
  public boolean isEmpty() {
    return pages.values().stream().allMatch(page -> page.notes().isEmpty());
  }

  /**
   * Returns this notebook with the update added, within the limits: the merge as a pure function,
   * for callers that keep notebooks themselves.
   *
   * @param update what is added; blank fields change nothing
   * @param origin who says so, through which interface, when
   */
  public Notebook merged(NotebookDelta update, Origin origin) {
    return new NotebookEvent.Merged(update).applyTo(this, origin);
  }

  /**
   * Returns this notebook with the notes of another one added: lists grow, the other's next focus
   * replaces this one's, and each note keeps its author.
   */
  public Notebook merged(Notebook update) {
    Notebook after = this;
    for (var more : update.pages().entrySet()) {
      Section section = more.getKey();
      after = after.with(section, Caps.merged(section, after.page(section), more.getValue()));
    }
    return after;
  }

  /** Adds what the update says; an update that says nothing is no event. */
  public List<NotebookEvent> merge(NotebookDelta update) {
    return update.isEmpty() ? List.of() : List.of(new NotebookEvent.Merged(update));
  }

  /** Puts this in place of everything; what was there before keeps its author. */
  public List<NotebookEvent> save(NotebookDelta whole) {
    return List.of(new NotebookEvent.Saved(whole));
  }

  /** Settles an open issue, or decides a hypothesis; named by its text or its number from 1. */
  public List<NotebookEvent> resolve(String item, Resolution how) {
    var texts = texts(how.section());
    String text = texts.get(Choice.of(how.what(), item, texts));
    return List.of(new NotebookEvent.Resolved(text, how));
  }

  /** The seven fields with plain texts, as {@code state} shows them to other programs. */
  public JsonObject toBlob() {
    JsonObject blob = JsonObject.EMPTY;
    for (Section section : Section.values()) blob = blob.with(section.key(), texts(section));
    Note focus = nextFocus();
    return blob.with(Section.NEXT_FOCUS.key(), focus == null ? "" : focus.text());
  }

  /** Reads a blob, whoever wrote it; authors and counts are not in there, so all is theirs. */
  public static Notebook fromBlob(JsonObject blob, Origin origin) {
    return new NotebookEvent.Saved(NotebookDelta.fromBlob(blob)).applyTo(EMPTY, origin);
  }

  /** Everything, with authors and counts: what a snapshot of the journal keeps. */
  public JsonObject toJson() {
    return toJson(EMPTY);
  }

  public static Notebook fromJson(JsonObject json) {
    return fromJson(EMPTY, json);
  }

  /**
   * The same, as what became of an earlier one: the pages that differ, each with how many of the
   * newest notes before are its first ones now, and with those that follow them.
   */
  public JsonObject toJson(Notebook base) {
    JsonObject json = JsonObject.EMPTY;
    for (Section section : Section.values()) {
      Page was = base.page(section);
      Page is = page(section);
      if (is.equals(was)) continue;
      int kept = kept(was.notes(), is.notes());
      List<Note> fresh = is.notes().subList(kept, is.notes().size());
      JsonObject page = JsonObject.of("notes", fresh.stream().map(Note::toJson).toList());
      if (kept > 0) page = page.with("kept", kept);
      page = page.with("dropped", is.dropped()).with("shortened", is.shortened());
      json = json.with(section.key(), page);
    }
    return json;
  }

  /** Limits drop the oldest notes and new ones come last, so mostly it is all but a few. */
  private static int kept(List<Note> was, List<Note> is) {
    for (int kept = Math.min(was.size(), is.size()); kept > 0; kept--) {
      if (was.subList(was.size() - kept, was.size()).equals(is.subList(0, kept))) return kept;
    }
    return 0;
  }

  /** Reads what {@link #toJson(Notebook)} wrote of the same earlier one. */
  public static Notebook fromJson(Notebook base, JsonObject since) {
    Map<Section, Page> pages = new EnumMap<>(Section.class);
    pages.putAll(base.pages);
    for (Section section : Section.values()) {
      if (!since.has(section.key())) continue;
      JsonObject page = since.object(section.key());
      List<Note> was = base.page(section).notes();
      int kept = page.has("kept") ? page.integer("kept") : 0;
      if (kept < 0 || kept > was.size()) {
        throw new IllegalStateException(section + " keeps " + kept + " of " + was.size());
      }
      List<Note> notes = new ArrayList<>(was.subList(was.size() - kept, was.size()));
      for (JsonObject note : page.objects("notes")) notes.add(Note.fromJson(note));
      pages.put(section, new Page(notes, page.number("dropped"), page.number("shortened")));
    }
    return new Notebook(pages);
  }

  Notebook with(Section section, Page page) {
    Map<Section, Page> next = new EnumMap<>(Section.class);
    next.putAll(pages);
    next.put(section, page);
    return new Notebook(next);
  }

  Notebook without(Section section, String text) {
    Page page = page(section);
    List<Note> rest = new ArrayList<>(page.notes());
    rest.removeIf(note -> note.text().equals(text));
    return with(section, new Page(rest, page.dropped(), page.shortened()));
  }
}
