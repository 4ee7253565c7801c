package dev.mainstay.upkeep;

import dev.mainstay.domain.Dependency;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terms;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Databases;
import dev.mainstay.store.JournalTable;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.upkeep.Retention.Report;
import dev.mainstay.upkeep.Retention.Result;
import dev.mainstay.upkeep.Retention.Stays;
import dev.mainstay.upkeep.Retention.Step;
import dev.mainstay.upkeep.RetentionPlan.Limits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of retention begin with: tasks that can end, and time that can pass. */
abstract class OnRetention extends OnDatabase {
  static final Duration AGE = Duration.ofDays(30);

  /** What is known of whoever completes tasks here: where it stood last. */
  static final String BOT_STATE = "terminal/bot";

  @TempDir Path folder;
  Tasks tasks;
  Leases leases;

  OnRetention(Databases database) {
    super(database);
  }

  @BeforeEach
  void rooms() {
    tasks = new Tasks(store);
    leases = new Leases(store);
  }

  TaskId task(@Nullable TaskId parent, TaskId... after) {
    var brief = new Brief("größe ✓ 🙂", "", TaskType.CODE, 0, JsonObject.EMPTY);
    var waits = List.of(after).stream().map(id -> new Dependency(id, Dependency.Kind.AFTER_ANY));
    return tasks.create(new NewTask(brief, null, parent, waits.toList(), Terms.NONE), ADA).id();
  }

  TaskId done() {
    TaskId id = task(null);
    complete(id);
    return id;
  }

  void complete(TaskId id) {
    Task held = leases.hold(id, "bot", Duration.ofMinutes(5), BOT);
    leases.start(id, BOT.withFence(held.fence()));
    leases.complete(id, JsonObject.of("said", "done"), BOT.withFence(held.fence()));
  }

  void fail(TaskId id) {
    Task held = leases.hold(id, "bot", Duration.ofMinutes(5), BOT);
    leases.fail(id, "no luck", BOT.withFence(held.fence()));
  }

  void timePasses() {
    clock.advance(AGE.plusDays(1));
  }

  Path file() {
    return folder.resolve("archive.jsonl.gz");
  }

  Report plan() {
    settle();
    return new Retention(store).plan(AGE);
  }

  Result gc() {
    return gc(file(), Limits.DEFAULT, step -> {});
  }

  Result gc(Path file, Limits limits, Consumer<Step> steps) {
    settle();
    return new Retention(store, limits, steps).apply(AGE, file);
  }

  static Map<String, String> why(Report report) {
    return report.stays().stream().collect(Collectors.toMap(Stays::id, Stays::why));
  }

  List<String> here() {
    return here(store);
  }

  static List<String> here(Store store) {
    return new Tasks(store)
        .list(dev.mainstay.domain.TaskFilter.ALL, null, 1_000).tasks().stream()
            .map(task -> task.id().value())
            .toList();
  }

  /** Every entry of the store but the seals, by stream and number. */
  static Map<String, JournalEntry> entries(Store store) {
    Map<String, JournalEntry> all = new TreeMap<>();
    store.reading(
        tx -> {
          tx.journal()
              .eachByStream(
                  new JournalTable.Reader() {
                    @Override
                    public void entry(JournalEntry entry) {
                      if (!entry.place().stream().startsWith("store/")) put(all, entry);
                    }

                    @Override
                    public void unreadable(String stream, long number) {
                      throw new AssertionError(stream + " " + number);
                    }
                  });
          return 0;
        });
    return all;
  }

  static Map<String, JournalEntry> entries(Path archive) {
    Map<String, JournalEntry> all = new TreeMap<>();
    ArchiveFile.read(
        archive,
        new ArchiveFile.Reader() {
          @Override
          public void entry(JournalEntry entry) {
            put(all, entry);
          }
        });
    return all;
  }

  private static void put(Map<String, JournalEntry> all, JournalEntry entry) {
    all.put(entry.place().stream() + " " + entry.place().number(), entry);
  }

  List<String> findings() {
    return Verification.of(store).findings().stream()
        .map(f -> f.where() + ": " + f.problem())
        .toList();
  }
}
