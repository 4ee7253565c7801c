package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Backups;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OldStores;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store moves between databases through one file, and loses nothing. */
class StoreExportTest {
  @TempDir static Path shared;

  private static String exported(StoreAddress address) {
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      StoreExport.to(store, out);
      return out.toString(StandardCharsets.UTF_8);
    }
  }

  /** From SQLite to PostgreSQL and back, with everything that an earlier version could fill. */
  @Test
  void a_store_that_went_to_the_other_database_and_back_is_exported_byte_for_byte() {
    StoreAddress first = OldStores.copy(Databases.SQLITE);
    Path one = shared.resolve("one.jsonl.gz");
    StoreAddress second = Databases.POSTGRESQL.fresh();
    Path two = shared.resolve("two.jsonl");
    StoreAddress third = Databases.SQLITE.fresh();
    export(first, one);
    take(one, second);
    export(second, two);
    take(two, third);
    String before = exported(first);
    assertThat(before).contains("größe".replace("g", "G"), "workflow_executions", "three figures");
    assertThat(exported(second)).isEqualTo(before);
    assertThat(exported(third)).isEqualTo(before);
    for (StoreAddress each : List.of(second, third)) {
      try (Store store = Store.open(each, StoreSettings.DEFAULT)) {
        assertThat(Verification.of(store).findings()).isEmpty();
        assertThat(new Tasks(store).create(NewTask.titled("next"), OnDatabase.ADA).id())
            .isEqualTo(TaskId.of(15));
      }
    }
  }

  @Test
  void the_dump_of_postgresql_comes_back_as_it_was() {
    StoreAddress first = OldStores.copy(Databases.POSTGRESQL);
    try {
      Path file = shared.resolve("dump.jsonl");
      export(first, file);
      StoreAddress second = Databases.SQLITE.fresh();
      take(file, second);
      assertThat(exported(second)).isEqualTo(exported(first));
    } finally {
      OldStores.drop(first);
    }
  }

  private static void export(StoreAddress from, Path file) {
    try (Store store = Store.open(from, StoreSettings.DEFAULT)) {
      StoreExport.toFile(store, file);
    }
  }

  private static void take(Path file, StoreAddress to) {
    Upkeep.importFrom(file, to, StoreSettings.DEFAULT, true);
  }

  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnDatabase {
    @TempDir Path folder;

    Contract(Databases database) {
      super(database);
    }

    private Path export() {
      Tasks tasks = new Tasks(store);
      tasks.create(NewTask.titled("größe ✓"), ADA);
      tasks.create(NewTask.titled("two").after(TaskId.of(1)), ADA.withKey("two"));
      tasks.create(NewTask.titled("held"), ADA);
      new Leases(store).hold(TaskId.of(3), "bot", Duration.ofMinutes(5), BOT);
      Path file = folder.resolve("export.jsonl");
      StoreExport.toFile(store, file);
      return file;
    }

    @Test
    void an_import_goes_only_into_an_empty_store() {
      Path file = export();
      assertThatThrownBy(() -> take(file, address))
          .isInstanceOfSatisfying(
              Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Code.CONFLICT))
          .hasMessageContaining("has something in it");
      StoreAddress empty = database().fresh();
      open(empty).close();
      take(file, empty);
      try (Store made = open(empty)) {
        assertThat(new Tasks(made).show(TaskId.of(3)).lease().orElseThrow().holder())
            .isEqualTo("bot");
        assertThat(new Tasks(made).create(twoAgain(), ADA.withKey("two")).id())
            .isEqualTo(TaskId.of(2));
      }
    }

    private static NewTask twoAgain() {
      return NewTask.titled("two").after(TaskId.of(1));
    }

    /** Every kind of damage: a line less, another order, a changed value, a broken end, a bit. */
    @Test
    void a_file_that_is_not_whole_is_refused_and_nothing_is_imported() throws Exception {
      List<String> lines = Files.readAllLines(export());
      StoreAddress target = database().fresh();
      open(target).close();
      for (List<String> damaged : damages(lines)) {
        Path file = folder.resolve("damaged.jsonl");
        Files.write(file, damaged);
        assertThatThrownBy(() -> take(file, target))
            .isInstanceOfSatisfying(
                Refusal.class, refusal -> assertThat(refusal.code()).isEqualTo(Code.CONFLICT))
            .hasMessageContaining("is no sound export");
        assertThat(leftOvers(file)).isEmpty();
      }
      try (Store still = open(target)) {
        assertThat(still.<Long>reading(tx -> tx.journal().count())).isZero();
      }
    }

    private static List<List<String>> damages(List<String> lines) {
      int row = 0;
      while (!lines.get(row).startsWith("[")) row++;
      List<List<String>> damages = new ArrayList<>();
      damages.add(lines.subList(0, lines.size() - 1));
      damages.add(lines.subList(0, lines.size() / 2));
      damages.add(changed(lines, row, ""));
      damages.add(changed(lines, row, lines.get(row).replaceFirst("größe", "grösse")));
      damages.add(changed(lines, row, lines.get(row).replaceFirst("\\[1,", "[9,")));
      damages.add(changed(lines, row, "[]"));
      damages.add(changed(lines, row, "{}"));
      damages.add(changed(lines, 0, lines.get(0).replace("mainstay-export", "other")));
      List<String> repeated = new ArrayList<>(lines);
      repeated.add(lines.get(lines.size() - 1));
      damages.add(repeated);
      List<String> forged = new ArrayList<>(lines);
      forged.set(
          row - 1, lines.get(row - 1).replace("\"journal\"", "\"journal; DROP TABLE tasks\""));
      damages.add(forged);
      return damages;
    }

    private static List<String> changed(List<String> lines, int place, String line) {
      List<String> changed = new ArrayList<>(lines);
      if (line.isEmpty()) changed.remove(place);
      else changed.set(place, line);
      assertThat(changed).isNotEqualTo(lines);
      return changed;
    }

    private List<Path> leftOvers(Path file) throws IOException {
      try (Stream<Path> files = Files.list(file.getParent())) {
        return files.filter(each -> each.toString().contains(".part")).toList();
      }
    }

    /** At the last moment before rows enter the target. */
    @Test
    void an_import_that_is_broken_off_leaves_the_store_empty() {
      Path file = export();
      StoreAddress target = database().fresh();
      open(target).close();
      assertThatThrownBy(
              () ->
                  Backups.takeIn(
                      file,
                      staged -> StoreImport.read(file, staged),
                      target,
                      StoreSettings.DEFAULT,
                      copy -> {
                        throw Refusal.full("the disk is full", null);
                      }))
          .hasMessage("the disk is full");
      take(file, target);
    }

    @Test
    void an_export_of_a_newer_version_is_refused_as_such() throws Exception {
      List<String> lines = new ArrayList<>(Files.readAllLines(export()));
      JsonObject header = JsonText.object(lines.get(0));
      lines.set(0, JsonText.write(header.with("schema", header.number("schema") + 1)));
      Path file = folder.resolve("newer.jsonl");
      Files.write(file, lines);
      assertThatThrownBy(() -> take(file, database().fresh()))
          .hasMessageContaining("newer Mainstay");
    }

    /** No line is longer than a reader takes, whatever a row holds. */
    @Test
    void a_long_text_is_written_in_parts_and_put_together_again() throws Exception {
      String content = "ab✓😀".repeat(90_000);
      String row = "('dev-1', 'external', '2026-01-02T03:04:05.000000Z', '%s')".formatted(content);
      Raw.run(store, "INSERT INTO terminals (id, provider, created_at, last_lines) VALUES " + row);
      Path file = export();
      assertThat(Files.readAllLines(file)).noneMatch(line -> line.length() > 410_000);
      StoreAddress target = database().fresh();
      take(file, target);
      try (Store made = open(target)) {
        assertThat(
                Raw.texts(
                    made, "SELECT last_lines FROM terminals WHERE id = 'dev-1'", "last_lines"))
            .containsExactly(content);
      }
    }
  }
}
