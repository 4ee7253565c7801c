package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpTest {
  @TempDir Path project;

  @Test
  void warming_up_within_a_project_leaves_its_store_and_its_folder_alone() throws Exception {
    assertThat(CliRun.of(project, "", "task", "create", "mine").code()).isZero();
    String before = CliRun.of(project, "", "journal", "--json").out();
    Path temporary = Files.createDirectories(project.resolve("cache/tmp"));
    assertThat(WarmUp.run(temporary)).isZero();
    assertThat(CliRun.of(project, "", "journal", "--json").out()).isEqualTo(before);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).isEmpty();
    }
  }
}
