package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.process.Programs.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worktrees as git itself makes them. */
class WorktreeCliTest {
  @TempDir Path temp;
  private Path shop;

  @BeforeEach
  void aRepository() throws IOException {
    shop = Files.createDirectories(temp.toRealPath().resolve("shop"));
    assumeThat(git("init", "-q", ".")).as("git is installed").isPresent();
  }

  private Optional<Ended> git(String... args) {
    List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=Ada"));
    command.addAll(List.of("-c", "user.email=ada@example.org"));
    command.addAll(List.of(args));
    return Programs.run(Order.of(command, Duration.ofMinutes(1)).in(shop));
  }

  private void commit() throws IOException {
    Files.writeString(shop.resolve("a.txt"), "one\n");
    git("add", "a.txt");
    assertThat(git("commit", "-q", "-m", "one").orElseThrow().exit()).isZero();
  }

  private CliRun run(Path folder, String... args) {
    return CliRun.of(folder, "new\n", args);
  }

  private CliRun worktree(String... args) {
    List<String> words = new ArrayList<>(List.of("repo", "worktree"));
    words.addAll(List.of(args));
    return run(shop, words.toArray(String[]::new));
  }

  @Test
  void an_agent_gets_files_of_its_own_and_the_store_of_all() throws IOException {
    commit();
    JsonObject made = JsonText.object(worktree("add", "coder-1", "--json").out());
    assertThat(made.text("branch")).isEqualTo("mainstay/coder-1");
    Path files = Path.of(made.text("folder"));
    assertThat(files.resolve("a.txt")).hasContent("one\n");
    assertThat(run(files, "repo", "write", "b.txt").code()).isZero();
    assertThat(files.resolve("b.txt")).hasContent("new\n");
    assertThat(shop.resolve("b.txt")).doesNotExist();
    assertThat(run(files, "repo", "snapshot").out())
        .contains("Workspace: " + files + "\n", "b.txt (");
    assertThat(run(shop, "repo", "snapshot").out())
        .contains("Workspace: " + shop + "\n", "a.txt (")
        .doesNotContain("b.txt", "worktrees");
    assertThat(files.resolve(".mainstay/repostate.json")).exists();
    assertThat(files.resolve(".mainstay/state.sqlite3")).doesNotExist();
    assertThat(run(files, "task", "create", "from below").code()).isZero();
    assertThat(run(shop, "task", "ready").out()).contains("from below");
  }

  @Test
  void worktrees_are_made_once_listed_and_taken_away() throws IOException {
    commit();
    assertThat(worktree("list").err()).contains("no worktrees", "worktree add NAME");
    CliRun first = worktree("add", "coder-1", "--from", "HEAD");
    assertThat(first.out()).startsWith("coder-1  mainstay/coder-1  " + shop).hasLineCount(1);
    assertThat(worktree("add", "coder-1").out()).isEqualTo(first.out());
    assertThat(worktree("list").out()).isEqualTo(first.out());
    assertThat(JsonText.object(worktree("list", "--json").out()).objects("worktrees")).hasSize(1);
    assertThat(worktree("remove", "coder-1").out())
        .isEqualTo("the worktree coder-1 is gone; its branch stays\n");
    assertThat(JsonText.object(worktree("list", "--json").out()).objects("worktrees")).isEmpty();
    assertThat(git("rev-parse", "mainstay/coder-1").orElseThrow().exit()).isZero();
  }

  @Test
  void filters_of_the_repository_do_not_run() throws IOException {
    Files.writeString(shop.resolve(".gitattributes"), "* filter=evil\n");
    git("add", ".gitattributes");
    commit();
    Path ran = temp.resolve("ran");
    for (String program : List.of("smudge", "clean")) {
      git("config", "filter.evil." + program, "touch " + ran + "; cat");
    }
    git("config", "filter.evil.required", "true");
    assertThat(worktree("add", "coder-1").code()).isZero();
    assertThat(ran).doesNotExist();
    Path file = shop.resolve(".mainstay/worktrees/coder-1/a.txt");
    assertThat(file).hasContent("one\n");
    Files.writeString(file, "two\n");
    assertThat(worktree("remove", "coder-1").code()).isEqualTo(4);
    Files.writeString(file, "one\n");
    assertThat(worktree("remove", "coder-1").code()).isZero();
    assertThat(ran).doesNotExist();
    git("worktree", "add", shop.resolveSibling("control").toString());
    assertThat(ran).as("git itself runs the filter").exists();
  }

  @Test
  void one_with_changes_stays_and_says_what_to_do() throws IOException {
    commit();
    worktree("add", "coder-1");
    Path open = shop.resolve(".mainstay/worktrees/coder-1/open.txt");
    Files.writeString(open, "open");
    CliRun kept = worktree("remove", "coder-1");
    assertThat(kept.code()).isEqualTo(4);
    assertThat(kept.err())
        .startsWith("mainstay: the worktree coder-1 stays; commit or delete what changed in it")
        .doesNotContain("--force");
    assertThat(open).exists();
  }

  @Test
  void what_git_cannot_do_is_refused_with_what_is_missing() throws IOException {
    CliRun early = worktree("add", "coder-1");
    assertThat(early.code()).isEqualTo(4);
    assertThat(early.err()).contains("needs a first commit");
    commit();
    CliRun base = worktree("add", "coder-1", "--from", "nonesuch");
    assertThat(base.code()).isEqualTo(4);
    assertThat(base.err()).contains("--from names a branch or commit that is there");
    assertThat(worktree("add", "coder-1", "--from=--force").code()).isEqualTo(1);
    for (String name : List.of("../x", "a/b", "", ".x", "x y")) {
      assertThat(worktree("add", name).code()).as(name).isEqualTo(1);
    }
    assertThat(worktree("remove", "nobody").code()).isEqualTo(3);
    assertThat(worktree("add").code()).isEqualTo(2);
    Path plain = Files.createDirectories(temp.resolve("plain"));
    CliRun outside = run(plain, "repo", "worktree", "list");
    assertThat(outside.code()).isEqualTo(1);
    assertThat(outside.err()).contains("is not the root of a git repository");
  }
}
