package dev.mainstay.queue;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Artifact.Content;
import dev.mainstay.domain.Artifact.Place;
import dev.mainstay.domain.ArtifactEvent;
import dev.mainstay.domain.ArtifactFiles;
import dev.mainstay.domain.ArtifactFiles.Held;
import dev.mainstay.domain.ArtifactFiles.Seen;
import dev.mainstay.domain.ArtifactFiles.Taker;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came out of tasks, handed over and fetched again. The SHA-256 is made here when something is
 * handed over and checked when it is fetched, so nobody gets anything else without being told.
 */
public final class Artifacts {
  /** A larger file is fetched from where it lies. */
  public static final int READ_BYTES_MAX = 64 * 1024 * 1024;

  public static final int COLLECTED_TASKS_MAX = 100;
  public static final int COLLECTED_MAX = 10_000;

  private final Store store;
  private final ArtifactFiles files;

  public Artifacts(Store store, ArtifactFiles files) {
    this.store = store;
    this.files = files;
  }

  /** An artifact with its content, which is what was handed over. */
  public record Fetched(Artifact artifact, byte[] content) {}

  /** An artifact whose content is what was handed over, and is read as it is copied. */
  public record Opened(Artifact artifact, Held content) implements AutoCloseable {
    @Override
    public void close() {
      content.close();
    }
  }

  /** A text that the store keeps; it is short. */
  private record KeptText(byte[] text, String hash) implements Held {
    static KeptText of(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new KeptText(bytes, sha256(bytes));
    }

    @Override
    public long bytes() {
      return text.length;
    }

    @Override
    public <X extends Exception> void copyTo(Taker<X> taker) throws X {
      taker.take(text, text.length);
    }

    @Override
    public void close() {
      // It is in memory.
    }
  }

  /** All artifacts of some tasks, in the order of the tasks, and how many each of them has. */
  public record Collected(List<Artifact> artifacts, Map<TaskId, Integer> counts) {
    public JsonObject toJson() {
      Map<String, Integer> byTask = new LinkedHashMap<>();
      counts.forEach((task, count) -> byTask.put(task.value(), count));
      return JsonObject.of("counts", byTask)
          .with("artifacts", artifacts.stream().map(Artifact::toJson).toList());
    }
  }

  /** What was handed over, as it was seen before the transaction: files are not read in one. */
  private record Delivery(@Nullable Place place, String hash, long bytes) {}

  /**
   * Hands something over for a task. Of a file the path, the host, the size and the SHA-256 are
   * kept, as they are at this moment; a text is kept itself, without its secrets. The hash that is
   * expected is that of the text as it was given, the hash that is answered that of what is kept.
   */
  public Artifact add(TaskId task, NewArtifact given, Call call) {
    Delivery seen = delivery(given);
    refuseUnexpected(given, seen.hash());
    NewArtifact wanted = given.withoutSecrets();
    Delivery delivery = wanted.equals(given) ? seen : delivery(wanted);
    return store.inTransaction(
        Once.of(call, "artifact.add", asked(task, wanted), Artifact::toJson, Artifact::fromJson),
        tx -> {
          tx.tasks().lock(task).admit(call);
          refuseTooMany(tx, task);
          String text = wanted.content();
          if (text != null) tx.artifacts().keep(delivery.hash(), text, delivery.bytes());
          var content = new Content(delivery.hash(), delivery.bytes(), tx.now());
          var added = tx.artifacts().insert(task, wanted.type(), delivery.place(), content);
          tx.journal().append(task.stream(), call, List.of(new ArtifactEvent.Added(added)));
          return added;
        });
  }

  private Delivery delivery(NewArtifact wanted) {
    String text = wanted.content();
    if (text != null) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return new Delivery(null, sha256(bytes), bytes.length);
    }
    Seen seen = files.look(String.valueOf(wanted.path()));
    return new Delivery(new Place(seen.path(), files.host()), seen.hash(), seen.bytes());
  }

  private static void refuseUnexpected(NewArtifact wanted, String hash) {
    String expected = wanted.expectedSha256();
    if (expected == null || expected.equals(hash)) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s has the SHA-256 %s, not %s as expected; look at it again",
            wanted.path() == null ? "the text" : wanted.path(), hash, expected));
  }

  private static void refuseTooMany(Tx tx, TaskId task) {
    if (tx.artifacts().count(task) < Artifact.PER_TASK_MAX) return;
    throw Refusal.tooLarge(
        Phrase.of(
            "%s has %,d artifacts, and a task has no more; put several files into one archive",
            task, Artifact.PER_TASK_MAX));
  }

  /** A text stands here by its hash: the store keeps requests, and one copy is enough. */
  private static JsonObject asked(TaskId task, NewArtifact wanted) {
    String text = wanted.content();
    return JsonObject.of("task", task.value(), "type", wanted.type().name())
        .with("path", wanted.path())
        .with("content", text == null ? null : JournalEntry.sha256(text))
        .with("expected", wanted.expectedSha256());
  }

  /** An artifact without its content. */
  public Artifact show(TaskId task, long id) {
    return store.reading(tx -> found(tx, task, id));
  }

  /** An artifact with its content in memory; refused as {@link #open} refuses it. */
  public Fetched get(TaskId task, long id) {
    try (Opened opened = open(task, id)) {
      var content = new ByteArrayOutputStream((int) opened.content().bytes());
      opened.content().copyTo((piece, bytes) -> content.write(piece, 0, bytes));
      return new Fetched(opened.artifact(), content.toByteArray());
    }
  }

  /** An artifact to be read; refused, with both hashes, when it is not what it was. */
  public Opened open(TaskId task, long id) {
    record Known(Artifact artifact, @Nullable String text) {}
    Known known =
        store.reading(
            tx -> {
              Artifact artifact = found(tx, task, id);
              boolean inline = artifact.isInline();
              String hash = artifact.content().hash();
              return new Known(artifact, inline ? tx.artifacts().text(hash).orElse(null) : null);
            });
    Artifact artifact = known.artifact();
    Held content =
        artifact.place() != null
            ? held(artifact, artifact.place())
            : KeptText.of(kept(artifact, known.text()));
    try {
      artifact.mustHave(content.hash());
      return new Opened(artifact, content);
    } catch (RuntimeException | Error refused) {
      content.close();
      throw refused;
    }
  }

  private static String kept(Artifact artifact, @Nullable String text) {
    if (text != null) return text;
    throw Refusal.conflict(
        Phrase.of(
            "the text of artifact %d of %s is gone from the store (SHA-256 %s); restore a backup",
            artifact.id(), artifact.task(), artifact.content().hash()));
  }

  private Held held(Artifact artifact, Place place) {
    if (!place.host().equals(files.host())) {
      throw Refusal.conflict(
          Phrase.of(
              "artifact %d of %s is the file %s of host %s; fetch it there",
              artifact.id(), artifact.task(), place.path(), place.host()));
    }
    if (artifact.content().bytes() > READ_BYTES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "artifact %d of %s has %,d bytes, and at most %,d are handed out; it is the file %s",
              artifact.id(),
              artifact.task(),
              artifact.content().bytes(),
              READ_BYTES_MAX,
              place.path()));
    }
    try {
      return files.hold(place.path(), READ_BYTES_MAX);
    } catch (Refusal gone) {
      throw Refusal.conflict(
          Phrase.of(
              "artifact %d of %s (SHA-256 %s) cannot be fetched: %s",
              artifact.id(), artifact.task(), artifact.content().hash(), gone.sentence()));
    }
  }

  /** The artifacts of a task, oldest first. */
  public List<Artifact> list(TaskId task) {
    return store.reading(
        tx -> {
          tx.tasks().get(task);
          return tx.artifacts().list(task);
        });
  }

  /** Everything that came out of some tasks, or all of one type, to be handed to somebody. */
  public Collected collect(Collection<TaskId> tasks, @Nullable ArtifactType type) {
    var wanted = new LinkedHashSet<>(tasks);
    if (wanted.isEmpty() || wanted.size() > COLLECTED_TASKS_MAX) {
      throw Refusal.invalid(
          Phrase.of("artifacts are collected of 1 to %d tasks at once", COLLECTED_TASKS_MAX));
    }
    return store.reading(
        tx -> {
          List<Artifact> all = new ArrayList<>();
          Map<TaskId, Integer> counts = new LinkedHashMap<>();
          for (TaskId task : wanted) {
            tx.tasks().get(task);
            int before = all.size();
            for (Artifact each : tx.artifacts().list(task)) {
              if (type == null || each.type().equals(type)) all.add(each);
            }
            counts.put(task, all.size() - before);
            if (all.size() > COLLECTED_MAX) throw tooManyCollected();
          }
          return new Collected(List.copyOf(all), counts);
        });
  }

  private static Refusal tooManyCollected() {
    return Refusal.tooLarge(
        Phrase.of(
            "these tasks have more than %,d artifacts together; collect fewer tasks, or one type",
            COLLECTED_MAX));
  }

  private static Artifact found(Tx tx, TaskId task, long id) {
    tx.tasks().get(task);
    return tx.artifacts()
        .find(task, id)
        .orElseThrow(
            () ->
                Refusal.notFound(
                    Phrase.of(
                        "%s has no artifact %d; 'mainstay artifact list %s' shows those there are",
                        task, id, task)));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
