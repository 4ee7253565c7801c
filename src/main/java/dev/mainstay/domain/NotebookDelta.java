package dev.mainstay.domain;

import dev.mainstay.domain.Notebook.Keeping;
import dev.mainstay.domain.Notebook.Section;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What somebody adds to a notebook: the same fields, each optional, in full length. Blank texts say
 * nothing and are left out; the limits of the notebook are applied when it is added.
 */
public record NotebookDelta(Map<Section, List<String>> texts) {
  public static final int DELTA_CHARS_MAX = 65_536;
  public static final int DELTA_ITEMS_MAX = 1_000;

  public static final NotebookDelta EMPTY = new NotebookDelta(Map.of());

  public NotebookDelta {
    Map<Section, List<String>> kept = new EnumMap<>(Section.class);
    texts.forEach(
        (section, items) -> {
          List<String> said = said(section, items);
          if (!said.isEmpty()) kept.put(section, said);
        });
    texts = Collections.unmodifiableMap(kept);
    long chars = 0;
    long items = 0;
    for (List<String> list : texts.values()) {
      items += list.size();
      for (String text : list) chars += text.length();
    }
    if (chars > DELTA_CHARS_MAX || items > DELTA_ITEMS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the update holds %,d texts with %,d characters; at most %,d texts with %,d characters"
                  + " are taken at once, so send less",
              items, chars, DELTA_ITEMS_MAX, DELTA_CHARS_MAX));
    }
  }

  private static List<String> said(Section section, List<String> items) {
    List<String> said = new ArrayList<>(items.size());
    for (String item : items) {
      String text = Text.body("a text in " + section.key(), item, DELTA_CHARS_MAX).strip();
      if (!text.isEmpty()) said.add(text);
    }
    // Of several values only the last can stay; a section that keeps lists keeps them all.
    boolean last = section.keeping() == Keeping.LAST && said.size() > 1;
    return List.copyOf(last ? said.subList(said.size() - 1, said.size()) : said);
  }

  /** One section with these texts. */
  public static NotebookDelta of(Section section, String... items) {
    return new NotebookDelta(Map.of(section, List.of(items)));
  }

  /** Reads an update; a field that a notebook does not have is refused. */
  public static NotebookDelta fromJson(JsonObject json) {
    LooseJson.onlyKnown("the notebook", json, Section.keys());
    return fromBlob(json);
  }

  /** Reads what is stored: fields that are not ours are somebody else's business. */
  static NotebookDelta fromBlob(JsonObject json) {
    Map<Section, List<String>> texts = new EnumMap<>(Section.class);
    for (Section section : Section.values()) {
      if (section.keeping() == Keeping.LAST) {
        String text = LooseJson.textOrNull(json, section.key());
        texts.put(section, text == null ? List.of() : List.of(text));
      } else {
        texts.put(section, LooseJson.texts(json, section.key()));
      }
    }
    return new NotebookDelta(texts);
  }

  /** The fields that say something. */
  public JsonObject toJson() {
    JsonObject json = JsonObject.EMPTY;
    for (var field : texts.entrySet()) {
      boolean one = field.getKey().keeping() == Keeping.LAST;
      json = json.with(field.getKey().key(), one ? field.getValue().get(0) : field.getValue());
    }
    return json;
  }

  /** Both updates as one: adding it leaves the notes that adding one after the other leaves. */
  public NotebookDelta then(NotebookDelta next) {
    Map<Section, List<String>> both = new EnumMap<>(Section.class);
    for (Section section : Section.values()) {
      List<String> all = new ArrayList<>(texts(section));
      all.addAll(next.texts(section));
      both.put(section, all);
    }
    return new NotebookDelta(both);
  }

  public List<String> texts(Section section) {
    return texts.getOrDefault(section, List.of());
  }

  /** What the limits of a notebook do to it, a sentence each; all of it stays in the journal. */
  public List<String> cuts(TaskId task) {
    List<String> cuts = new ArrayList<>();
    long over =
        texts.values().stream()
            .flatMap(List::stream)
            .filter(text -> text.length() > Note.CHARS_MAX)
            .count();
    if (over > 0) {
      cuts.add(
          Phrase.of(
              "%,d %s cut to %,d characters; 'mainstay state history %s' shows all of it",
              over, over == 1 ? "text was" : "texts were", Note.CHARS_MAX, task));
    }
    texts.forEach(
        (section, items) -> {
          if (items.size() <= section.itemsMax()) return;
          cuts.add(
              Phrase.of(
                  "of %,d texts in %s the newest %,d are kept; 'mainstay state history %s' shows all of them",
                  items.size(), section.key(), section.itemsMax(), task));
        });
    return cuts;
  }

  /** It says nothing. */
  public boolean isEmpty() {
    return texts.isEmpty();
  }
}
