package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.faults.Spoiling.Course;
import dev.mainstay.faults.Strace.Call;
import dev.mainstay.faults.Strace.Traced;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real commands, each killed or told of an error at every system call that would write to its
 * project. {@code -Dscenarios=all} plays all of them, {@code -Dstride=N} every N-th call, from the
 * {@code -Doffset=N}-th on.
 */
@Order(2)
class SyscallsTest {
  private static final String SCENARIOS = System.getProperty("scenarios", "task create,repo write");
  private static final int STRIDE = Integer.getInteger("stride", 150);
  private static final int OFFSET = Integer.getInteger("offset", 0);
  private static final Path TABLE = Path.of("target/faults/syscalls.tsv");

  /** A thread may take another course than in the run before, and then meets no fault. */
  private static final double MISSED_SHARE_MAX = 0.1;

  @TempDir static Path shared;
  private static Product product;

  @TempDir Path folder;

  @BeforeAll
  static void make() throws Exception {
    String missing = Strace.missing();
    assumeThat(missing).as(missing).isEmpty();
    product = new Product(shared);
    Files.createDirectories(TABLE.getParent());
    Files.deleteIfExists(TABLE);
  }

  @TestFactory
  Stream<DynamicTest> a_fault_at_any_call_that_writes_neither_loses_nor_repeats_anything() {
    List<Scenario> played =
        SCENARIOS.equals("all")
            ? Scenario.all()
            : Stream.of(SCENARIOS.split(",")).map(Scenario::named).toList();
    return played.stream().map(each -> DynamicTest.dynamicTest(each.name(), () -> play(each)));
  }

  private void play(Scenario scenario) throws Exception {
    Path own = Files.createDirectory(folder.resolve(scenario.name().replace(' ', '-')));
    Stage stage = Stage.set(product, scenario, own);
    Course course = stage.course();
    assertThat(course.calls()).hasSizeGreaterThan(10);
    List<String> wrong = new ArrayList<>();
    int place = OFFSET;
    int hit = 0;
    int missed = 0;
    for (Spoiling spoiling : Spoiling.values()) {
      List<Call> calls = course.calls().stream().filter(spoiling::suits).toList();
      for (; place < calls.size(); place += STRIDE) {
        Call call = calls.get(place);
        Traced run = stage.trace(spoiling.options(call, course));
        boolean happened = spoiling.kills() ? run.killed() : !run.spoilt().isEmpty();
        if (happened) hit++;
        else missed++;
        List<String> found = stage.complaints(run);
        String what =
            "%s %s %d of %s".formatted(spoiling, call.name(), call.number(), call.place());
        tell(scenario, what, happened, found);
        if (!found.isEmpty()) wrong.add(what + ": " + found);
      }
      place -= calls.size(); // a sample goes on where the last one ended
      place = Math.floorMod(place, STRIDE);
    }
    assertThat(wrong).as("%d faults in %s", hit, scenario.name()).isEmpty();
    assertThat(missed).as("of %d", hit).isLessThanOrEqualTo((int) (1 + hit * MISSED_SHARE_MAX));
  }

  @Test
  void whoever_says_yes_to_every_failure_is_caught() throws Exception {
    Scenario create = Scenario.named("task create");
    Stage stage = Stage.set(product, YesSayer.class, create, folder);
    Course course = stage.course();
    Call sync =
        course.calls().stream()
            .filter(each -> each.name().equals("fsync"))
            .findFirst()
            .orElseThrow();
    Traced run = stage.trace(Spoiling.ERRORS.options(sync, course));
    assertThat(run.spoilt()).isNotEmpty();
    assertThat(stage.complaints(run)).anyMatch(each -> each.contains("a false acknowledgement"));
  }

  @Test
  void a_change_that_is_made_twice_is_caught() throws Exception {
    Stage stage = Stage.set(product, Scenario.named("task create").withoutKey(), folder);
    Course course = stage.course();
    List<Call> calls = course.calls().stream().filter(each -> !each.makes()).toList();
    Call last = calls.get(calls.size() - 1); // when it has committed and takes its log away
    Traced run = stage.trace(Spoiling.KILL.options(last, course));
    assertThat(run.killed()).isTrue();
    assertThat(stage.complaints(run)).anyMatch(each -> each.contains("too much [task/"));
  }

  @Test
  void reading_goes_on_where_nothing_can_be_written() throws Exception {
    Stage stage = Stage.set(product, Scenario.named("task create"), folder);
    for (String error : List.of("EIO", "ENOSPC")) {
      assertThat(reading(stage, error)).as("a store that was closed well").contains("T-001");
      Course course = stage.course();
      Call back =
          course.calls().stream()
              .filter(each -> each.name().equals("pwrite64"))
              .filter(each -> each.place().endsWith(".sqlite3"))
              .findFirst()
              .orElseThrow();
      assertThat(stage.trace(Spoiling.KILL.options(back, course)).killed()).isTrue();
      assertThat(stage.project().resolve(".mainstay/state.sqlite3-wal")).isNotEmptyFile();
      assertThat(reading(stage, error)).as("a store with a log").contains("T-001", "T-002");
    }
  }

  /** Every call but opening fails that would change something in the project. */
  private static String reading(Stage stage, String error) throws Exception {
    Path own = stage.project().resolve(".mainstay");
    List<String> how = new ArrayList<>();
    String writing = String.join(",", Strace.WRITING);
    how.addAll(List.of("-e", "trace=" + writing));
    how.addAll(List.of("-e", "inject=%s:error=%s:when=1+".formatted(writing, error)));
    for (String end : List.of("", "-wal", "-shm", ".lock")) {
      how.addAll(List.of("-P", own.resolve("state.sqlite3" + end).toString()));
    }
    List<String> command = product.command(Product.MAIN, List.of("task", "list"));
    Traced run = Strace.run(how, command, stage.project(), "");
    assertThat(run.spoilt()).as("calls that failed").isNotEmpty();
    assertThat(run.ended().exit()).as(run.ended().err()).isZero();
    return run.ended().out();
  }

  @Test
  void a_file_that_the_disk_does_not_give_is_no_fault_of_the_file() throws Exception {
    Stage stage = Stage.set(product, Scenario.named("exec sync"), folder);
    List<String> how = new ArrayList<>(List.of("-e", "trace=openat", "-P", "plan.md"));
    how.addAll(List.of("-e", "inject=openat:error=EIO:when=1+"));
    Traced run = stage.trace(how);
    assertThat(run.spoilt()).as("calls that failed").isNotEmpty();
    assertThat(run.ended().exit()).isEqualTo(5);
    assertThat(run.ended().err().strip())
        .matches("mainstay: plan.md cannot be read: [^\n]+; check the disk, [^\n]+");
    assertThat(stage.complaints(run)).isEmpty();
  }

  @Test
  void an_answer_that_cannot_be_written_is_not_told_as_success() throws Exception {
    Stage stage = Stage.set(product, Scenario.named("task create"), folder);
    List<String> list = product.command(Product.MAIN, List.of("task", "list"));
    List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" > /dev/full", "sh"));
    command.addAll(list);
    Product.Ended ended = Product.run(command, stage.project(), "");
    assertThat(ended.exit()).isEqualTo(5);
    assertThat(ended.err()).contains("could not be written").doesNotContain("Exception");
    List<String> left = new ArrayList<>(List.of("sh", "-c", "\"$@\" | true", "sh"));
    left.addAll(list);
    assertThat(Product.run(left, stage.project(), "").err()).isEmpty();
  }

  private static void tell(Scenario scenario, String what, boolean happened, List<String> found)
      throws IOException {
    String verdict = !happened ? "not met" : found.isEmpty() ? "held" : "BROKEN " + found;
    Files.writeString(
        TABLE,
        String.join("\t", scenario.name(), what, verdict) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
