package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTest {
  @TempDir Path project;

  @ParameterizedTest
  @ValueSource(strings = {"commands", "hooks", "servers", "all"})
  void warming_up_within_a_project_leaves_its_store_and_its_folder_alone(String what)
      throws Exception {
    assertThat(CliRun.of(project, "", "task", "create", "mine").code()).isZero();
    String before = CliRun.of(project, "", "journal", "--json").out();
    Path temporary = Files.createDirectories(project.resolve("cache/tmp"));
    assertThat(WarmUp.run(temporary, what)).isZero();
    assertThat(CliRun.of(project, "", "journal", "--json").out()).isEqualTo(before);
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void what_an_agent_does_there_succeeds() throws Exception {
    Files.createDirectory(project.resolve(".git"));
    var answers = WarmUp.agent(new Wiring(Map.of("USER", "ada"), project));
    assertThat(answers)
        .hasSizeGreaterThan(10)
        .noneMatch(each -> each.contains("\"isError\":true") || each.contains("\"error\""));
    assertThat(CliRun.of(project, "", "task", "show", "T-001").out()).contains("COMPLETED");
  }
}
