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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Erases a text from the files of all state directories on this host. While it is erased from the
 * store and from them nobody brings the two into step, or a file would tell the store again. Files
 * that are out of reach, as on other hosts, are written from the store before they are read.
 */
public final class ForgottenPages {
  /** Entries of the history that somebody edited were put aside under such names. */
  private static final String ASIDE = "history";

  private static final int FILE_BYTES_MAX = 16 * 1024 * 1024;

  private final Store store;

  public ForgottenPages(Store store) {
    this.store = store;
  }

  /** The directories of this host: those whose files can be rewritten, and why others cannot. */
  private record Here(List<StateDirectory> reached, Set<String> beyond) {}

  private Here here() {
    Here here = new Here(new ArrayList<>(), new TreeSet<>());
    for (StateDirectory each :
        store.reading(tx -> tx.stateDirectories().ofHost(SafeFolder.host()))) {
      Path folder = Path.of(each.folder());
      if (Files.notExists(folder)) continue; // if it comes back, it is written before it is read
      try {
        if (Files.isSymbolicLink(folder.resolve(StateDirectory.LOCK))) {
          throw Refusal.invalid("its lock is a link");
        }
        SafeFolder open = SafeFolder.open(folder);
        for (String name : names(open)) open.read(name, FILE_BYTES_MAX);
        here.reached.add(each);
      } catch (Refusal fault) {
        here.beyond.add(
            Phrase.of("%s (perhaps, as it cannot be rewritten: %s)", folder, fault.sentence()));
      }
    }
    return here;
  }

  /** Which directories can be rewritten, by their ids. */
  public Set<String> reached() {
    return ids(here().reached);
  }

  private static Set<String> ids(List<StateDirectory> directories) {
    return directories.stream().map(StateDirectory::id).collect(Collectors.toSet());
  }

  /** Those of this host that cannot, and of others those of which the store knows that they may. */
  public Set<String> beyondReach(Collection<StateDirectory> unreached) {
    Set<String> beyond = here().beyond;
    for (StateDirectory each : unreached) {
      if (each.host().equals(SafeFolder.host())) continue;
      beyond.add(
          Phrase.of(
              "%s on %s, until 'mainstay exec sync' is run there", each.folder(), each.host()));
    }
    return beyond;
  }

  /** How many files have it. */
  public long holding(Erasure erasure) {
    long count = 0;
    for (StateDirectory each : here().reached) {
      SafeFolder folder = SafeFolder.open(Path.of(each.folder()));
      for (String name : names(folder)) if (without(folder, name, erasure).isPresent()) count++;
    }
    return count;
  }

  /** Does the work in the store, then erases it from the files; how many had it. */
  public long around(Erasure erasure, Consumer<Set<String>> work) {
    List<LockFile> locks = new ArrayList<>();
    try {
      List<StateDirectory> reached = here().reached;
      // They come in one order, so that two who do this do not wait for each other for ever.
      for (StateDirectory each : reached) {
        LockFile lock = LockFile.open(Path.of(each.folder(), StateDirectory.LOCK));
        lock.lock();
        locks.add(lock);
      }
      work.accept(ids(reached));
      long count = 0;
      for (StateDirectory each : reached) {
        count += erase(SafeFolder.open(Path.of(each.folder())), erasure);
      }
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

  private static List<String> names(SafeFolder folder) {
    try (Stream<Path> files = Files.list(folder.path())) {
      return files
          .filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
          .map(file -> file.getFileName().toString())
          .filter(ForgottenPages::isOurs)
          .sorted()
          .toList();
    } catch (IOException fault) {
      throw Refusal.unavailable(
          Phrase.of("%s cannot be looked through: %s", folder.path(), fault.getMessage()), fault);
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
