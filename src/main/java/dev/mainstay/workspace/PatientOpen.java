package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens a file that was plain when it was looked at, and gives up after a while. Whoever swaps it
 * for a FIFO in between would otherwise stop us for ever: the system waits in the opening itself,
 * and there is no way to ask it not to.
 */
final class PatientOpen {
  static final int OPEN_MILLIS_MAX = 5_000;

  /** An opening that never ends costs a thread; so many may be lost before all are refused. */
  private static final int OPENERS_MAX = 256;

  private static final int IDLE_SECONDS_MAX = 10;

  private static final ThreadPoolExecutor OPENERS =
      new ThreadPoolExecutor(
          0,
          OPENERS_MAX,
          IDLE_SECONDS_MAX,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          PatientOpen::thread);

  private PatientOpen() {}

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "mainstay-open");
    thread.setDaemon(true); // one that waits at a FIFO must not keep the program alive
    return thread;
  }

  static FileChannel forReading(SecureDirectoryStream<Path> folder, Path name) throws IOException {
    return within(
        folder,
        name,
        own ->
            (FileChannel)
                own.newByteChannel(
                    name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  /** Java changes the permissions of a file by opening it, too. */
  static void permit(
      SecureDirectoryStream<Path> folder, Path name, Set<PosixFilePermission> permissions)
      throws IOException {
    within(
            folder,
            name,
            own -> {
              own.getFileAttributeView(
                      name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                  .setPermissions(permissions);
              return Nothing.INSTANCE;
            })
        .close();
  }

  /** What is done with the folder on the other thread. */
  @FunctionalInterface
  private interface Opening<T extends AutoCloseable> {
    T in(SecureDirectoryStream<Path> folder) throws IOException;
  }

  private enum Nothing implements AutoCloseable {
    INSTANCE;

    @Override
    public void close() {}
  }

  private static <T extends AutoCloseable> T within(
      SecureDirectoryStream<Path> folder, Path name, Opening<T> opening) throws IOException {
    // A stream cannot be closed while something is opened through it, so this one is not shared.
    SecureDirectoryStream<Path> own = folder.newDirectoryStream(Path.of("."));
    CompletableFuture<T> opened = new CompletableFuture<>();
    try {
      OPENERS.execute(() -> open(own, opening, opened));
    } catch (RejectedExecutionException full) {
      own.close();
      throw Refusal.unavailable("too many files do not open; look for FIFOs at " + name, full);
    }
    try {
      return opened.get(OPEN_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException fault) throw fault;
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException interrupted) {
      abandon(opened);
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    } catch (TimeoutException late) {
      abandon(opened);
      throw Refusal.unavailable(
          Phrase.of(
              "%s did not open within %,d ms; perhaps it was swapped for a FIFO",
              name, OPEN_MILLIS_MAX),
          late);
    }
  }

  private static <T extends AutoCloseable> void open(
      SecureDirectoryStream<Path> own, Opening<T> opening, CompletableFuture<T> opened) {
    try (own) {
      T channel = opening.in(own);
      if (!opened.complete(channel)) close(channel);
    } catch (IOException | RuntimeException fault) {
      opened.completeExceptionally(fault);
    }
  }

  /** Whoever comes second, we or the opener, closes what was opened. */
  private static <T extends AutoCloseable> void abandon(CompletableFuture<T> opened) {
    if (!opened.cancel(false) && !opened.isCompletedExceptionally()) close(opened.join());
  }

  private static void close(AutoCloseable channel) {
    try {
      channel.close();
    } catch (Exception unused) {
      // Nothing was read from it or written to it.
    }
  }
}
