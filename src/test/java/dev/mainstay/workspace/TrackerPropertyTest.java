package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.OpenTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is done and whoever sees it: after a scan the state is what the disk holds. */
class TrackerPropertyTest extends OnTracker {
  private static final int CASES = 12;
  private static final int STEPS = 30;
  private static final List<String> PATHS =
      List.of("a.txt", "b.txt", "c.java", "src/a.txt", "src/b.txt", "src/deep/er/c.txt", "d/d.txt");

  /** A workspace with two trackers over it, as two processes have, and a model beside it. */
  private final class World {
    private final Random random;
    private final Path root;
    private final Tracker[] trackers = new Tracker[2];
    private Map<String, String> base = new TreeMap<>();
    private int stories;
    private int versions;

    World(Random random, Path root) throws IOException {
      this.random = random;
      this.root = root;
      for (String path : PATHS) if (random.nextBoolean()) change(path);
      trackers[0] = Tracker.open(store, root);
      trackers[0].scan();
      trackers[1] = Tracker.open(store, root);
      base = disk(root);
    }

    private String path() {
      return PATHS.get(random.nextInt(PATHS.size()));
    }

    /** A few contents only, so that an old one comes back now and then. */
    private String content() {
      return random.nextInt(3) == 0 ? "again" : "version " + versions++;
    }

    private void change(String path) throws IOException {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content());
    }

    void step() throws IOException {
      int who = random.nextInt(trackers.length);
      Tracker tracker = trackers[who];
      switch (random.nextInt(11)) {
        case 0, 1 -> change(path());
        case 2 -> Files.deleteIfExists(root.resolve(path()));
        case 3 -> rename();
        case 4 -> seen(tracker, path());
        case 5 -> tracker.queue("Bash", JsonObject.of("command", "make"), null, CALL);
        case 6 -> tracker.scan();
        case 7, 8 -> write(tracker, path(), content());
        case 9 -> trackers[who] = Tracker.open(store, root);
        default -> another(tracker);
      }
    }

    private void rename() throws IOException {
      Path from = root.resolve(path());
      Path to = root.resolve(path());
      if (!Files.exists(from) || from.equals(to)) return;
      Files.createDirectories(to.getParent());
      Files.move(from, to, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    /** A tool that changed a file, or only says so. */
    private void seen(Tracker tracker, String path) throws IOException {
      if (random.nextBoolean()) change(path);
      JsonObject result = JsonObject.of("success", true, "path", path);
      if (random.nextBoolean()) tracker.queue("write_file", result, null, CALL);
      else tracker.updateFromToolResult("write_file", result, null, CALL);
    }

    private void another(Tracker tracker) throws IOException {
      if (random.nextBoolean()) {
        tracker.setTasks(List.of(new OpenTask("go on", OpenTask.Status.PENDING, 1)), CALL);
      } else {
        tracker.beginStory("story " + ++stories, CALL);
        base = disk(root);
      }
    }

    /** Path, hash and status of everything that is there or was when the story began. */
    List<String> model() throws IOException {
      Map<String, String> now = disk(root);
      Map<String, String> lines = new TreeMap<>();
      now.forEach(
          (path, hash) -> {
            String before = base.get(path);
            String status =
                before == null ? "created" : before.equals(hash) ? "unchanged" : "modified";
            lines.put(path, path + " " + hash + " " + status);
          });
      for (String path : base.keySet()) lines.putIfAbsent(path, path + " deleted");
      return List.copyOf(lines.values());
    }

    List<String> state(Tracker tracker) {
      List<String> lines = new ArrayList<>();
      for (FileMeta file : tracker.state().files()) {
        String hash = file.isThere() ? file.hash() + " " : "";
        lines.add(file.path() + " " + hash + file.status().typed());
      }
      return lines;
    }

    void scanned(Tracker tracker) throws IOException {
      tracker.scan();
      assertThat(state(tracker)).isEqualTo(model());
    }
  }

  @Test
  void after_a_scan_the_state_is_what_the_disk_holds_since_the_story_began() {
    Seeds.forAll(
        CASES,
        random -> {
          Path root = Files.createTempDirectory(temp, "workspace").toRealPath();
          World world = new World(random, root);
          for (int step = 0; step < STEPS; step++) {
            world.step();
            if (random.nextInt(8) == 0) world.scanned(world.trackers[random.nextInt(2)]);
          }
          world.scanned(world.trackers[0]);
          world.scanned(world.trackers[1]);
          for (Tracker tracker : world.trackers) agrees(tracker);
          assertThat(world.state(Tracker.open(store, root))).isEqualTo(world.model());
        });
  }

  @Test
  void a_write_leaves_alone_what_another_process_has_written_since() throws IOException {
    Path root = Files.createDirectory(temp.resolve("workspace")).toRealPath();
    Files.writeString(root.resolve("old.txt"), "old");
    Tracker one = Tracker.open(store, root);
    one.scan();
    Tracker other = Tracker.open(store, root);
    other.scan();
    write(other, "new.txt", "of the other");
    write(other, "old.txt", "changed by the other");
    write(one, "mine.txt", "of the one");
    assertThat(known(one)).isEqualTo(disk(root));
    assertThat(known(other)).isEqualTo(disk(root));
  }

  @Test
  void a_list_of_tasks_before_the_first_look_makes_no_file_new() throws IOException {
    Path root = Files.createDirectory(temp.resolve("workspace")).toRealPath();
    Files.writeString(root.resolve("old.txt"), "old");
    Tracker tracker = Tracker.open(store, root);
    tracker.setTasks(List.of(new OpenTask("begin", OpenTask.Status.PENDING, 1)), CALL);
    tracker.scan();
    assertThat(tracker.state().files())
        .extracting(file -> file.status().typed())
        .containsExactly("unchanged");
  }

  @Test
  @Timeout(120)
  void one_thread_that_writes_and_one_that_looks_do_not_wait_for_each_other() throws Exception {
    Path root = Files.createDirectory(temp.resolve("workspace")).toRealPath();
    Tracker tracker = Tracker.open(store, root);
    tracker.scan();
    CountDownLatch begin = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread looker =
        new Thread(
            () -> {
              begin.countDown();
              for (int i = 0; i < 40; i++) tracker.snapshot();
            });
    looker.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
    looker.start();
    begin.await();
    for (int i = 0; i < 40; i++) write(tracker, "file-" + i % 3, "version " + i);
    looker.join();
    assertThat(failure.get()).isNull();
    assertThat(known(tracker)).isEqualTo(disk(root));
  }
}
