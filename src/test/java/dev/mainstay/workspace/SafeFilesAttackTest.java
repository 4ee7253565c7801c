package dev.mainstay.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A second process swaps names while this one writes and reads through them. */
class SafeFilesAttackTest {
  private static final int SWAPS = 50_000;
  private static final int FEWER_SWAPS = 10_000;

  @TempDir Path folder;
  private HostileTree hostile;
  private SafeFiles files;
  private Path root;

  @BeforeEach
  void build() throws IOException {
    hostile = HostileTree.in(folder);
    root = hostile.root();
    files = new SafeFiles(SafeTree.at(root));
  }

  /** The swapping process; {@link #isDone} does not wait. */
  private record Swapper(Process process, BufferedReader out) implements AutoCloseable {
    static Swapper start(Path name, int times, Path... others) throws IOException {
      List<String> argv =
          Jvm.words(Jvm.QUIET, SwappingProcess.class, name.toString(), Integer.toString(times));
      Arrays.stream(others).map(Path::toString).forEach(argv::add);
      Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
      Swapper swapper = new Swapper(process, process.inputReader());
      assertThat(swapper.out.readLine()).isEqualTo("ready");
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      return swapper;
    }

    boolean isDone() {
      return !process.isAlive();
    }

    void endedWell() {
      assertThat(out.lines().toList()).containsExactly("done");
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @Test
  void a_folder_swapped_for_a_link_leads_no_write_and_no_read_outside() throws Exception {
    Path link = Files.createSymbolicLink(root.resolve("link"), hostile.outside());
    Map<String, String> before = HostileTree.fingerprint(hostile.outside());
    Map<String, String> written = new TreeMap<>();
    int rounds = 0;
    try (Swapper swapper = Swapper.start(root.resolve("src"), SWAPS, link)) {
      for (; !swapper.isDone(); rounds++) {
        String content = "inside " + rounds;
        // The decoy's own name, a name that is new outside, and a folder that must be made.
        for (String path : List.of("decoy.txt", "new-" + rounds % 100, rounds % 100 + "/decoy.txt"))
          if (put("src/" + path, content)) written.put("src/" + path, content);
        assertThat(read("src/decoy.txt").orElse("inside")).startsWith("inside");
      }
      swapper.endedWell();
    }
    assertThat(HostileTree.fingerprint(hostile.outside())).isEqualTo(before);
    assertThat(written).as("of %d rounds some must get through", rounds).isNotEmpty();
    for (var each : written.entrySet()) holdsThisOrLater(each.getKey(), each.getValue());
    noTempsLeft();
  }

  /**
   * A write that was refused may have landed after the last one that was reported; and a folder
   * that we made in the instant when the name was free was put aside, inside the workspace.
   */
  private void holdsThisOrLater(String path, String content) throws IOException {
    List<Path> places = new ArrayList<>(List.of(root.resolve(path)));
    Path aside = root.resolve("aside");
    if (Files.exists(aside)) {
      try (var all = Files.list(aside)) {
        all.forEach(each -> places.add(each.resolve(path.substring("src/".length()))));
      }
    }
    int latest = -1;
    for (Path place : places) {
      if (Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS)) {
        latest = Math.max(latest, number(Files.readString(place)));
      }
    }
    assertThat(latest).as(path).isGreaterThanOrEqualTo(number(content));
  }

  private static int number(String content) {
    return Integer.parseInt(content.substring("inside ".length()));
  }

  @Test
  void a_file_swapped_for_a_link_shows_nothing_outside() throws Exception {
    Path link =
        Files.createSymbolicLink(root.resolve("link"), hostile.outside().resolve("decoy.txt"));
    String inside = look("src/decoy.txt").orElseThrow();
    try (Swapper swapper = Swapper.start(root.resolve("src/decoy.txt"), FEWER_SWAPS, link)) {
      while (!swapper.isDone()) {
        assertThat(look("src/decoy.txt").orElse(inside)).isEqualTo(inside);
        assertThat(read("src/decoy.txt").orElse("inside, too")).isEqualTo("inside, too");
      }
      swapper.endedWell();
    }
    assertThat(look("src/decoy.txt")).contains(inside);
  }

  @Test
  void a_file_or_folder_swapped_for_a_pipe_stops_nobody() throws Exception {
    hostile.pipes();
    for (String swapped : List.of("src", "src/decoy.txt")) {
      Path pipe = root.resolve("pipe");
      try (Swapper swapper = Swapper.start(root.resolve(swapped), FEWER_SWAPS, pipe)) {
        while (!swapper.isDone()) {
          assertThat(read("src/decoy.txt").orElse("inside, too")).isEqualTo("inside, too");
        }
        swapper.endedWell();
      }
      assertThat(read("src/decoy.txt")).contains("inside, too");
    }
  }

  @Test
  void writers_of_one_new_folder_all_succeed() throws Exception {
    int writers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      for (int round = 0; round < 50; round++) {
        CyclicBarrier start = new CyclicBarrier(writers);
        List<Future<Boolean>> done = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
          String path = "made-%d/a/b/%d.txt".formatted(round, writer);
          done.add(
              threads.submit(
                  () -> {
                    start.await();
                    files.replace(new RepoPath(path), new byte[3], SafeFiles.newTempName());
                    return true;
                  }));
        }
        for (Future<Boolean> each : done) assertThat(each.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    noTempsLeft();
  }

  @Test
  void a_write_interrupted_anywhere_is_whole_or_not_there() throws Exception {
    Path file = root.resolve("src/decoy.txt");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
    int refused = 0;
    for (int round = 0; round < 300; round++) {
      String before = Files.readString(file);
      String content = "inside " + round;
      AtomicBoolean done = new AtomicBoolean();
      Thread writer = new Thread(() -> done.set(put("src/decoy.txt", content)));
      writer.start();
      for (int spin = 0; spin < round * 400; spin++) Thread.onSpinWait();
      writer.interrupt();
      writer.join();
      assertThat(Files.readString(file)).isEqualTo(done.get() ? content : before);
      if (!done.get()) refused++;
    }
    assertThat(refused).as("interrupted in time").isPositive();
    noTempsLeft();
  }

  private boolean put(String path, String content) {
    return attempt(
            () ->
                files
                    .replace(new RepoPath(path), content.getBytes(UTF_8), SafeFiles.newTempName())
                    .hash())
        .isPresent();
  }

  private Optional<String> read(String path) {
    return attempt(() -> new String(files.read(new RepoPath(path), 1_000), UTF_8));
  }

  private Optional<String> look(String path) {
    return attempt(() -> files.look(new RepoPath(path)).map(SafeFiles.Seen::hash).orElse(null));
  }

  private interface Call {
    @Nullable String made();
  }

  /** A refusal is a fair answer in a tree that does not stand still; anything else is not. */
  private static Optional<String> attempt(Call call) {
    try {
      return Optional.ofNullable(call.made());
    } catch (Refusal refused) {
      assertThat(refused.code())
          .as(refused.sentence())
          .isIn(
              Refusal.Code.CONFLICT,
              Refusal.Code.INVALID,
              Refusal.Code.NOT_FOUND,
              Refusal.Code.STORE_UNAVAILABLE);
      return Optional.empty();
    }
  }

  private void noTempsLeft() throws IOException {
    try (var all = Files.walk(root)) {
      assertThat(all.map(each -> each.getFileName().toString()).filter(SafeFiles::isTemp))
          .isEmpty();
    }
  }
}
