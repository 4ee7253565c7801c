package dev.mainstay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installing from an unpacked archive, upgrading over it, and taking it away again. */
class InstallTest {
  @TempDir Path temp;
  private LauncherLayout layout;
  private Path prefix;

  @BeforeEach
  void lay_out() throws Exception {
    layout = new LauncherLayout(temp.toRealPath());
    layout.with("MAINSTAY_JAVA_HOME", System.getProperty("java.home"));
    prefix = layout.root.resolve("my prefix");
  }

  @AfterEach
  void wait_for_what_is_left_in_the_background() throws Exception {
    layout.awaitQuiet();
  }

  @Test
  void what_was_installed_runs_and_is_taken_away_without_a_trace() throws Exception {
    Files.createDirectories(prefix.resolve("bin"));
    Files.writeString(prefix.resolve("bin/other"), "somebody else's\n");
    var data = Files.createDirectories(prefix.resolve("lib/.mainstay")).resolve("state.sqlite3");
    Files.writeString(data, "precious");
    var before = tree(prefix);

    var installed = layout.run("install", "--prefix", prefix.toString());

    assertThat(installed.exit()).isZero();
    assertThat(installed.out()).contains(prefix + "/bin/mainstay").contains("not on your PATH");
    assertThat(layout.runAs(prefix.resolve("bin/mainstay"), "a b").out()).isEqualTo("[a b]\n");
    assertThat(prefix.resolve("share/bash-completion/completions/mainstay"))
        .hasContent("# completion");
    assertThat(prefix.resolve("share/zsh/site-functions/_mainstay"))
        .content()
        .startsWith("#compdef mainstay\n");

    var removed = layout.runAs(prefix.resolve("bin/mainstay"), "uninstall");

    assertThat(removed.exit()).isZero();
    assertThat(removed.out()).contains("not touched");
    assertThat(tree(prefix)).isEqualTo(before);
    assertThat(data).hasContent("precious");
  }

  @Test
  void without_a_prefix_it_goes_to_the_home_folder() throws Exception {
    var home = Path.of(layout.environment.get("HOME"));
    layout.with("PATH", home + "/.local/bin:/usr/bin:/bin");

    assertThat(layout.run("install").out()).doesNotContain("PATH");

    assertThat(layout.runAs(home.resolve(".local/bin/mainstay"), "x").out()).isEqualTo("[x]\n");
    assertThat(layout.run("uninstall").exit()).isZero();
    assertThat(home).isEmptyDirectory();
  }

  @Test
  void an_upgrade_leaves_the_old_jar_whole_for_those_who_have_it_open() throws Exception {
    layout.run("install", "--prefix", prefix.toString());
    var jar = prefix.resolve("lib/mainstay/mainstay.jar");
    var old = Files.readAllBytes(jar);

    try (var open = Files.newInputStream(jar)) {
      LauncherLayout.writeJar(layout.jar(), "a newer version");
      assertThat(layout.run("install", "--prefix=" + prefix).exit()).isZero();
      assertThat(open.readAllBytes()).isEqualTo(old);
    }

    assertThat(jar).hasSameBinaryContentAs(layout.jar());
    assertThat(layout.runAs(prefix.resolve("bin/mainstay"), "x").out()).isEqualTo("[x]\n");
    assertThat(layout.run("uninstall", "--prefix", prefix.toString()).exit()).isZero();
    assertThat(prefix).doesNotExist();
  }

  @Test
  void uninstalling_takes_the_start_up_cache_of_that_installation_only() throws Exception {
    layout.withCache().with("MAINSTAY_JAVA_HOME", layout.fakeJdk("98.0.1"));
    layout.run();
    var ours = layout.awaitArchive(".aot");
    layout.run("install", "--prefix", prefix.toString());
    layout.runAs(prefix.resolve("bin/mainstay"));
    LauncherLayout.await(() -> layout.cached(".made").size() == 2);
    LauncherLayout.await(() -> layout.cached("making").isEmpty());

    layout.run("uninstall", "--prefix", prefix.toString());

    assertThat(layout.cached(".aot")).containsExactly(ours);
  }

  @Test
  void files_of_others_are_neither_overwritten_nor_removed() throws Exception {
    var command = Files.createDirectories(prefix.resolve("bin")).resolve("mainstay");
    Files.writeString(command, "another program\n");

    var refused = layout.run("install", "--prefix", prefix.toString());

    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains(command.toString()).hasLineCount(1);
    assertThat(tree(prefix)).containsExactly("", "bin", "bin/mainstay");

    Files.delete(command);
    layout.run("install", "--prefix", prefix.toString());
    Files.delete(command);
    Files.writeString(command, "another program\n");
    assertThat(layout.run("uninstall", "--prefix", prefix.toString()).exit()).isZero();
    assertThat(command).hasContent("another program");
  }

  @Test
  void a_jar_that_does_not_match_its_checksum_is_not_installed() throws Exception {
    Files.writeString(layout.lib.resolve("mainstay.jar.sha256"), "0".repeat(64) + "  mainstay.jar");

    var refused = layout.run("install", "--prefix", prefix.toString());

    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err()).contains("does not match").hasLineCount(1);
    assertThat(prefix).doesNotExist();
  }

  @Test
  void what_cannot_be_done_is_one_sentence_and_an_exit_code() throws Exception {
    for (var usage :
        List.of(new String[] {"install", "--prefix"}, new String[] {"uninstall", "now"})) {
      var run = layout.run(usage);
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).hasLineCount(1);
    }
    var nothing = layout.run("uninstall", "--prefix", prefix.toString());
    assertThat(nothing.exit()).isEqualTo(1);
    assertThat(nothing.err()).contains("not installed").hasLineCount(1);
    var unwritable = layout.run("install", "--prefix", "/dev/null/x");
    assertThat(unwritable.exit()).isEqualTo(5);
    assertThat(unwritable.err()).contains("/dev/null/x").hasLineCount(1);
  }

  /** Every file and folder under a folder, by its relative name. */
  private static List<String> tree(Path folder) throws Exception {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.map(f -> folder.relativize(f).toString()).sorted().toList();
    }
  }
}
