package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.FileWrite.Asked;
import dev.mainstay.domain.FileWrite.Change;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.workspace.FileWrites.Wanted;
import dev.mainstay.workspace.FileWrites.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FileWritesTest {
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

  abstract static class Contract extends OnWorkspace {
    Contract(Databases database) {
      super(database);
    }

    private Written write(Wanted wanted, Call call) {
      return new FileWrites(tracker).write(wanted, call);
    }

    @Test
    void an_agent_does_not_write_what_configures_programs_and_a_person_may() {
      Wanted settings = wanted(".claude/settings.json", "{}", null, null);
      assertThatThrownBy(() -> write(settings, BOT))
          .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.isReserved()).isTrue())
          .hasMessageContaining(".claude/settings.json configures programs");
      assertThat(root.resolve(".claude")).doesNotExist();
      assertThat(write(settings, ADA).changed()).isTrue();
    }

    private List<String> kinds() {
      return journal().stream().map(JournalEntry::content).map(JournalEntry.Content::kind).toList();
    }

    private List<FileWrite> begun() {
      return store.reading(tx -> tx.fileWrites().list(tracker.workspace().id()));
    }

    private List<String> names() throws IOException {
      try (Stream<Path> all = Files.list(root)) {
        return all.map(path -> path.getFileName().toString()).sorted().toList();
      }
    }

    @Test
    void a_write_says_whether_it_created_replaced_or_found_the_work_done() {
      assertThat(JsonText.write(write("a.txt", "1").toJson()))
          .isEqualTo(
              """
              {"changed":true,"hash":"%s","message":"a.txt was created","noop":false,\
              "path":"a.txt","success":true}"""
                  .formatted(hash("1")));
      assertThat(write("a.txt", "2").toJson())
          .isEqualTo(
              JsonObject.of("success", true, "noop", false, "changed", true)
                  .with("message", "a.txt was replaced")
                  .with("path", "a.txt")
                  .with("old_hash", hash("1"))
                  .with("hash", hash("2")));
      JsonObject noop = write("a.txt", "2").toJson();
      assertThat(noop.get("success")).isEqualTo(true);
      assertThat(noop.get("noop")).isEqualTo(true);
      assertThat(noop.get("changed")).isEqualTo(false);
      assertThat(noop.text("message")).contains("a.txt", "take the next step");
      assertThat(root.resolve("a.txt")).hasContent("2");
      assertThat(kinds()).containsExactly("file.written", "file.written");
      assertThat(files(tracker)).containsExactly("a.txt created", "old.txt unchanged");
    }

    @Test
    void the_journal_says_who_wrote_what_for_which_task() {
      Call bot = held(ONE);
      write(wanted("src/a.txt", "1", null, ONE), bot);
      JournalEntry entry = journal().get(0);
      assertThat(entry.origin().actor()).isEqualTo(BOT.actor());
      assertThat(JsonText.object(entry.content().payload()))
          .isEqualTo(
              JsonObject.of("path", "src/a.txt", "new_hash", hash("1"), "size", 1)
                  .with("task", "T-001"));
    }

    @Test
    void a_writer_who_has_seen_another_version_is_refused_with_both_hashes() {
      write(wanted("old.txt", "1", hash("old"), null), ADA);
      write(wanted("old.txt", "2", hash("1").substring(0, 6), null), ADA);
      write(wanted("new.txt", "1", "absent", null), ADA);
      refused(
          Code.CONFLICT,
          () -> write(wanted("old.txt", "3", hash("old"), null), ADA),
          "expected " + hash("old"),
          "found " + hash("2"),
          "nothing was written");
      refused(
          Code.CONFLICT, () -> write(wanted("old.txt", "3", hash("2").substring(0, 5), null), ADA));
      refused(
          Code.CONFLICT,
          () -> write(wanted("old.txt", "3", "absent", null), ADA),
          "expected absent",
          hash("2"));
      refused(
          Code.CONFLICT,
          () -> write(wanted("none.txt", "3", hash("2"), null), ADA),
          "found absent");
      assertThat(root.resolve("old.txt")).hasContent("2");
      assertThat(root.resolve("none.txt")).doesNotExist();
      assertThat(write(wanted("old.txt", "2", "absent", null), ADA).changed())
          .as("what is there already needs no version")
          .isFalse();
      assertThat(begun()).isEmpty();
    }

    @Test
    void the_same_request_under_one_key_is_made_once_whatever_became_of_the_file() {
      Call keyed = ADA.withKey("k");
      Written first = write(wanted("a.txt", "1", null, null), keyed);
      put("a.txt", "by hand");
      assertThat(write(wanted("a.txt", "1", null, null), keyed)).isEqualTo(first);
      assertThat(root.resolve("a.txt")).hasContent("by hand");
      refused(
          Code.CONFLICT, () -> write(wanted("a.txt", "2", null, null), keyed), "another request");
      assertThat(root.resolve("a.txt")).hasContent("by hand");
      assertThat(kinds()).containsExactly("file.written");
    }

    @Test
    void one_request_that_comes_many_times_at_once_is_made_once() throws Exception {
      tracker.scan();
      Call keyed = ADA.withKey("k");
      List<Written> all =
          Both.atOnce(
              8,
              () ->
                  new FileWrites(Tracker.open(store, root))
                      .write(wanted("a", "1", null, null), keyed));
      assertThat(all).containsOnly(all.get(0)).allMatch(Written::changed);
      assertThat(kinds()).containsExactly("file.written");
    }

    @Test
    void only_the_holder_writes_for_a_task_and_where_nothing_is_reserved_for_another() {
      Call one = held(ONE);
      Call two = held(TWO);
      refused(
          Code.NOT_HOLDER, () -> write(wanted("a.txt", "1", null, ONE), BOT), "held by bot-T-001");
      refused(Code.LEASE_LOST, () -> write(wanted("a.txt", "1", null, ONE), BOT.withFence(99L)));
      new Reservations(store, root).reserve(ONE, List.of("src/**"), one);
      refused(
          Code.CONFLICT,
          () -> write(wanted("src/a.txt", "1", null, TWO), two),
          "src/a.txt is reserved for T-001",
          "held by bot-T-001",
          "nothing was written");
      refused(Code.CONFLICT, () -> write(wanted("src/a.txt", "1", null, null), ADA), "T-001");
      assertThat(root.resolve("src")).doesNotExist();
      assertThat(write(wanted("src/a.txt", "1", null, ONE), one).changed()).isTrue();
      assertThat(write(wanted("b.txt", "1", null, TWO), two).changed()).isTrue();
    }

    /** What a writer leaves who dies between its note and its confirmation. */
    private FileWrite leave(String path, String before, String after) throws IOException {
      tracker.scan();
      String id = tracker.workspace().id();
      var change = new Change(before == null ? null : hash(before), hash(after));
      var asked = new Asked(ONE, BOT, "");
      var write = new FileWrite(new RepoPath(path), SafeFiles.newTempName(), change, asked);
      given(tx -> tx.fileWrites().put(id, write));
      Path beside = root.resolve(path).resolveSibling(write.tempName());
      if (Files.isDirectory(beside.getParent())) Files.writeString(beside, after);
      return write;
    }

    @Test
    void a_write_that_was_begun_and_not_made_is_forgotten() throws Exception {
      leave("old.txt", "old", "new");
      write("other.txt", "1");
      assertThat(begun()).isEmpty();
      assertThat(kinds()).as("only the other one").containsExactly("file.written");
      assertThat(names()).containsExactly(".mainstay", "old.txt", "other.txt");
      assertThat(root.resolve("old.txt")).hasContent("old");
    }

    @Test
    void a_write_that_was_made_and_not_confirmed_is_journaled_once_for_its_writer()
        throws Exception {
      leave("old.txt", "old", "new");
      put("old.txt", "new");
      var verified = tracker.verify();
      assertThat(verified.differences()).extracting(d -> d.path()).containsExactly("old.txt");
      assertThat(tracker.verify().differences()).isEmpty();
      tracker.recover();
      write("other.txt", "1");
      assertThat(kinds()).containsExactly("file.written", "file.written");
      assertThat(journal().get(0).origin().actor()).isEqualTo(BOT.actor());
      assertThat(names()).containsExactly(".mainstay", "old.txt", "other.txt");
      assertThat(hashOf(tracker, "old.txt")).isEqualTo(hash("new"));
      assertThat(touched(ONE))
          .as("the task touched it, though its writer died")
          .containsExactly("old.txt");
    }

    @Test
    void a_dead_writers_request_is_answered_for_it_and_never_made_again() {
      tracker.scan();
      String id = tracker.workspace().id();
      Call keyed = ADA.withKey("k");
      var request =
          JsonObject.of("workspace", id, "path", "old.txt", "hash", hash("new"))
              .with("expected", null)
              .with("task", null);
      String fingerprint =
          Once.of(keyed, "repo.write", request, Written::toJson, Written::fromJson).fingerprint();
      var asked = new Asked(null, keyed, fingerprint);
      var change = new Change(hash("old"), hash("new"));
      var left = new FileWrite(new RepoPath("old.txt"), SafeFiles.newTempName(), change, asked);
      given(tx -> tx.fileWrites().put(id, left));
      put("old.txt", "new");
      tracker.recover();
      put("old.txt", "by somebody else since");
      var again = write(wanted("old.txt", "new", null, null), keyed);
      assertThat(again.changed()).isTrue();
      assertThat(root.resolve("old.txt")).hasContent("by somebody else since");
    }

    @Test
    void a_write_that_somebody_else_overtook_is_forgotten_and_his_content_stays() throws Exception {
      leave("old.txt", "old", "new");
      put("old.txt", "something else");
      tracker.verify();
      assertThat(begun()).isEmpty();
      assertThat(kinds()).isEmpty();
      assertThat(root.resolve("old.txt")).hasContent("something else");
      assertThat(names()).containsExactly(".mainstay", "old.txt");
    }

    @Test
    void a_write_left_where_a_link_or_file_is_now_stops_nobody() throws Exception {
      leave("gone/a.txt", null, "new");
      leave("link/a.txt", null, "new");
      Files.createSymbolicLink(root.resolve("link"), temp);
      leave("old.txt/a.txt", null, "new");
      assertThat(write("other.txt", "1").changed()).isTrue();
      assertThat(begun()).isEmpty();
      assertThat(kinds()).containsExactly("file.written");
    }

    @Test
    void a_refused_write_leaves_no_note_and_no_temporary_file() throws Exception {
      Files.createSymbolicLink(root.resolve("link"), temp);
      refused(Code.INVALID, () -> write("link/a.txt", "1"), "link");
      Path folder = Files.createDirectory(root.resolve("locked"));
      Files.createLink(root.resolve("twin.txt"), root.resolve("old.txt"));
      refused(Code.INVALID, () -> write("old.txt", "1"), "hard links");
      refused(Code.INVALID, () -> write("locked", "1"), "not a plain file");
      assertThat(folder).isEmptyDirectory();
      assertThat(begun()).isEmpty();
      assertThat(kinds()).isEmpty();
      assertThat(names()).noneMatch(SafeFiles::isTemp);
    }

    @Test
    void eight_at_once_write_their_own_file_and_the_same_one() throws Exception {
      AtomicInteger number = new AtomicInteger();
      Both.atOnce(
          8,
          () -> {
            int me = number.incrementAndGet();
            Tracker mine = me % 2 == 0 ? tracker : Tracker.open(store, root);
            FileWrites writes = new FileWrites(mine);
            for (int i = 0; i < 3; i++) {
              writes.write(wanted("own/" + me + ".txt", "own " + i, null, null), ADA);
              writes.write(wanted("same.txt", "by " + me, null, null), ADA);
              if (i == 1) mine.snapshot();
            }
            return me;
          });
      assertThat(begun()).isEmpty();
      assertThat(files(tracker)).hasSize(10).contains("own/8.txt created", "same.txt created");
      assertThat(tracker.verify().differences()).isEmpty();
      String last = journal().get(journal().size() - 1).content().payload();
      assertThat(last).contains("new_hash");
      List<JsonObject> same =
          journal().stream()
              .map(entry -> JsonText.object(entry.content().payload()))
              .filter(payload -> payload.text("path").equals("same.txt"))
              .toList();
      for (int i = 1; i < same.size(); i++) {
        assertThat(same.get(i).text("old_hash"))
            .as("each write saw the one before")
            .isEqualTo(same.get(i - 1).text("new_hash"));
      }
      assertThat(hash(Files.readString(root.resolve("same.txt"))))
          .isEqualTo(same.get(same.size() - 1).text("new_hash"));
    }

    @Test
    void bytes_are_kept_as_they_are_and_so_is_the_mode() throws Exception {
      byte[] content = new byte[256];
      for (int i = 0; i < content.length; i++) content[i] = (byte) i;
      Path file = root.resolve("old.txt");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
      write(new Wanted(new RepoPath("old.txt"), content, null, null), ADA);
      assertThat(file).hasBinaryContent(content);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rwxr-x---");
      byte[] large = new byte[SafeFiles.CONTENT_BYTES_MAX];
      var path = new RepoPath("large");
      assertThat(write(new Wanted(path, large, null, null), ADA).changed()).isTrue();
      refused(
          Code.TOO_LARGE,
          () -> write(new Wanted(path, new byte[large.length + 1], null, null), ADA),
          "4,194,304",
          "4,194,305");
      assertThat(root.resolve("large")).hasSize(large.length);
    }

    @Test
    void a_database_in_the_workspace_is_no_file_to_write() throws Exception {
      var inside = new StoreAddress.File(root.resolve("db/state.sqlite3"));
      Files.createDirectory(root.resolve("db"));
      try (Store other = Store.open(inside, StoreSettings.DEFAULT.withClock(clock))) {
        FileWrites writes = new FileWrites(Tracker.open(other, root));
        Files.createLink(root.resolve("twin"), root.resolve("db/state.sqlite3"));
        for (String path : List.of("db/state.sqlite3", "db/state.sqlite3-wal", "twin")) {
          refused(
              Code.INVALID,
              () -> writes.write(wanted(path, "x", null, null), ADA),
              path,
              "Mainstay's own store");
        }
        assertThat(writes.write(wanted("db/a.txt", "x", null, null), ADA).changed()).isTrue();
      }
    }

    @Test
    void a_link_in_place_of_our_folder_leads_nobody_out() throws Exception {
      Path other = Files.createDirectory(temp.resolve("other"));
      Path elsewhere = Files.createDirectory(temp.resolve("elsewhere"));
      Files.createSymbolicLink(other.resolve(".mainstay"), elsewhere);
      refused(Code.INVALID, () -> Tracker.open(store, other), ".mainstay", "link");
      assertThat(elsewhere).isEmptyDirectory();
    }
  }
}
