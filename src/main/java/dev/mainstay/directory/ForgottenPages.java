package dev.mainstay.directory;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.store.LockFile;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.SafeFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Erases a text from the files of all state directories on this host. While it is erased from the
 * store and from them nobody brings the two into step, or a file would tell the store again.
 */
public final class ForgottenPages {
  /** Entries of the history that somebody edited were put aside under such names. */
  private static final String ASIDE = "history";

  private static final int FILE_BYTES_MAX = 16 * 1024 * 1024;

  private final Store store;

  public ForgottenPages(Store store) {
    this.store = store;
  }

  /** How many files have it. */
  public long holding(Erasure erasure) {
    long count = 0;
    for (Path each : folders()) {
      SafeFolder folder = SafeFolder.open(each);
      for (String name : names(folder)) if (without(folder, name, erasure).isPresent()) count++;
    }
    return count;
  }

  /** Does the work in the store, then erases it from the files; how many had it. */
  public long around(Erasure erasure, Supplier<?> work) {
    List<LockFile> locks = new ArrayList<>();
    try {
      List<Path> folders = folders(); // in one order, so that two who do this do not wait for ever
      for (Path each : folders) {
        LockFile lock = LockFile.open(each.resolve(StateDirectory.LOCK));
        lock.lock();
        locks.add(lock);
      }
      work.get();
      long count = 0;
      for (Path each : folders) count += erase(SafeFolder.open(each), erasure);
      return count;
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("a state directory cannot be locked: %s", fault.getMessage()), fault);
    } finally {
      for (LockFile lock : locks) release(lock);
    }
  }

  private static void release(LockFile lock) {
    try (lock) {
      lock.unlock();
    } catch (IOException fault) {
      return; // it ends with this process
    }
  }

  private static long erase(SafeFolder folder, Erasure erasure) {
    long count = 0;
    for (String name : names(folder)) {
      Optional<byte[]> text = without(folder, name, erasure);
      if (text.isEmpty()) continue;
      folder.replace(name, text.get());
      count++;
    }
    return count;
  }

  private List<Path> folders() {
    return store.reading(tx -> tx.stateDirectories().ofHost(SafeFolder.host())).stream()
        .map(directory -> Path.of(directory.folder()))
        .filter(Files::isDirectory)
        .filter(folder -> !Files.isSymbolicLink(folder.resolve(StateDirectory.LOCK)))
        .sorted()
        .toList();
  }

  private static List<String> names(SafeFolder folder) {
    try (Stream<Path> files = Files.list(folder.path())) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> isOurs(name))
          .sorted()
          .toList();
    } catch (IOException gone) {
      return List.of();
    }
  }

  private static boolean isOurs(String name) {
    if (name.equals(StateDirectory.LOCK)) return false; // closing it would end its lock
    return StateDirectory.FILES.contains(name) || name.startsWith(ASIDE);
  }

  /** The file's text without it, in the way in which the store keeps what both sides know. */
  private static Optional<byte[]> without(SafeFolder folder, String name, Erasure erasure) {
    Optional<byte[]> bytes = folder.read(name, FILE_BYTES_MAX);
    if (bytes.isEmpty()) return Optional.empty();
    String text = new String(bytes.get(), StandardCharsets.UTF_8);
    String without = erasure.in(text);
    return without.equals(text)
        ? Optional.empty()
        : Optional.of(without.getBytes(StandardCharsets.UTF_8));
  }
}
