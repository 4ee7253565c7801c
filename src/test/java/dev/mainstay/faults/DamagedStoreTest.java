package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.OwnFolder;
import dev.mainstay.app.CliRun;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.faults.Scenario.Step;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bits of a store's files are flipped, and files cut short, while nobody has it open. Every damage
 * is told, nothing crashes, and what is in the journal comes back. {@code -Dflips=N} says how many,
 * {@code -Dseed=N} which.
 */
@Order(2)
class DamagedStoreTest {
  private static final int FLIPS = Integer.getInteger("flips", 40);
  private static final int REBUILT_EVERY = 8;
  private static final int COMMITS_IN_LOG = 5;
  private static final String DATABASE = "state.sqlite3";
  private static final String LOG = DATABASE + "-wal";
  private static final String SUMS = DATABASE + ".sums";

  /** What a rebuild makes of the journal alone. */
  private static final List<String> REPLAYED =
      List.of("task_dependencies[", "state[", "checkpoints[");

  private static final long SEED = Long.getLong("seed", System.nanoTime());

  @TempDir static Path temp;
  private static Path atRest;
  private static Path withLog;
  private static List<String> rows;
  private final Random random = new Random(SEED);
  private static int victims;

  /** One project in which everything was done that the scenarios do, closed well and killed. */
  @BeforeAll
  static void fill() throws Exception {
    System.out.printf("damaged stores: -Dseed=%d%n", SEED);
    Path project = Files.createDirectories(temp.toRealPath().resolve("project"));
    Files.createDirectory(project.resolve(".git"));
    for (Scenario each : Scenario.all()) {
      for (Step step : each.before()) step.run(project);
      each.command().run(project);
    }
    assertThat(CliRun.of(project, "", "verify").out()).contains("all is well");
    atRest = temp.resolve("rest");
    copy(own(project), atRest);
    assertThat(atRest.resolve(LOG)).doesNotExist();
    withLog = temp.resolve("log");
    var address = new StoreAddress.File(own(project).resolve(DATABASE));
    try (Store store = Store.open(address, StoreSettings.DEFAULT)) {
      rows = Raw.dump(store);
      for (int i = 0; i < COMMITS_IN_LOG; i++) {
        new Tasks(store).create(NewTask.titled("late"), Call.by(Actor.person("ada"), "test"));
      }
      copy(own(project), withLog); // as a killed process leaves it
    }
    assertThat(withLog.resolve(LOG)).isNotEmptyFile();
  }

  /** By another process: closing a file of SQLite here would take its locks away. */
  private static void copy(Path from, Path to) throws Exception {
    Files.createDirectory(to);
    for (String name : List.of(DATABASE, LOG, SUMS)) {
      if (!Files.exists(from.resolve(name))) continue;
      var cp = new ProcessBuilder("cp", from.resolve(name).toString(), to.toString());
      assertThat(cp.inheritIO().start().waitFor()).isZero();
    }
  }

  private static Path own(Path project) {
    return project.resolve(".mainstay");
  }

  /** A project of its own with such a store. */
  private static Path victim(Path of) throws IOException {
    Path project = temp.toRealPath().resolve("victim-" + ++victims);
    Files.createDirectories(project.resolve(".git"));
    OwnFolder.in(project);
    for (String name : List.of(DATABASE, LOG, SUMS)) {
      if (Files.exists(of.resolve(name))) {
        Files.copy(of.resolve(name), own(project).resolve(name));
      }
    }
    return project;
  }

  /** Flips one bit and says which. */
  private String flip(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long at = random.nextLong(bytes.length());
      bytes.seek(at);
      int was = bytes.read();
      bytes.seek(at);
      int bit = random.nextInt(8);
      bytes.write(was ^ 1 << bit);
      return "bit %d of byte %d of %s".formatted(bit, at, file.getFileName());
    }
  }

  private String cut(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long left = random.nextLong(channel.size());
      channel.truncate(left);
      return "%d bytes left of %s".formatted(left, file.getFileName());
    }
  }

  /** Every command ends with an answer or one sentence, whatever it finds. */
  private static CliRun run(Path project, String what, String... args) {
    CliRun run = CliRun.of(project, "", args);
    assertThat(run.code()).as("%s, then %s: %s", what, List.of(args), run).isBetween(0, 5);
    assertThat(run.out() + run.err()).as(what).doesNotContain("Exception", "\tat ");
    if (run.code() != 0) assertThat(run.out() + run.err()).as(what).isNotBlank();
    return run;
  }

  private static void isTold(Path project, String what) {
    CliRun verify = run(project, what, "verify");
    assertThat(verify.code()).as("%s: %s", what, verify).isNotZero();
    run(project, what, "task", "list");
    run(project, what, "task", "show", "T-001");
    run(project, what, "doctor");
  }

  @Test
  void every_flipped_bit_of_the_file_is_told_and_the_journal_brings_back_what_it_has()
      throws Exception {
    int rebuilt = 0;
    for (int i = 0; i < FLIPS; i++) {
      Path project = victim(atRest);
      String what = flip(own(project).resolve(DATABASE));
      isTold(project, what);
      if (i % REBUILT_EVERY == 0 && isRebuilt(project, what)) rebuilt++;
    }
    assertThat(rebuilt).as("stores that were rebuilt").isPositive();
  }

  /** What the journal says is in the new store; what it could not say is told. */
  private static boolean isRebuilt(Path project, String what) {
    Path target = own(project).resolve("new.sqlite3");
    CliRun run = run(project, what, "rebuild", "--into", target.toString());
    if (run.code() != 0) return false; // SQLite cannot read it any more
    assertThat(CliRun.of(project, "", "verify", "--db", target.toString()).out())
        .as(what)
        .contains("all is well");
    if (run.out().contains("kept")) return true; // the damage is in the journal itself
    try (Store store = Store.open(new StoreAddress.File(target), StoreSettings.DEFAULT)) {
      assertThat(replayed(Raw.dump(store))).as(what).isEqualTo(replayed(rows));
    }
    return true;
  }

  private static List<String> replayed(List<String> all) {
    return all.stream().filter(row -> REPLAYED.stream().anyMatch(row::startsWith)).toList();
  }

  @Test
  void every_flipped_bit_of_the_log_is_told() throws Exception {
    for (int i = 0; i < FLIPS; i++) {
      Path project = victim(withLog);
      isTold(project, flip(own(project).resolve(LOG)));
    }
  }

  @Test
  void a_file_or_log_that_was_cut_short_is_told() throws Exception {
    for (int i = 0; i < FLIPS / 2; i++) {
      Path project = victim(i % 2 == 0 ? atRest : withLog);
      isTold(project, cut(own(project).resolve(i % 2 == 0 ? DATABASE : LOG)));
    }
  }

  /** Commits that a damaged log lost are told even if somebody went on before anybody looked. */
  @Test
  void what_a_damaged_log_lost_is_told_after_others_went_on() throws Exception {
    Path project = victim(withLog);
    try (FileChannel log = FileChannel.open(own(project).resolve(LOG), StandardOpenOption.WRITE)) {
      log.truncate(log.size() / 2);
    }
    assertThat(CliRun.of(project, "", "task", "create", "later").code()).isZero();
    CliRun verify = run(project, "half a log", "verify");
    assertThat(verify.out()).contains("are lost: the log was damaged");
  }

  /** No damage, no alarm, whoever took the sums first. */
  @Test
  void a_store_that_goes_on_after_a_look_is_still_well() throws Exception {
    for (Path each : List.of(atRest, withLog)) {
      Path project = victim(each);
      for (int i = 0; i < 3; i++) {
        assertThat(run(project, "nothing", "verify").out()).contains("all is well");
        assertThat(run(project, "nothing", "task", "create", "more").code()).isZero();
      }
      assertThat(run(project, "nothing", "verify").out()).contains("all is well");
    }
  }

  @Test
  void damaged_sums_harm_nothing() throws Exception {
    for (int i = 0; i < FLIPS / 4; i++) {
      Path project = victim(i % 2 == 0 ? atRest : withLog);
      String what = i % 3 == 0 ? cut(own(project).resolve(SUMS)) : flip(own(project).resolve(SUMS));
      run(project, what, "verify");
      assertThat(run(project, what, "task", "list").code()).as(what).isZero();
      assertThat(run(project, what, "task", "create", "one more").code()).as(what).isZero();
    }
    Path project = victim(withLog);
    Files.delete(own(project).resolve(SUMS));
    assertThat(run(project, "no sums", "verify").out()).contains("all is well");
  }

  /** The control: whoever does not compare finds less than half, as SQLite itself does. */
  @Test
  void without_sums_most_flips_are_not_seen() throws Exception {
    int told = 0;
    for (int i = 0; i < FLIPS; i++) {
      Path project = victim(atRest);
      Files.delete(own(project).resolve(SUMS));
      String what = flip(own(project).resolve(DATABASE));
      if (run(project, what, "verify").code() != 0) told++;
    }
    System.out.printf("damaged stores: without sums %d of %d flips are told%n", told, FLIPS);
    assertThat(told).isLessThan(FLIPS);
  }
}
