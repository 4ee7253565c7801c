package dev.mainstay.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The benchmarks run, check what they measure, and tell no number that is none. */
@Order(1)
class BenchSmokeTest {
  private static final Path ROWS = Path.of("bench/rows");

  @TempDir Path folder;

  private static WarmCompiler compiler;

  @BeforeAll
  static void compileHere(@TempDir Path programs) throws IOException {
    compiler = new WarmCompiler(programs);
  }

  @AfterAll
  static void compileNoMore() {
    compiler.close();
  }

  /** How a program ended, and all that it said. */
  private record Run(int exit, String said) {}

  @TestFactory
  Stream<DynamicTest> each_row_runs_for_a_moment_and_finds_everything_right() throws IOException {
    try (Stream<Path> files = Files.list(ROWS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.contains("."))
          .sorted()
          .toList()
          .stream()
          .map(name -> DynamicTest.dynamicTest(name, () -> runs(name)));
    }
  }

  private static void runs(String name) throws Exception {
    Run run = bench("run", "--smoke", name);
    assertThat(run.exit()).as(run.said()).isZero();
    assertThat(run.said()).contains("all well");
    assertThat(Path.of("target/bench/smoke", name + ".json")).exists();
  }

  @Test
  void a_run_that_lost_a_write_is_a_failure_and_no_number() throws Exception {
    row(sample("mainstay", 1, 100), "{\"check\":\"nothing was lost\",\"ok\":false}");
    Run run = measured();
    assertThat(run.exit()).as(run.said()).isEqualTo(1);
    assertThat(run.said()).contains("nothing was lost", "there is no number");
    assertThat(folder.resolve("results")).doesNotExist();
  }

  @Test
  void a_run_that_checked_nothing_is_a_failure() throws Exception {
    row(sample("mainstay", 1, 100));
    assertThat(measured().exit()).isEqualTo(1);
    assertThat(folder.resolve("results")).doesNotExist();
  }

  @Test
  void a_peer_that_lost_a_write_has_no_number_and_the_document_says_why() throws Exception {
    row(
        sample("mainstay", 1, 100),
        sample("mainstay", 2, 100),
        sample("slow 1.0", 1, 10),
        sample("slow 1.0", 2, 10),
        sample("once 1.0", 1, 10),
        sample("wrong 2.0", 1, 900),
        check("mainstay", true),
        check("slow 1.0", true),
        check("wrong 2.0", false));
    Run run = measured();
    assertThat(run.exit()).as(run.said()).isZero();
    String document = Files.readString(folder.resolve("docs/BENCHMARKS.md"));
    assertThat(document)
        .contains("| beside", "slow 1.0 | **10** ahead", "No number for wrong 2.0")
        .contains("once 1.0 | measured once: no ratio")
        .doesNotContain("900");
  }

  @Test
  void there_is_no_ratio_where_the_spread_is_larger_than_the_difference() throws Exception {
    row(
        sample("mainstay", 1, 100),
        sample("mainstay", 2, 120),
        sample("near 1.0", 1, 110),
        sample("near 1.0", 2, 90),
        sample("far 1.0", 1, 50),
        sample("far 1.0", 2, 40),
        check("mainstay", true));
    Run run = measured();
    assertThat(run.said())
        .contains("beside near 1.0: about equal (spread larger than the difference)")
        .contains("beside far 1.0: 2.44 (2 to 3) times as good");
  }

  @Test
  void what_became_slower_is_told_but_not_that_the_machine_was_busy() throws Exception {
    row(sample("mainstay", 1, 100), sample("peer 1.0", 1, 50), check("mainstay", true));
    measured();
    Files.move(folder.resolve("results"), folder.resolve("old"));
    row(sample("mainstay", 1, 60), sample("peer 1.0", 1, 30), check("mainstay", true));
    measured();
    Files.move(folder.resolve("results"), folder.resolve("busy"));
    row(sample("mainstay", 1, 60), sample("peer 1.0", 1, 50), check("mainstay", true));
    measured();
    String old = folder.resolve("old").toString();
    Run busy = bench("compare", old, folder.resolve("busy").toString());
    assertThat(busy.exit()).as(busy.said()).isZero();
    Run slower = bench("compare", old, folder.resolve("results").toString());
    assertThat(slower.exit()).as(slower.said()).isEqualTo(1);
    assertThat(slower.said()).contains("worse   planted, 8 workers: pairs, mainstay: 100/s became");
  }

  private static String sample(String who, int round, int value) {
    return """
        {"work":"w","variant":"8 workers","who":"%s","metric":"pairs","unit":"1/s","better":"more",\
        "round":%d,"value":%d}"""
        .formatted(who, round, value);
  }

  private static String check(String who, boolean ok) {
    return "{\"check\":\"nothing was lost\",\"who\":\"%s\",\"ok\":%s}".formatted(who, ok);
  }

  /** Plants a row that says these lines. */
  private void row(String... lines) throws IOException {
    Path row = Files.createDirectories(folder.resolve("rows")).resolve("planted");
    String said = String.join("\n", lines);
    Files.writeString(row, "#!/bin/sh\ncat <<'END'\n" + said + "\nEND\n");
    Files.setPosixFilePermissions(
        row, Set.copyOf(java.nio.file.attribute.PosixFilePermissions.fromString("rwx------")));
  }

  private Run measured() throws Exception {
    return bench(
        "run",
        "--rows",
        folder.resolve("rows").toString(),
        "--results",
        folder.resolve("results").toString(),
        "--docs",
        folder.resolve("docs").toString());
  }

  private static Run bench(String... command) throws Exception {
    List<String> argv = new ArrayList<>(List.of(command));
    argv.set(0, Path.of("bench", command[0]).toAbsolutePath().toString());
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    Map<String, String> env = builder.environment();
    env.put("BENCH_CLASSPATH", Jvm.jars());
    env.put("BENCH_JAVA_OPTS", String.join(" ", Jvm.archived()));
    String java = System.getProperty("java.home") + "/bin";
    env.put("PATH", compiler.folder() + ":" + java + ":" + env.get("PATH"));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), said);
  }
}
