package dev.mainstay.store;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which entries were erased. The chain runs over the hash of a payload and not over the payload, so
 * an erased entry stays in its place; that it was erased, by whom, and what its payload is since
 * then, stands in a stream that is chained and sealed like any other. A payload that was changed
 * without such an entry is damage.
 */
public final class Erasures {
  public static final String KIND = "store.forgotten";

  /** More than this are told by several entries. */
  private static final int MARKS_MAX = 2_000;

  private final Map<String, Map<Long, String>> marks = new HashMap<>();

  private Erasures() {}

  /** An entry whose payload is another one since then, and the hash of that. */
  public record Mark(String stream, long number, String payloadHash) {}

  /** Something was forgotten: what stands in its place, where it stood, and never what it was. */
  record Forgotten(String mark, Map<String, Long> rows, List<Mark> marks) implements Event {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      Map<String, Map<String, String>> entries = new TreeMap<>();
      for (Mark each : marks) {
        entries
            .computeIfAbsent(each.stream(), stream -> new TreeMap<>())
            .put(Long.toString(each.number()), each.payloadHash());
      }
      return JsonObject.of("mark", mark, "rows", rows, "entries", entries);
    }
  }

  /** Notes it, in as many entries as are needed, and at least one. */
  static void record(Tx tx, Call call, String mark, Map<String, Long> rows, List<Mark> marks) {
    List<Event> events = new ArrayList<>();
    for (int from = 0; from == 0 || from < marks.size(); from += MARKS_MAX) {
      int to = Math.min(from + MARKS_MAX, marks.size());
      events.add(new Forgotten(mark, from == 0 ? rows : Map.of(), marks.subList(from, to)));
    }
    tx.journal().append(Erasure.STREAM, call, events);
  }

  /** All that were erased in this store, as its own stream tells. */
  public static Erasures of(Tx tx) {
    Erasures known = new Erasures();
    tx.journal()
        .eachOf(
            Erasure.STREAM,
            new JournalTable.Reader() {
              @Override
              public void entry(JournalEntry entry) {
                known.read(entry);
              }

              @Override
              public void unreadable(String stream, long number) {} // its own check tells of it
            });
    return known;
  }

  private void read(JournalEntry entry) {
    try {
      JsonObject streams = JsonText.object(entry.content().payload()).object("entries");
      for (String stream : streams.asMap().keySet()) {
        JsonObject numbers = streams.object(stream);
        for (String number : numbers.asMap().keySet()) {
          marks
              .computeIfAbsent(stream, name -> new HashMap<>())
              .put(Long.parseLong(number), numbers.text(number));
        }
      }
    } catch (RuntimeException damaged) {
      return; // the chain of this stream tells of it, and what it would excuse is not excused
    }
  }

  /** The hash of the payload that an entry has since it was erased; null if it never was. */
  public @Nullable String of(JournalEntry.Place place) {
    return of(place.stream()).get(place.number());
  }

  /** The same for all entries of a stream, by their numbers. */
  public Map<Long, String> of(String stream) {
    return marks.getOrDefault(stream, Map.of());
  }
}
