package dev.mainstay.store;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Event;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Position;
import dev.mainstay.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Seals: entries that record the heads of all streams that moved since the seal before. Chains
 * alone do not notice a stream that was cut off at its end or removed whole; seals do.
 */
public final class Seals {
  /** A stream of its own, chained like any other. */
  public static final String STREAM = "store/seals";

  public static final String KIND = "store.sealed";

  /** How many journal entries pass between two seals, about. */
  static final int ENTRIES_BETWEEN = 1_000;

  private static final int HEADS_MAX = 2_000;
  private static final int KEYS_FORGOTTEN_MAX = 4 * ENTRIES_BETWEEN;
  private static final Call SYSTEM = Call.by(Actor.SYSTEM, "system");

  private Seals() {}

  /** The heads of the streams that moved, and up to where the feed was looked at. */
  record Sealed(Position through, Map<String, List<Object>> heads) implements Event {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public JsonObject payload() {
      return JsonObject.of("through", through.toString(), "heads", heads);
    }
  }

  /** Seals what is settled since the last seal and forgets expired keys; the number of heads. */
  static int seal(Tx tx) {
    Position from = lastSealed(tx);
    Position to = end(tx);
    Map<String, List<Object>> heads = moved(tx, from, to);
    heads.remove(STREAM);
    for (var part : parts(heads))
      tx.journal().append(STREAM, SYSTEM, List.of(new Sealed(to, part)));
    tx.keys().forgetExpired(KEYS_FORGOTTEN_MAX);
    return heads.size();
  }

  /** After a restore all streams are sealed anew, which is too much for one entry. */
  private static List<Map<String, List<Object>>> parts(Map<String, List<Object>> heads) {
    List<Map<String, List<Object>>> parts = new ArrayList<>();
    for (var head : heads.entrySet()) {
      boolean full = parts.isEmpty() || parts.get(parts.size() - 1).size() == HEADS_MAX;
      if (full) parts.add(new TreeMap<>());
      parts.get(parts.size() - 1).put(head.getKey(), head.getValue());
    }
    return parts;
  }

  /**
   * The streams that moved, each with its last entry there, in one question for all of them. It is
   * no join: a plan from when the journal was empty would read all of it once for each entry.
   */
  private static Map<String, List<Object>> moved(Tx tx, Position from, Position to) {
    Map<String, List<Object>> heads = new TreeMap<>();
    tx.sql(
            """
            SELECT stream, number, hash FROM (
              SELECT stream, number, hash,
                row_number() OVER (PARTITION BY stream ORDER BY number DESC) AS place
              FROM journal WHERE <between>) AS placed
            WHERE place = 1""")
        .define("between", tx.dialect().feedBetween())
        .bind("from_xid", from.xid())
        .bind("from_seq", from.seq())
        .bind("to_xid", to.xid())
        .bind("to_seq", to.seq())
        .each(
            row -> heads.put(row.text("stream"), List.of(row.number("number"), row.text("hash"))));
    return heads;
  }

  static Position end(Tx tx) {
    String epoch = tx.meta().epoch();
    return tx.sql(tx.dialect().feedEnd()).one(row -> tx.dialect().position(row, epoch));
  }

  static Position lastSealed(Tx tx) {
    var head = tx.journal().head(STREAM);
    if (head.number() == 0) return Position.BEGINNING;
    JournalEntry last = tx.journal().find(STREAM, head.number()).orElseThrow();
    Position through = Position.parse(JsonText.object(last.content().payload()).text("through"));
    // In a restored store positions are other ones: seal everything anew.
    return through.epoch().equals(tx.meta().epoch()) ? through : Position.BEGINNING;
  }
}
