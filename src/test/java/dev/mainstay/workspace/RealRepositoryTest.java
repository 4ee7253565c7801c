package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.render.Tokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Repositories as people have them: this one through its history, and a large one. */
class RealRepositoryTest extends OnTracker {
  private static final int COMMITS = 10;
  private static final int FILES = Boolean.getBoolean("long") ? 50_000 : 5_000;
  private static final int SNAPSHOT_TOKENS_MAX = 500;

  @Test
  void this_project_is_seen_as_git_sees_it_at_every_commit() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    assumeTrue(Files.exists(here.resolve(".git")), "the sources are not in a repository");
    Path root = temp.toRealPath().resolve("clone");
    Git.at(here).run("clone", "-q", "--local", ".", root.toString());
    Git git = Git.at(root);
    List<String> commits = git.run("rev-list", "--first-parent", "HEAD").lines().toList();
    Tracker tracker = Tracker.open(store, root);
    Map<String, String> base = null;
    for (int i = 0; i < COMMITS; i++) {
      String commit = commits.get((int) ((long) i * (commits.size() - 1) / (COMMITS - 1)));
      git.run("checkout", "-q", "--force", commit);
      tracker.scan();
      Map<String, String> now = new TreeMap<>();
      for (String file : git.files()) now.put(file, hash(root.resolve(file)));
      if (base == null) base = now;
      assertThat(known(tracker)).as(commit).isEqualTo(now);
      assertThat(statuses(tracker)).as(commit).isEqualTo(statuses(base, now));
      if (i == COMMITS / 2) {
        tracker.beginStory("half way", CALL);
        base = now;
        tracker = Tracker.open(store, root);
      }
    }
    agrees(tracker);
  }

  private static Map<String, String> statuses(Tracker tracker) {
    Map<String, String> statuses = new TreeMap<>();
    for (FileMeta file : tracker.state().files()) {
      statuses.put(file.path(), file.status().typed());
    }
    return statuses;
  }

  private static Map<String, String> statuses(Map<String, String> base, Map<String, String> now) {
    Map<String, String> statuses = new TreeMap<>();
    base.forEach(
        (path, hash) -> {
          String after = now.get(path);
          statuses.put(
              path, after == null ? "deleted" : after.equals(hash) ? "unchanged" : "modified");
        });
    for (String path : now.keySet()) statuses.putIfAbsent(path, "created");
    return statuses;
  }

  @Test
  void a_large_repository_is_followed_through_random_changes() throws IOException {
    long seed = Long.getLong("seed", 1);
    Random random = new Random(seed);
    Path root = Files.createDirectory(temp.toRealPath().resolve("large"));
    Git.init(root);
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      String path = "module-%d/src/package%d/Class%d.java".formatted(i % 50, i % 7, i);
      put(root, path, "class Class%d {}\n".formatted(i));
      paths.add(path);
    }
    Tracker tracker = Tracker.open(store, root);
    assertThat(tracker.scan().added()).isEqualTo(FILES);
    Map<String, String> base = disk(root);
    assertThat(known(tracker)).isEqualTo(base);
    for (int i = 0; i < FILES / 100; i++) {
      int at = random.nextInt(paths.size());
      String path = paths.get(at);
      switch (random.nextInt(4)) {
        case 0 -> put(root, "created/%d.txt".formatted(i), "created " + i);
        case 1 -> put(root, path, "changed " + i);
        case 2 -> Files.delete(root.resolve(paths.remove(at)));
        default -> Files.move(root.resolve(paths.remove(at)), root.resolve("renamed-" + i));
      }
    }
    tracker.scan();
    Map<String, String> now = disk(root);
    assertThat(known(tracker)).as("seed " + seed).isEqualTo(now);
    assertThat(statuses(tracker)).as("seed " + seed).isEqualTo(statuses(base, now));
    agrees(tracker);
    assertThat(known(Tracker.open(store, root))).isEqualTo(now);
    assertThat(Tokens.O200K.count(tracker.snapshot().text())).isLessThan(SNAPSHOT_TOKENS_MAX);
  }

  private static void put(Path root, String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
