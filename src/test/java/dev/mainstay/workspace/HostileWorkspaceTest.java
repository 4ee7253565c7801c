package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Jvm;
import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.Refusal;
import dev.mainstay.render.Tokens;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A workspace made by an enemy, from its first look to the writes into it. */
@Timeout(300)
class HostileWorkspaceTest extends OnTracker {
  private static final int SWAPS = 50_000;
  private static final int SNAPSHOT_TOKENS_MAX = 500;

  private HostileTree hostile;
  private Path root;
  private Map<String, String> before;

  @BeforeEach
  void build() throws IOException {
    hostile = HostileTree.in(temp);
    root = hostile.root().toRealPath();
    before = HostileTree.fingerprint(hostile.outside());
  }

  private void nothingOutsideChanged() throws IOException {
    assertThat(HostileTree.fingerprint(hostile.outside())).isEqualTo(before);
  }

  @Test
  void everything_hostile_is_looked_at_and_nothing_outside_is_touched() throws Exception {
    hostile.everything();
    Tracker tracker = Tracker.open(store, root);
    String leftOut = tracker.scan().leftOut();
    assertThat(leftOut).contains("too deep (deep/").contains("too large to hash (sparse.bin)");
    assertThat(leftOut).contains("with a name that cannot be written down");
    assertThat(leftOut).doesNotContain("\u001b").doesNotContain("\n").doesNotContain("\u202e");
    Map<String, String> known = known(tracker);
    hostile.plain().keySet().forEach(path -> assertThat(known).containsKey(path));
    assertThat(known).containsEntry("sparse.bin", "null");
    assertThat(known.keySet()).noneMatch(path -> path.contains("link") || path.contains("loop"));
    assertThat(known.keySet()).noneMatch(path -> path.contains("pipe") || path.equals("socket"));
    assertThat(tracker.verify().differences()).isEmpty();
    assertThat(tracker.verify().leftOut()).isEqualTo(leftOut);
    String text = tracker.snapshot().text();
    assertThat(Tokens.O200K.count(text)).isLessThan(SNAPSHOT_TOKENS_MAX);
    assertThat(text).doesNotContain(HostileTree.SECRET).doesNotContain("\u001b");
    nothingOutsideChanged();
  }

  @Test
  void a_write_into_a_hostile_place_is_refused_and_one_beside_it_is_made() throws Exception {
    hostile.everything();
    Tracker tracker = Tracker.open(store, root);
    tracker.scan();
    for (String path :
        List.of(
            "link-to-file",
            "link-to-folder/decoy.txt",
            "link-to-folder/new.txt",
            "link-up/outside/decoy.txt",
            "link-inside/decoy.txt",
            "link-dangling",
            "loop-self/x",
            "loop-a",
            "pipe",
            "src/pipe.txt",
            "socket/x",
            "hard-one",
            "hard-outside",
            "src",
            "SRC/decoy.txt",
            "scripts/stra\u00dfe.TXT")) {
      assertThatThrownBy(() -> write(tracker, path, "mine")).as(path).isInstanceOf(Refusal.class);
    }
    for (String path : List.of("src/new.txt", "new/folder/x.txt", "odd/-rf", "sparse.txt")) {
      assertThat(write(tracker, path, "mine").changed()).as(path).isTrue();
      assertThat(root.resolve(path)).hasContent("mine");
    }
    assertThat(tracker.verify().differences()).isEmpty();
    String id = tracker.workspace().id();
    List<FileWrite> begun = store.reading(tx -> tx.fileWrites().list(id));
    assertThat(begun).isEmpty();
    nothingOutsideChanged();
  }

  @Test
  void mainstays_own_folder_may_not_lead_outside() throws Exception {
    Files.createSymbolicLink(root.resolve(".mainstay"), hostile.outside());
    assertThatThrownBy(() -> Tracker.open(store, root).scan())
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("is a link");
    nothingOutsideChanged();
  }

  @Test
  void links_in_mainstays_own_folder_lead_nowhere() throws Exception {
    Path own = Files.createDirectory(root.resolve(".mainstay"));
    Path decoy = hostile.outside().resolve("decoy.txt");
    Files.createSymbolicLink(own.resolve("repostate.json"), decoy);
    Files.createSymbolicLink(own.resolve("repostate.json.new"), decoy);
    Files.createSymbolicLink(own.resolve("log"), hostile.outside());
    Tracker tracker = Tracker.open(store, root);
    tracker.scan();
    tracker.snapshot();
    assertThat(own.resolve("repostate.json")).isRegularFile();
    assertThat(Files.isSymbolicLink(own.resolve("repostate.json"))).isFalse();
    nothingOutsideChanged();
    Files.delete(own.resolve("workspace.lock"));
    Files.createSymbolicLink(own.resolve("workspace.lock"), hostile.outside().resolve("lock"));
    assertThatThrownBy(() -> write(tracker, "x.txt", "x")).isInstanceOf(Refusal.class);
    nothingOutsideChanged();
  }

  @Test
  void a_folder_swapped_for_a_link_leads_no_tracker_outside() throws Exception {
    Path link = Files.createSymbolicLink(root.resolve("link"), hostile.outside());
    Tracker tracker = Tracker.open(store, root);
    tracker.scan();
    String secret = hash(hostile.outside().resolve("decoy.txt"));
    Process swapper = swapper(link);
    int rounds = 0;
    int written = 0;
    try (BufferedReader out = swapper.inputReader()) {
      assertThat(out.readLine()).isEqualTo("ready");
      swapper.getOutputStream().write('\n');
      swapper.getOutputStream().flush();
      for (; swapper.isAlive(); rounds++) {
        tracker.scan();
        assertThat(known(tracker)).doesNotContainValue(secret);
        for (String path : List.of("src/decoy.txt", "src/new-" + rounds % 10)) {
          if (attempt(tracker, path, "round " + rounds)) written++;
        }
      }
      assertThat(out.lines().toList()).containsExactly("done");
    } finally {
      swapper.toHandle().destroyForcibly();
    }
    assertThat(written).as("of %d rounds some must get through", rounds).isPositive();
    nothingOutsideChanged();
    tracker.verify();
    agrees(tracker);
    assertThat(known(tracker)).isEqualTo(disk(root));
  }

  private Process swapper(Path link) throws IOException {
    return new ProcessBuilder(
            Jvm.words(
                Jvm.QUIET,
                SwappingProcess.class,
                root.resolve("src").toString(),
                Integer.toString(SWAPS),
                link.toString()))
        .redirectErrorStream(true)
        .start();
  }

  /** A refusal is a fair answer in a tree that does not stand still; anything else is not. */
  private static boolean attempt(Tracker tracker, String path, String content) {
    try {
      return write(tracker, path, content).changed();
    } catch (Refusal fair) {
      return false;
    }
  }
}
