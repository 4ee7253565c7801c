package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mainstay verify} where a state directory is shown. */
class VerifyFilesTest {
  @TempDir Path temp;
  private Path folder;

  @BeforeEach
  void aProject() throws IOException {
    folder = Files.createDirectories(temp.toRealPath().resolve("project"));
    Files.createDirectory(folder.resolve(".git"));
    ok("exec", "init", "--goal", "Brew coffee");
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private String ok(String... args) {
    CliRun run = run(args);
    assertThat(run.code()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void verify_tells_of_files_that_are_not_as_they_were_last_in_step() throws Exception {
    Path plan = folder.resolve("workspace/state/plan.md");
    assertThat(ok("verify")).startsWith("all is well").doesNotContain("plan.md");
    String whole = Files.readString(plan);
    for (String changed : List.of(whole.replaceFirst("Brew", "Grew"), "\u0000", "")) {
      Files.writeString(plan, changed);
      assertThat(ok("verify"))
          .startsWith("all is well")
          .contains(plan + ": it is not as it was last in step with the store");
    }
    Files.delete(plan);
    assertThat(ok("verify", "--json")).contains("\"ok\":true", "plan.md", "it is missing");
    ok("exec", "sync");
    assertThat(Files.readString(plan)).isEqualTo(whole);
    assertThat(ok("verify")).startsWith("all is well").doesNotContain("plan.md");
  }

  @Test
  void what_a_damaged_store_knows_of_files_does_not_hide_its_damage() throws Exception {
    String store = folder.resolve(".mainstay/state.sqlite3").toString();
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        var statement = connection.createStatement()) {
      statement.execute("PRAGMA foreign_keys = off");
      statement.executeUpdate("UPDATE state_directories SET task_id = 'U-001'");
    }
    CliRun damaged = run("verify");
    assertThat(damaged.code()).isEqualTo(1);
    assertThat(damaged.out()).contains("not well", "mainstay rebuild");
  }
}
