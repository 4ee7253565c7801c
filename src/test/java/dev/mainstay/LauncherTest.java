package dev.mainstay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher as its user meets it: real processes, a jar of its own, real and made-up JDKs. */
class LauncherTest {
  private static final Path THIS_JDK = Path.of(System.getProperty("java.home"));

  @TempDir Path temp;
  private LauncherLayout layout;

  @BeforeEach
  void lay_out() throws Exception {
    layout = new LauncherLayout(temp.toRealPath());
  }

  @AfterEach
  void wait_for_what_is_left_in_the_background() throws Exception {
    layout.awaitQuiet();
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8", ""})
  void arguments_arrive_exactly_as_they_were_given(String locale) throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", THIS_JDK).with("LC_ALL", locale);
    layout.environment.remove("LANG");

    var run = layout.run("a b", "", "it's \"quoted\"", "größe 漢字 🙂", "*", "$HOME `x` \\", "-Dx=1");

    assertThat(run.err()).isEmpty();
    assertThat(run.lines())
        .containsExactly(
            "[a b]",
            "[]",
            "[it's \"quoted\"]",
            "[größe 漢字 🙂]",
            "[*]",
            "[$HOME `x` \\]",
            "[-Dx=1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "POSIX", "xx_YY.UTF-8", "C.UTF-8", ""})
  void a_file_is_found_by_its_name_in_every_script(String locale) throws Exception {
    // With an archive of locales the launcher cannot tell which are installed, and asks no process.
    boolean archive = Files.exists(Path.of("/usr/lib/locale/locale-archive"));
    assumeThat(locale.startsWith("xx") && archive).isFalse();
    Files.writeString(layout.root.resolve("Ж漢.txt"), "there");
    layout.with("MAINSTAY_JAVA_HOME", THIS_JDK);
    for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
      layout.environment.keySet().removeAll(Set.of("LC_ALL", "LC_CTYPE", "LANG"));
      if (!locale.isEmpty()) layout.with(variable, locale);

      var run = layout.run("read", "Ж漢.txt");

      assertThat(run.err()).as(variable).isEmpty();
      assertThat(run.lines()).as(variable).containsExactly("there");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 77})
  void the_exit_code_of_the_command_is_the_launchers(int code) throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", THIS_JDK);

    assertThat(layout.run("exit", Integer.toString(code)).exit()).isEqualTo(code);
  }

  @Test
  void a_chain_of_links_leads_to_the_launcher() throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    var far = Files.createDirectories(layout.root.resolve("far/away"));
    var relative = Files.createSymbolicLink(far.resolve("one"), Path.of("../../unpacked/mainstay"));
    var absolute = Files.createSymbolicLink(layout.root.resolve("two"), relative);
    var last = Files.createSymbolicLink(far.resolve("three"), Path.of("../../two"));

    var run = layout.runAs(last);

    assertThat(run.lines()).contains("-Dmainstay.launcher=" + layout.lib.resolve("mainstay"));
    assertThat(layout.runAs(absolute).out()).isEqualTo(run.out());
    assertThat(layout.runAs(Path.of("far/../unpacked/./mainstay")).out()).isEqualTo(run.out());
  }

  @Test
  void the_newest_jdk_wins_wherever_it_was_found() throws Exception {
    layout.with("JAVA_HOME", layout.fakeJdk("98.0.2"));
    var onPath = layout.fakeJdk("98.0.10").resolve("bin");
    layout.with("PATH", onPath + ":/usr/bin:/bin");
    assertThat(layout.run().lines()).first().isEqualTo("java 98.0.10");

    layout.with("JAVA_HOME", layout.fakeJdk("99"));
    assertThat(layout.run().lines()).first().isEqualTo("java 99");
  }

  @Test
  void an_old_or_broken_JAVA_HOME_is_passed_over() throws Exception {
    var good = layout.fakeJdk("98.0.1").resolve("bin");
    layout.with("PATH", good + ":/usr/bin:/bin");

    for (String old : new String[] {"11.0.2", "1.8.0_392", "", "0008.$(id)"}) {
      layout.with("JAVA_HOME", layout.fakeJdk(old));
      assertThat(layout.run().lines()).as("beside '%s'", old).first().isEqualTo("java 98.0.1");
    }
    layout.with("JAVA_HOME", "/nowhere/at all");
    assertThat(layout.run().lines()).first().isEqualTo("java 98.0.1");
  }

  @Test
  void MAINSTAY_JAVA_HOME_always_wins_and_is_refused_when_too_old() throws Exception {
    layout.with("JAVA_HOME", layout.fakeJdk("99.0.1"));
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    assertThat(layout.run().lines()).first().isEqualTo("java 98.0.1");

    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("16.0.2"));
    var refused = layout.run();
    assertThat(refused.exit()).isEqualTo(5);
    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("MAINSTAY_JAVA_HOME").contains("17").hasLineCount(1);
  }

  @Test
  void a_server_gets_one_compiler_and_a_heap_that_keeps_it_small() throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));

    for (String command : List.of("serve", "mcp")) {
      assertThat(layout.run(command).lines())
          .contains("-Xmx256m", "-XX:+UseSerialGC", "-XX:TrimNativeHeapInterval=5000")
          .contains("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=128m");
    }
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("21.0.1"));
    assertThat(layout.run("serve").lines())
        .contains("-Xmx256m")
        .noneMatch(option -> option.contains("TrimNativeHeap"));
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    assertThat(layout.run("task", "serve").lines())
        .contains("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .doesNotContain("-Xmx256m");
  }

  @Test
  void options_of_the_user_come_last_and_win() throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    layout.with("MAINSTAY_JAVA_OPTS", "-Xmx1g  -Da=* -XX:+UseG1GC");

    assertThat(layout.run("serve").lines())
        .contains("-Xmx1g", "-Da=*")
        // two collectors, or a heap smaller than it begins with, and the JVM would not start
        .doesNotContain("-XX:+UseSerialGC", "-Xms48m");
    assertThat(layout.run("task", "serve").lines()).contains("-Xmx1g", "-Da=*");
  }

  @Test
  void only_a_user_who_says_how_large_the_heap_is_gets_none_of_ours() throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    for (String own : List.of("-Xms512m", "-XX:MaxHeapSize=1g", "-XX:MaxRAMPercentage=5")) {
      layout.with("MAINSTAY_JAVA_OPTS", own);
      assertThat(layout.run("serve").out())
          .contains(own)
          .doesNotContain("-Xmx256m", "-Xms48m", "thrift");
    }
    layout.with("MAINSTAY_JAVA_OPTS", "-Xmn16m");
    assertThat(layout.run("serve").out()).contains("-Xmn16m", "-Xmx256m", "-Xms48m", "thrift=true");
    layout.with("MAINSTAY_JAVA_OPTS", "-XX:+UseZGC");
    assertThat(layout.run("serve").out()).contains("-Xmx256m").doesNotContain("thrift");
  }

  @Test
  void an_archive_is_made_in_the_background_and_used_from_then_on() throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));

    assertThat(layout.run().out()).doesNotContain("-XX:AOTCache");
    var archive = layout.awaitArchive(".aot");

    assertThat(layout.run().lines()).contains("-XX:AOTCache=" + archive);
    assertThat(archive.getFileName().toString()).matches("[0-9a-f]{64}-98\\.0\\.1\\+1-.*");
    assertThat(Files.getPosixFilePermissions(layout.cache()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void hooks_have_an_archive_of_their_own_which_goes_with_the_other() throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    layout.run();
    var archive = layout.awaitArchive(".aot");
    var hooks = layout.awaitArchive(".hooks");

    assertThat(layout.run("hook", "Stop").lines())
        .contains("-XX:AOTCache=" + hooks, "hook", "Stop")
        .doesNotContain("-XX:AOTCache=" + archive);
    assertThat(layout.run("task", "hook").lines()).contains("-XX:AOTCache=" + archive);

    Files.writeString(hooks, "damaged");
    assertThat(layout.run("hook", "Stop").out()).doesNotContain("-XX:AOTCache");
    LauncherLayout.await(() -> Files.exists(hooks) && Files.readString(hooks).equals("made\n"));
    layout.awaitArchive(".hooks");
    LauncherLayout.writeJar(layout.jar(), "other");
    assertThat(layout.run("hook", "Stop").out()).doesNotContain("-XX:AOTCache");
    LauncherLayout.await(() -> !Files.exists(hooks) && !Files.exists(archive));
    layout.awaitArchive(".hooks");
  }

  @Test
  void what_runs_long_has_an_archive_of_its_own() throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    layout.run();
    var servers = layout.awaitArchive(".servers");
    var archive = layout.awaitArchive(".aot");

    for (String command : List.of("serve", "mcp")) {
      assertThat(layout.run(command).lines())
          .contains("-XX:AOTCache=" + servers, command)
          .doesNotContain("-XX:AOTCache=" + archive);
    }
    assertThat(layout.run("task", "serve").lines()).contains("-XX:AOTCache=" + archive);

    Files.writeString(servers, "damaged");
    assertThat(layout.run("serve").out()).doesNotContain("-XX:AOTCache");
    LauncherLayout.await(() -> Files.exists(servers) && Files.readString(servers).equals("made\n"));
    layout.awaitArchive(".servers");
    assertThat(layout.run("serve").lines()).contains("-XX:AOTCache=" + servers);
  }

  @Test
  void a_part_that_cannot_be_made_again_costs_none_of_the_others() throws Exception {
    Path jdk = layout.fakeJdk("98.0.1");
    layout.withCache().with("MAINSTAY_JAVA_HOME", jdk);
    layout.run();
    var servers = layout.awaitArchive(".servers");
    var archive = layout.awaitArchive(".aot");
    Path java = jdk.resolve("bin/java");
    String makes = "-XX:AOTCacheOutput=*)";
    String program = Files.readString(java);
    Files.writeString(
        java, program.replace(makes, "-XX:AOTCacheOutput=*.servers) ;; " + makes)); // but these
    Files.writeString(servers, "damaged");

    assertThat(layout.run("task").out()).doesNotContain("-XX:AOTCache");
    LauncherLayout.await(() -> !Files.exists(servers));
    layout.awaitArchive(".aot");
    for (String command : List.of("task", "serve")) {
      assertThat(layout.run(command).lines()).contains("-XX:AOTCache=" + archive);
    }
  }

  @Test
  void a_jar_replaced_by_one_with_an_older_date_gets_a_new_archive() throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    layout.run();
    var old = layout.awaitArchive(".aot");
    var date = Files.getLastModifiedTime(layout.jar());

    LauncherLayout.writeJar(layout.jar(), "other"); // as many bytes, in the same file
    Files.setLastModifiedTime(layout.jar(), date);

    assertThat(layout.run().out()).doesNotContain("-XX:AOTCache");
    LauncherLayout.await(() -> !Files.exists(old));
    var archive = layout.awaitArchive(".aot");
    assertThat(layout.run().lines()).contains("-XX:AOTCache=" + archive);
  }

  @Test
  void a_jdk_updated_in_place_gets_a_new_archive() throws Exception {
    var jdk = layout.fakeJdk("98.0.1");
    layout.withCache().with("MAINSTAY_JAVA_HOME", jdk);
    layout.run();
    var old = layout.awaitArchive(".aot");

    Files.writeString(
        jdk.resolve("release"), "JAVA_RUNTIME_VERSION=\"98.0.1+2\"\nJAVA_VERSION=\"98.0.1\"\n");

    assertThat(layout.run().out()).doesNotContain("-XX:AOTCache");
    LauncherLayout.await(() -> !Files.exists(old));
    assertThat(layout.awaitArchive(".aot").toString()).contains("98.0.1+2");
  }

  @Test
  void an_archive_that_cannot_be_made_is_not_tried_for_ever() throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", layout.fakeJdk("18.0.1")); // it writes no .jsa

    for (String tries : new String[] {"1", "2", "3", "3", "3"}) {
      assertThat(layout.run("x").lines()).endsWith("x");
      // In this order: who looked for the maker first would see it neither before nor while it
      // counts.
      LauncherLayout.await(
          () ->
              layout.cached(".for").size() == 1
                  && Files.readString(layout.cached(".for").get(0)).startsWith(tries)
                  && layout.cached("making").isEmpty());
    }
    assertThat(layout.cached(".jsa")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"half", "nothing", "noise"})
  void a_damaged_archive_neither_breaks_nor_spoils_a_command(String damage) throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", THIS_JDK);
    var ending = Runtime.version().feature() >= 25 ? ".aot" : ".jsa";
    layout.run();
    var archive = layout.awaitArchive(ending);
    assertThat(layout.run("whole").out()).isEqualTo("[whole]\n");

    archive.toFile().setWritable(true);
    try (var channel = FileChannel.open(archive, StandardOpenOption.WRITE)) {
      switch (damage) {
        case "half" -> channel.truncate(channel.size() / 2);
        case "nothing" -> channel.truncate(0);
        default -> channel.write(ByteBuffer.allocate(1 << 18), channel.size() / 2);
      }
    }

    assertThat(layout.run("{}")).isEqualTo(new LauncherLayout.Run(0, "[{}]\n", ""));
    LauncherLayout.await(() -> layout.cached("making").isEmpty());
  }

  @Test
  void without_a_usable_cache_the_command_runs_all_the_same() throws Exception {
    layout.with("MAINSTAY_JAVA_HOME", THIS_JDK).with("MAINSTAY_CACHE", "/dev/null/cache");
    assertThat(layout.run("x")).isEqualTo(new LauncherLayout.Run(0, "[x]\n", ""));

    layout.withCache();
    Files.createDirectory(layout.cache());
    Files.setPosixFilePermissions(layout.cache(), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(layout.run("x")).isEqualTo(new LauncherLayout.Run(0, "[x]\n", ""));
    assertThat(layout.cache()).as("others could write there").isEmptyDirectory();
  }

  @Test
  void a_clone_without_maven_says_what_to_do() throws Exception {
    makeClone();
    layout.with("PATH", layout.root.resolve("empty"));

    var run = layout.run("x");

    assertThat(run.exit()).isEqualTo(5);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("Maven").hasLineCount(1);
  }

  @Test
  void a_clone_is_built_once_by_two_starts_and_again_when_its_source_changes() throws Exception {
    var source = makeClone();
    var builds = fakeMaven();

    var one = layout.start(layout.lib.resolve("mainstay"), "x");
    var two = layout.start(layout.lib.resolve("mainstay"), "x");
    assertThat(layout.finish(one).out()).isEqualTo("[x]\n");
    assertThat(layout.finish(two).out()).isEqualTo("[x]\n");
    assertThat(layout.run("y").out()).isEqualTo("[y]\n");
    assertThat(builds).hasContent("built");

    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plus(Duration.ofSeconds(1))));
    assertThat(layout.run("z").out()).isEqualTo("[z]\n");
    assertThat(Files.readString(builds)).isEqualTo("built\nbuilt\n");
  }

  /** Turns the layout into a clone; returns its source file. */
  private Path makeClone() throws Exception {
    layout.with("JAVA_HOME", THIS_JDK).with("MAINSTAY_JAVA_HOME", THIS_JDK);
    Files.move(layout.jar(), layout.root.resolve("ready.jar"));
    Files.writeString(layout.lib.resolve("pom.xml"), "<project/>\n");
    var folder = Files.createDirectories(layout.lib.resolve("src/main"));
    return Files.writeString(folder.resolve("A.java"), "class A {}\n");
  }

  /** Puts an {@code mvn} on the PATH that copies the ready jar; returns the list of its builds. */
  private Path fakeMaven() throws Exception {
    var maven = Files.createDirectories(layout.root.resolve("tools")).resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/sh
        echo built >>%1$s/builds
        cp %1$s/ready.jar %1$s/unpacked/target/mainstay.jar
        """
            .formatted(layout.root));
    LauncherLayout.executable(maven);
    layout.with("PATH", maven.getParent() + ":/usr/bin:/bin");
    return layout.root.resolve("builds");
  }
}
