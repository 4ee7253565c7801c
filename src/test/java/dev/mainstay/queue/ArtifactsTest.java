package dev.mainstay.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactFiles;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.Tamper;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import dev.mainstay.workspace.DiskArtifacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactsTest {
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
    private static final TaskId ONE = TaskId.of(1);
    private static final TaskId TWO = TaskId.of(2);
    private static final ArtifactType CODE = ArtifactType.CODE;
    private static final ArtifactType LOG = ArtifactType.LOG;

    @TempDir Path folder;
    private Artifacts artifacts;

    Contract(Databases database) {
      super(database);
    }

    @BeforeEach
    void twoTasks() {
      Tasks tasks = new Tasks(store);
      tasks.create(NewTask.titled("one"), ADA);
      tasks.create(NewTask.titled("two"), ADA);
      artifacts = new Artifacts(store, DiskArtifacts.anywhere(store, folder));
    }

    private Artifact text(TaskId task, ArtifactType type, String text) {
      return artifacts.add(task, NewArtifact.text(type, text), ADA);
    }

    private Path file(String name, String text) {
      try {
        return Files.writeString(folder.resolve(name), text);
      } catch (IOException fault) {
        throw new IllegalStateException(fault);
      }
    }

    private String fetched(Artifact artifact) {
      return new String(artifacts.get(artifact.task(), artifact.id()).content(), UTF_8);
    }

    private List<String> findings() {
      return Verification.of(store).findings().stream()
          .map(f -> f.where() + ": " + f.problem())
          .toList();
    }

    private static void refused(Code code, ThrowingCallable call, String... words) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              Refusal.class,
              refusal -> {
                assertThat(refusal.code()).isEqualTo(code);
                for (String word : words) assertThat(refusal.sentence()).contains(word);
              });
    }

    @Test
    void a_text_comes_back_as_it_was_with_its_hash_and_size() {
      Artifact added = text(ONE, CODE, "größe ✓\n");
      assertThat(added.content().hash()).isEqualTo(JournalEntry.sha256("größe ✓\n"));
      assertThat(added.content().bytes()).isEqualTo(12);
      assertThat(added.isInline()).isTrue();
      assertThat(fetched(added)).isEqualTo("größe ✓\n");
      assertThat(artifacts.show(ONE, added.id())).isEqualTo(added);
      assertThat(fetched(text(ONE, LOG, ""))).isEmpty();
      assertThat(findings()).isEmpty();
    }

    @Test
    void a_file_is_known_by_its_whole_path_its_host_and_its_hash() throws IOException {
      Path file = file("login.py", "print(1)\n");
      Artifact added = artifacts.add(ONE, NewArtifact.file(CODE, "login.py"), ADA);
      assertThat(added.content().hash()).isEqualTo(JournalEntry.sha256("print(1)\n"));
      assertThat(added.place()).isNotNull();
      assertThat(added.place().path()).isEqualTo(file.toRealPath().toString());
      assertThat(added.place().host()).isNotBlank();
      assertThat(fetched(added)).isEqualTo("print(1)\n");
      Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
      var others = new Artifacts(store, DiskArtifacts.anywhere(store, elsewhere));
      assertThat(others.get(ONE, added.id()).artifact()).isEqualTo(added);
    }

    @Test
    void another_hash_than_the_expected_one_is_refused_with_both() {
      String right = JournalEntry.sha256("text");
      String wrong = JournalEntry.sha256("other");
      refused(
          Code.CONFLICT,
          () -> artifacts.add(ONE, NewArtifact.text(CODE, "text").expecting(wrong), ADA),
          right,
          wrong);
      file("a", "text");
      refused(
          Code.CONFLICT,
          () -> artifacts.add(ONE, NewArtifact.file(CODE, "a").expecting(wrong), ADA),
          right,
          wrong);
      refused(
          Code.INVALID, () -> NewArtifact.text(CODE, "text").expecting("abc"), "64 hexadecimal");
      assertThat(artifacts.list(ONE)).isEmpty();
      var expected =
          NewArtifact.file(CODE, "a").expecting(right.toUpperCase(java.util.Locale.ROOT));
      assertThat(artifacts.add(ONE, expected, ADA).content().hash()).isEqualTo(right);
    }

    @Test
    void a_file_that_changed_or_is_gone_is_told_with_both_hashes_and_still_known() {
      Path file = file("a", "before");
      Artifact added = artifacts.add(ONE, NewArtifact.file(CODE, "a"), ADA);
      file("a", "after!");
      refused(
          Code.CONFLICT,
          () -> fetched(added),
          JournalEntry.sha256("before"),
          JournalEntry.sha256("after!"));
      assertThat(file.toFile().delete()).isTrue();
      refused(Code.CONFLICT, () -> fetched(added), JournalEntry.sha256("before"), "no file");
      assertThat(artifacts.show(ONE, added.id())).isEqualTo(added);
    }

    @Test
    void a_file_that_changes_once_it_is_open_is_not_handed_over_to_its_end() {
      String before = "x".repeat(200_000);
      file("a", before);
      Artifact added = artifacts.add(ONE, NewArtifact.file(CODE, "a"), ADA);
      try (var opened = artifacts.open(ONE, added.id())) {
        file("a", "y" + before.substring(1));
        AtomicLong taken = new AtomicLong();
        refused(
            Code.CONFLICT,
            () -> opened.content().copyTo((piece, bytes) -> taken.addAndGet(bytes)),
            "changed");
        assertThat(taken.get()).isLessThan(before.length());
      }
    }

    @Test
    void a_damaged_or_missing_text_is_found_when_it_is_fetched_and_by_verify() {
      Artifact added = text(ONE, CODE, "sound");
      Tamper.with(store, "UPDATE artifact_contents SET content = 'tampered'");
      refused(
          Code.CONFLICT,
          () -> fetched(added),
          JournalEntry.sha256("sound"),
          JournalEntry.sha256("tampered"));
      assertThat(findings()).singleElement().asString().contains("does not fit its hash");
      assertThat(fetched(text(TWO, CODE, "sound"))).as("handed over again").isEqualTo("sound");
      assertThat(fetched(added)).isEqualTo("sound");
      Tamper.with(store, "DELETE FROM artifact_contents");
      refused(Code.CONFLICT, () -> fetched(added), "gone from the store");
      assertThat(findings()).singleElement().asString().contains("the text is missing");
    }

    @Test
    void rows_that_are_not_those_of_the_journal_are_found() {
      text(ONE, CODE, "x");
      Tamper.with(store, "UPDATE task_artifacts SET artifact_type = 'LOG'");
      assertThat(findings()).singleElement().asString().startsWith("task_artifacts.T-001");
      Tamper.with(store, "DELETE FROM task_artifacts");
      assertThat(findings()).singleElement().asString().startsWith("task_artifacts.T-001");
    }

    @Test
    void the_same_text_is_kept_once_and_no_content_is_in_the_journal() {
      String text = "the very same text";
      text(ONE, CODE, text);
      text(TWO, LOG, text);
      String hash = JournalEntry.sha256(text);
      given(
          tx -> {
            assertThat(tx.artifacts().text(hash)).contains(text);
            var entry = tx.journal().stream(ONE.stream()).get(1);
            assertThat(entry.content().kind()).isEqualTo("artifact.added");
            assertThat(entry.content().payload()).contains(hash, "CODE").doesNotContain(text);
          });
    }

    @Test
    void a_worker_that_lost_its_lease_hands_nothing_over() {
      Task held = new Leases(store).hold(ONE, "bot", Duration.ofMinutes(1), BOT);
      var wanted = NewArtifact.text(CODE, "x");
      refused(Code.LEASE_LOST, () -> artifacts.add(ONE, wanted, BOT.withFence(9L)));
      refused(Code.LEASE_LOST, () -> artifacts.add(ONE, wanted, BOT));
      assertThat(artifacts.list(ONE)).isEmpty();
      artifacts.add(ONE, wanted, BOT.withFence(held.fence()));
      assertThat(artifacts.list(ONE)).hasSize(1);
    }

    @Test
    void the_same_key_hands_over_once() {
      Path file = file("a", "x");
      var call = ADA.withKey("k");
      Artifact first = artifacts.add(ONE, NewArtifact.file(CODE, "a"), call);
      file("a", "changed meanwhile");
      assertThat(artifacts.add(ONE, NewArtifact.file(CODE, "a"), call)).isEqualTo(first);
      assertThat(file).exists();
      refused(Code.CONFLICT, () -> artifacts.add(ONE, NewArtifact.file(LOG, "a"), call));
      assertThat(artifacts.list(ONE)).containsExactly(first);
    }

    @Test
    void all_of_several_tasks_are_collected_in_the_order_of_the_tasks() {
      Artifact first = text(ONE, CODE, "1");
      Artifact second = text(TWO, CODE, "2");
      Artifact third = text(ONE, LOG, "3");
      var all = artifacts.collect(List.of(TWO, ONE, TWO), null);
      assertThat(all.artifacts()).containsExactly(second, first, third);
      assertThat(all.counts()).containsEntry(ONE, 2).containsEntry(TWO, 1);
      var logs = artifacts.collect(List.of(ONE, TWO), LOG);
      assertThat(logs.artifacts()).containsExactly(third);
      assertThat(logs.counts()).containsEntry(TWO, 0);
      refused(Code.NOT_FOUND, () -> artifacts.collect(List.of(ONE, TaskId.of(9)), null), "T-009");
      refused(Code.INVALID, () -> artifacts.collect(List.of(), null), "1 to 100");
    }

    @Test
    void everything_has_a_limit() {
      String most = "x".repeat(Artifact.INLINE_BYTES_MAX);
      assertThat(fetched(text(ONE, LOG, most))).isEqualTo(most);
      refused(Code.TOO_LARGE, () -> NewArtifact.text(LOG, most + "x"), "65,537", "a file");
      refused(
          Code.TOO_LARGE,
          () -> NewArtifact.text(LOG, "ü".repeat(Artifact.INLINE_BYTES_MAX / 2 + 1)));
      refused(Code.INVALID, () -> NewArtifact.text(LOG, "a\0b"), "NUL");
      refused(Code.INVALID, () -> new NewArtifact(LOG, "a", "b", null), "either");
      refused(Code.INVALID, () -> new ArtifactType("two words"), "TEST_RESULT");
      given(
          tx -> {
            var content = new Artifact.Content(JournalEntry.sha256(most), 1, tx.now());
            for (int i = tx.artifacts().count(TWO); i < Artifact.PER_TASK_MAX; i++) {
              tx.artifacts().insert(TWO, LOG, null, content);
            }
          });
      refused(Code.TOO_LARGE, () -> text(TWO, LOG, "one more"), "1,000");
    }

    @Test
    void a_file_of_another_host_is_known_but_not_fetched_here() {
      file("a", "x");
      Artifact added = artifacts.add(ONE, NewArtifact.file(CODE, "a"), ADA);
      var there = new Artifacts(store, new OtherHost());
      refused(Code.CONFLICT, () -> there.get(ONE, added.id()), "fetch it there");
      assertThat(there.show(ONE, added.id())).isEqualTo(added);
      refused(Code.NOT_FOUND, () -> artifacts.show(TWO, added.id()), "artifact list T-002");
    }

    @Test
    void a_rebuilt_store_has_all_of_them() {
      Artifact inline = text(ONE, CODE, "kept");
      file("a", "x");
      Artifact file = artifacts.add(TWO, NewArtifact.file(CODE, "a"), ADA);
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store made = open(target)) {
        assertThat(Verification.of(made).findings()).isEmpty();
        var again = new Artifacts(made, DiskArtifacts.anywhere(made, folder));
        assertThat(again.get(ONE, inline.id()).content()).isEqualTo("kept".getBytes(UTF_8));
        assertThat(again.list(TWO)).containsExactly(file);
        assertThat(again.add(TWO, NewArtifact.text(LOG, "next"), ADA).id())
            .isGreaterThan(file.id());
      }
    }
  }

  /** A machine on which none of the files are. */
  private record OtherHost() implements ArtifactFiles {
    @Override
    public String host() {
      return "some-other-machine";
    }

    @Override
    public Seen look(String path) {
      throw new AssertionError("looked at " + path);
    }

    @Override
    public Held hold(String path, long bytesMax) {
      throw new AssertionError("read " + path);
    }
  }
}
