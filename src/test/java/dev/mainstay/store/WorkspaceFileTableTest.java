package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.ScannedFile;
import dev.mainstay.domain.ScannedFile.Stat;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.domain.Workspace.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WorkspaceFileTableTest {
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
    private static final Place HERE = new Place("host", "/srv/here");
    private static final Instant TIME = Instant.parse("2026-11-16T01:02:03.123456789Z");

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void workspace() {
      given(tx -> tx.workspaces().open(HERE, "none"));
    }

    private static ScannedFile scanned(String path, String hash) {
      String digits = hash == null ? null : hash.repeat(64);
      return new ScannedFile(path, digits, new Stat(12, TIME, "8:15"), TIME.plusNanos(1));
    }

    private List<TrackedFile> list() {
      return store.reading(tx -> tx.workspaceFiles().list(HERE.id()));
    }

    private Optional<TrackedFile> find(String path) {
      return store.reading(tx -> tx.workspaceFiles().find(HERE.id(), path));
    }

    private void put(TrackedFile... files) {
      given(tx -> tx.workspaceFiles().put(HERE.id(), List.of(files)));
    }

    @Test
    void a_file_comes_back_as_it_was_put_to_the_nanosecond() {
      TrackedFile file = TrackedFile.found(scanned("a/b.txt", "7"));
      TrackedFile unhashed = TrackedFile.appeared(scanned("z.bin", null));
      put(unhashed, file);
      assertThat(list()).containsExactly(file, unhashed);
    }

    @Test
    void times_long_ago_and_far_ahead_are_kept() {
      var old = new Stat(0, Instant.parse("1931-05-06T00:00:00.000000007Z"), "1:1");
      var late = new Stat(0, Instant.parse("2200-01-01T00:00:00Z"), "1:2");
      var a = TrackedFile.found(new ScannedFile("a", null, old, Instant.EPOCH));
      var b = TrackedFile.found(new ScannedFile("b", null, late, Instant.EPOCH));
      put(a, b);
      assertThat(list()).containsExactly(a, b);
    }

    @Test
    void putting_again_replaces_and_removing_removes() {
      put(TrackedFile.found(scanned("a", "1")), TrackedFile.found(scanned("b", "1")));
      TrackedFile changed = TrackedFile.found(scanned("a", "1")).seenAgain(scanned("a", "2"));
      put(changed);
      given(tx -> tx.workspaceFiles().remove(HERE.id(), List.of("b", "missing")));
      assertThat(list()).containsExactly(changed);
      assertThat(find("a")).contains(changed);
      assertThat(find("b")).isEmpty();
    }

    @Test
    void thousands_are_put_at_once_and_come_back_by_path() {
      List<TrackedFile> many = new ArrayList<>();
      for (int i = 0; i < 2_500; i++) many.add(TrackedFile.found(scanned("f" + (10_000 + i), "d")));
      given(tx -> tx.workspaceFiles().put(HERE.id(), many));
      assertThat(list()).isEqualTo(many);
    }

    @Test
    void names_of_all_scripts_are_names() {
      for (String name :
          List.of("Ж.txt", "日本.txt", "e\u0301.txt", "é.txt", "😀.txt", "%_'\".txt")) {
        put(TrackedFile.found(scanned(name, "d")));
        assertThat(find(name)).isPresent();
      }
      assertThat(list()).hasSize(6);
    }
  }
}
