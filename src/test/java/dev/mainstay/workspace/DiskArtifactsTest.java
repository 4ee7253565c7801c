package dev.mainstay.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskArtifactsTest {
  @TempDir Path base;
  private Path work;
  private Path database;
  private Store store;
  private DiskArtifacts anywhere;
  private DiskArtifacts below;

  @BeforeEach
  void aWorktree() throws IOException {
    work = Files.createDirectories(base.resolve("work")).toRealPath();
    database = work.resolve("state.sqlite3");
    store = Store.open(StoreAddress.parse(database.toString()), StoreSettings.DEFAULT);
    anywhere = DiskArtifacts.anywhere(store, work);
    below = DiskArtifacts.below(store, work);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static void refused(Code code, ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              assertThat(refusal.sentence()).contains(words);
            });
  }

  @Test
  void a_file_is_seen_by_a_relative_and_by_its_whole_path() throws IOException {
    Files.createDirectories(work.resolve("src"));
    Path file = Files.writeString(work.resolve("src/a.txt"), "text");
    var seen = below.look("src/a.txt");
    assertThat(seen.path()).isEqualTo(file.toString());
    assertThat(seen.hash()).isEqualTo(JournalEntry.sha256("text"));
    assertThat(seen.bytes()).isEqualTo(4);
    assertThat(below.look(file.toString())).isEqualTo(seen);
    assertThat(below.look("src/../src/a.txt")).isEqualTo(seen);
    var content = new ByteArrayOutputStream();
    try (var held = below.hold(seen.path(), 4)) {
      assertThat(held.hash()).isEqualTo(seen.hash());
      held.copyTo((piece, bytes) -> content.write(piece, 0, bytes));
    }
    assertThat(content.toString(UTF_8)).isEqualTo("text");
    refused(Code.TOO_LARGE, () -> below.hold(seen.path(), 3), "src/a.txt");
  }

  @Test
  void a_file_outside_is_for_the_user_of_this_process_alone() throws IOException {
    Path outside = Files.writeString(base.resolve("outside.txt"), "theirs").toRealPath();
    assertThat(anywhere.look(outside.toString()).path()).isEqualTo(outside.toString());
    assertThat(anywhere.look("../outside.txt").path()).isEqualTo(outside.toString());
    refused(Code.INVALID, () -> below.look(outside.toString()), "outside of");
    refused(Code.INVALID, () -> below.look("../outside.txt"), "outside of");
    refused(Code.INVALID, () -> below.hold(outside.toString(), 100), "outside of");
  }

  @Test
  void no_link_leads_out_of_the_worktree() throws IOException {
    Path outside = Files.writeString(base.resolve("outside.txt"), "theirs");
    Files.createSymbolicLink(work.resolve("link.txt"), outside);
    Files.createSymbolicLink(work.resolve("up"), base);
    refused(Code.INVALID, () -> below.look("link.txt"), "not a plain file");
    refused(Code.INVALID, () -> below.look("up/outside.txt"), "not a folder");
    refused(Code.INVALID, () -> anywhere.look("link.txt"), "not a plain file");
  }

  @Test
  void the_worktree_may_be_named_through_a_link() throws IOException {
    Files.writeString(work.resolve("a.txt"), "text");
    Path link = Files.createSymbolicLink(base.resolve("link"), work);
    assertThat(below.look(link.resolve("a.txt").toString()).path())
        .isEqualTo(work.resolve("a.txt").toString());
  }

  @Test
  void a_file_in_a_worktree_of_ours_is_work_and_the_rest_of_our_folder_is_not() throws IOException {
    Path tree = Files.createDirectories(work.resolve(".mainstay/worktrees/T-001"));
    Path file = Files.writeString(tree.resolve("a.txt"), "text");
    Files.writeString(work.resolve(".mainstay/token"), "secret");
    Files.createSymbolicLink(tree.resolve("up"), work.resolve(".mainstay"));
    assertThat(below.look(file.toString()).path()).isEqualTo(file.toString());
    assertThat(anywhere.look(".mainstay/worktrees/T-001/a.txt").bytes()).isEqualTo(4);
    refused(Code.INVALID, () -> below.look(".mainstay/token"), ".mainstay");
    refused(Code.INVALID, () -> below.look(".mainstay/worktrees/../token"), ".mainstay");
    refused(Code.INVALID, () -> below.look(tree.resolve("up/token").toString()), "not a folder");
    refused(Code.INVALID, () -> below.look(tree.resolve(".git").toString()), ".git");
    refused(Code.INVALID, () -> below.look(".mainstay/worktrees"), ".mainstay");
  }

  @Test
  void worktrees_that_lie_behind_a_link_are_not_ours() throws IOException {
    Files.createDirectories(base.resolve("theirs/T-001"));
    Files.writeString(base.resolve("theirs/T-001/a.txt"), "theirs");
    Files.createDirectories(work.resolve(".mainstay"));
    Files.createSymbolicLink(work.resolve(".mainstay/worktrees"), base.resolve("theirs"));
    refused(Code.NOT_FOUND, () -> below.look(".mainstay/worktrees/T-001/a.txt"), "no file");
  }

  @Test
  void the_store_itself_is_never_opened_by_whatever_name() throws IOException {
    Path other = Files.createLink(work.resolve("other-name"), database);
    refused(Code.INVALID, () -> anywhere.look(database.toString()), "own store");
    refused(Code.INVALID, () -> anywhere.look("state.sqlite3-wal"), "own store");
    refused(Code.INVALID, () -> anywhere.look(other.toString()), "own store");
    Path outside = Files.createLink(base.resolve("outside-name"), database);
    refused(Code.INVALID, () -> anywhere.hold(outside.toString(), 100), "own store");
  }

  @Test
  void what_is_no_file_is_refused() throws IOException {
    Files.createDirectories(work.resolve("folder"));
    refused(Code.NOT_FOUND, () -> below.look("none.txt"), "no file none.txt");
    refused(Code.NOT_FOUND, () -> anywhere.look("/no/such/folder/a.txt"), "no file");
    refused(Code.INVALID, () -> below.look("folder"), "not a plain file");
    refused(Code.INVALID, () -> below.look(" "), "name a file");
    refused(Code.INVALID, () -> below.look("."), "");
    refused(Code.INVALID, () -> below.look("a\0b"), "no path");
    refused(Code.INVALID, () -> anywhere.look("/"), "name a file");
    refused(Code.INVALID, () -> below.look(".git/config"), ".git");
  }
}
