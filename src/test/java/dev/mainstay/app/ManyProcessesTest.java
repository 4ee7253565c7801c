package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyProcessesTest {
  private static final int PROCESSES = 8;
  private static final int TIMES = 6;

  @TempDir Path folder;

  private record Child(Process process, BufferedReader out) {
    void go() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    }
  }

  private Child start(int number) throws IOException {
    Process process =
        new ProcessBuilder(
                Jvm.words(
                    Jvm.QUIET,
                    MergingProcess.class,
                    folder.toString(),
                    "process " + number,
                    Integer.toString(TIMES)))
            .redirectErrorStream(true)
            .start();
    return new Child(process, process.inputReader());
  }

  @Test
  void eight_processes_that_merge_into_one_task_lose_nothing_and_never_find_it_busy()
      throws Exception {
    assertThat(CliRun.of(folder, "", "task", "create", "one").code()).isZero();
    List<Child> children = new ArrayList<>();
    try {
      for (int i = 1; i <= PROCESSES; i++) children.add(start(i));
      for (Child child : children) assertThat(child.out().readLine()).isEqualTo("ready");
      for (Child child : children) child.go();
      for (Child child : children) {
        assertThat(child.out().lines().toList()).containsExactly("done");
        assertThat(child.process().waitFor()).isZero();
      }
    } finally {
      for (Child child : children) child.process().destroyForcibly();
    }
    JsonObject blob = JsonText.object(CliRun.of(folder, "", "dump", "T-001", "--json").out());
    for (int process = 1; process <= PROCESSES; process++) {
      List<String> mine = new ArrayList<>();
      for (int i = 1; i <= TIMES; i++) mine.add("process %d says %d".formatted(process, i));
      assertThat(blob.texts("decisions")).containsSubsequence(mine);
    }
    assertThat(blob.texts("decisions")).hasSize(PROCESSES * TIMES);
    CliRun verified = CliRun.of(folder, "", "verify");
    assertThat(verified.code()).as(verified.out()).isZero();
  }
}
