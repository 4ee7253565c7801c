package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Pause;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
  @TempDir Path folder;

  /** Whoever joined one who is alone would inherit the lock that keeps other processes out. */
  @Test
  void whoever_opens_it_waits_until_another_no_longer_has_it_alone() throws Exception {
    Path path = folder.resolve("lock");
    var alone = LockFile.openAlone(path).orElseThrow();
    var opening = new FutureTask<>(() -> LockFile.open(path));
    Thread other = new Thread(opening);
    other.start();
    while (other.isAlive() && other.getState() != Thread.State.TIMED_WAITING) Pause.briefly();
    assertThat(opening.isDone()).as("has joined one who is alone").isFalse();
    alone.close();
    try (LockFile shared = opening.get()) {
      assertThat(shared).isNotSameAs(alone);
      assertThat(LockFile.openAlone(path)).isEmpty();
    }
    LockFile.openAlone(path).orElseThrow().close();
  }
}
