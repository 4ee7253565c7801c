package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WaitCliTest {
  @TempDir Path folder;

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  @Test
  void a_claim_that_waits_gets_what_another_command_makes() throws Exception {
    run("task", "create", "taken");
    run("task", "claim", "--as", "first");
    var waits = new FutureTask<>(() -> run("task", "claim", "--as", "second", "--wait", "1m"));
    new Thread(waits).start();
    run("task", "create", "made meanwhile");
    assertThat(waits.get().out()).startsWith("T-002  fence 1");
  }

  @Test
  void a_wait_that_is_too_long_is_refused() {
    run("task", "create", "one");
    CliRun refused = run("task", "claim", "--as", "w", "--wait", "2m");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("between 0 and 60 seconds");
  }
}
