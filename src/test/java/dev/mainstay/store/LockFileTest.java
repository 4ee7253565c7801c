package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Jvm;
import dev.mainstay.Pause;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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

  /**
   * Neither waits for what its own thread has, but the kernel sees two processes of which each has
   * what the other waits for, and refuses to let the second one wait.
   */
  @Test
  void two_processes_that_wait_for_each_other_in_different_threads_are_no_deadlock()
      throws Exception {
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    Process process =
        new ProcessBuilder(
                Jvm.words(Jvm.QUIET, LockingProcess.class, theirs.toString(), ours.toString()))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (LockFile first = LockFile.open(ours);
        LockFile second = LockFile.open(theirs);
        BufferedReader said = process.inputReader()) {
      first.lock();
      assertThat(said.readLine()).isEqualTo("has its own");
      var waiting =
          new FutureTask<>(
              () -> {
                second.lock();
                second.unlock();
                return "got it";
              });
      Thread waiter = new Thread(waiting);
      waiter.start();
      process.outputWriter().append("wait for the other\n").flush();
      assertThat(said.readLine()).isEqualTo("waits");
      process.outputWriter().append("let your own go\n").flush();
      assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("got it");
      first.unlock();
      assertThat(said.readLine()).isEqualTo("got it");
    } finally {
      process.toHandle().destroyForcibly();
    }
  }
}
