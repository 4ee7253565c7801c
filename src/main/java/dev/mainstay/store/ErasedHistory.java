package dev.mainstay.store;

import dev.mainstay.domain.ArtifactEvent;
import dev.mainstay.domain.Checkpoint;
import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RunRecord;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.DossierTable.Stored;
import dev.mainstay.store.ErasureTable.Place;
import dev.mainstay.store.Erasures.Mark;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites payloads of the journal and the texts of artifacts, and makes what follows from them
 * anew: afterwards the tables equal the replay again.
 */
final class ErasedHistory {
  private final Tx tx;
  private final Erasure erasure;
  private final Map<String, Text> contents = new HashMap<>();
  private final Set<String> sound = new HashSet<>();

  private record Text(String hash, long bytes) {}

  ErasedHistory(Tx tx, Erasure erasure) {
    this.tx = tx;
    this.erasure = erasure;
  }

  /**
   * Before anything is changed: nobody else may move the tasks, and those that are whole stay so.
   */
  void lock(List<Place> entries) {
    Set<String> streams = new TreeSet<>(streams(entries).keySet());
    for (String stream : streams) {
      if (!Replay.isTask(stream)) continue;
      TaskId id = Replay.of(stream).id();
      if (tx.tasks().find(id).isEmpty()) continue;
      tx.tasks().lock(id);
      if (replayed(stream, Map.of()) != null) sound.add(stream);
    }
  }

  private Map<String, List<JournalEntry>> streams(List<Place> entries) {
    Map<String, List<JournalEntry>> streams = new TreeMap<>();
    for (Place place : entries) {
      JournalEntry entry = entry(place);
      streams.computeIfAbsent(entry.place().stream(), name -> new ArrayList<>()).add(entry);
    }
    return streams;
  }

  private JournalEntry entry(Place place) {
    return tx.sql("SELECT * FROM journal WHERE seq = :seq")
        .bind("seq", place.key().get("seq"))
        .one(JournalTable::entry);
  }

  /** Texts are kept by their hash, so one without the secret is another text. */
  void contents(List<Place> places) {
    for (Place place : places) {
      String was = String.valueOf(place.key().get("content_hash"));
      String without = String.valueOf(place.values().get("content"));
      Text text =
          new Text(JournalEntry.sha256(without), without.getBytes(StandardCharsets.UTF_8).length);
      contents.put(was, text);
      tx.artifacts().keep(text.hash(), without, text.bytes());
      tx.sql(
              """
              UPDATE task_artifacts SET content_hash = :hash, size_bytes = :bytes
              WHERE content_hash = :was AND file_path IS NULL""")
          .bind("hash", text.hash())
          .bind("bytes", text.bytes())
          .bind("was", was)
          .update();
      tx.sql("DELETE FROM artifact_contents WHERE content_hash = :was").bind("was", was).update();
    }
  }

  /** Rewrites the payloads that have it or tell of such a text; which those were. */
  List<Mark> entries(List<Place> places) {
    Map<Long, JournalEntry> all = new TreeMap<>();
    for (Place place : places) {
      JournalEntry entry = entry(place);
      all.put(entry.seq(), entry);
    }
    for (String hash : contents.keySet()) {
      for (JournalEntry each : tellingOf(hash)) all.put(each.seq(), each);
    }
    List<Mark> marks = new ArrayList<>();
    Set<String> streams = new TreeSet<>();
    tx.dialect().openPayloads(tx);
    for (JournalEntry each : all.values()) {
      if (isOurs(each.place().stream())) continue;
      String payload = without(each);
      if (payload.equals(each.content().payload())) continue;
      tx.sql("UPDATE journal SET payload = :payload WHERE seq = :seq")
          .bind("payload", payload)
          .bind("seq", each.seq())
          .update();
      var place = each.place();
      marks.add(new Mark(place.stream(), place.number(), JournalEntry.sha256(payload)));
      streams.add(place.stream());
    }
    tx.dialect().closePayloads(tx);
    for (String stream : streams) if (Replay.isTask(stream)) remake(stream);
    return marks;
  }

  /** Seals and erasures hold names of streams and hashes, and are what others are checked by. */
  private static boolean isOurs(String stream) {
    return stream.equals(Seals.STREAM) || stream.equals(Erasure.STREAM);
  }

  private List<JournalEntry> tellingOf(String hash) {
    return tx.sql("SELECT * FROM journal WHERE kind = :kind AND <holds>")
        .define("holds", tx.dialect().contains("payload", ":hash"))
        .bind("kind", ArtifactEvent.Added.KIND)
        .bind("hash", hash)
        .list(JournalTable::entry);
  }

  private String without(JournalEntry entry) {
    String payload = ErasureTable.json(entry.content().payload(), erasure);
    if (!entry.content().kind().equals(ArtifactEvent.Added.KIND)) return payload;
    JsonObject json = JsonText.object(payload);
    Text text = contents.get(json.textOrNull("content_hash"));
    if (text == null || json.textOrNull("file_path") != null) return payload;
    return JsonText.write(json.with("content_hash", text.hash()).with("size_bytes", text.bytes()));
  }

  /** What follows from a task's stream, made of it as it is now. */
  private void remake(String stream) {
    if (!sound.contains(stream)) return; // of a damaged one the rows were rewritten as they stood
    Map<Long, @Nullable Stored> snapshots = new LinkedHashMap<>();
    for (long number : tx.snapshots().numbers(stream)) snapshots.put(number, null);
    Replay replay = replayed(stream, snapshots);
    if (replay == null) {
      throw Refusal.conflict(
          Phrase.of(
              "%s could not be replayed without this text, and nothing was changed; give more of the text, or less",
              stream));
    }
    TaskId id = replay.id();
    Map<Integer, @Nullable String> sessions = new HashMap<>();
    for (RunRecord run : replay.runs()) {
      sessions.put(run.number(), tx.runs().session(id, run.number()).orElse(null));
    }
    for (String table : List.of("dossiers", "notebooks", "checkpoints", "runs")) {
      tx.sql("DELETE FROM " + table + " WHERE task_id = :task").bind("task", id).update();
    }
    tx.sql("DELETE FROM snapshots WHERE stream = :stream").bind("stream", stream).update();
    if (replay.dossier().number() > 0) tx.dossiers().restore(id, replay.dossier());
    for (RunRecord run : replay.runs()) tx.runs().insert(run, sessions.get(run.number()));
    for (Checkpoint each : replay.checkpoints()) {
      tx.checkpoints().insert(id, each.name(), each.number(), each.createdAt());
    }
    snapshots.forEach(
        (number, stored) -> {
          if (stored != null) tx.snapshots().keep(stream, new Stored(number, stored.dossier()));
        });
  }

  /** The stream from its beginning, or null if something in it cannot be replayed. */
  private @Nullable Replay replayed(String stream, Map<Long, @Nullable Stored> snapshots) {
    Replay replay = Replay.of(stream);
    try {
      for (JournalEntry entry : tx.journal().stream(stream)) {
        replay.apply(entry);
        long number = entry.place().number();
        if (snapshots.containsKey(number)) snapshots.put(number, replay.dossier());
      }
      return replay.task() == null ? null : replay;
    } catch (IllegalArgumentException | IllegalStateException | Refusal damaged) {
      return null;
    }
  }
}
