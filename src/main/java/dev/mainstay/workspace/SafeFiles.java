package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace, read and replaced from directory descriptors: nothing outside is ever
 * touched, whoever swaps names meanwhile, and what was written is on the disk when it is said to
 * be.
 */
final class SafeFiles {
  static final int CONTENT_BYTES_MAX = 4 * 1024 * 1024;
  static final long HASHED_BYTES_MAX = 1L << 30;

  /** A file that changes under our eyes is looked at again, but not for ever. */
  private static final int LOOKS_MAX = 3;

  /** Others may make or remove the same folders at the same time. */
  private static final int WRITES_MAX = 8;

  private static final Pattern TEMP = Pattern.compile("\\.mainstay-[0-9a-f]{32}\\.tmp");

  private final SafeTree tree;

  SafeFiles(SafeTree tree) {
    this.tree = tree;
  }

  /** A file as it was when it was looked at; the hash is the SHA-256 in hexadecimal digits. */
  record Seen(String hash, long size, Instant modTime, String fileKey) {}

  /** A name for {@link #replace}; nobody else's file has it. */
  static String newTempName() {
    return ".mainstay-" + UUID.randomUUID().toString().replace("-", "") + ".tmp";
  }

  static boolean isTemp(String name) {
    return TEMP.matcher(name).matches();
  }

  /**
   * The plain file there, hashed; empty when there is none or its folder is missing. What is no
   * plain file is refused.
   */
  Optional<Seen> look(RepoPath path) {
    return whole(
        path,
        (channel, seen) -> {
          if (seen.size() > HASHED_BYTES_MAX) throw tooLarge(path, seen.size(), HASHED_BYTES_MAX);
          return seen(HeldFile.hash(path.value(), channel, seen.size()), seen);
        });
  }

  /** The content of the plain file there; more than {@code bytesMax} is refused. */
  byte[] read(RepoPath path, int bytesMax) {
    return whole(
            path,
            (channel, seen) -> {
              if (seen.size() > bytesMax) throw tooLarge(path, seen.size(), bytesMax);
              ByteBuffer content = ByteBuffer.allocate((int) seen.size());
              HeldFile.fill(path.value(), channel, content, 0);
              return content.array();
            })
        .orElseThrow(() -> Refusal.notFound("there is no file " + path));
  }

  /**
   * The plain file there, open, for the caller to close. It is not looked for again by its name:
   * its hash tells whether it is the one that is wanted.
   */
  HeldFile hold(RepoPath path, long bytesMax) {
    try (HeldFolder folder = descend(path, SafeFiles::enterExactly)) {
      Optional<PosixFileAttributes> seen = folder == null ? Optional.empty() : plain(folder, path);
      if (folder == null || seen.isEmpty()) throw Refusal.notFound("there is no file " + path);
      long bytes = seen.get().size();
      if (bytes > bytesMax) throw tooLarge(path, bytes, bytesMax);
      return HeldFile.of(path.value(), folder.open(path.name()), bytes);
    } catch (IOException fault) {
      throw DiskFault.reading(path.value(), fault);
    }
  }

  /**
   * Puts the content there in one step that outlasts a power cut, makes missing folders, and keeps
   * the permissions of a file that was there. Until it is done, a file (or, at the workspace's top,
   * an empty folder) may bear the name {@code temp}; after a crash {@link #discard} removes it.
   */
  Seen replace(RepoPath path, byte[] content, String temp) {
    if (!isTemp(temp))
      throw new IllegalArgumentException(temp + " is no name for a temporary file");
    if (content.length > CONTENT_BYTES_MAX) {
      throw tooLarge(path, content.length, CONTENT_BYTES_MAX);
    }
    if (path.names().stream().anyMatch(SafeFiles::isTemp)) {
      throw Refusal.invalid(path + " has a name that Mainstay gives to files it removes again");
    }
    try {
      for (int attempt = 1; ; attempt++) {
        try (HeldFolder folder = folderFor(path, temp, attempt == WRITES_MAX)) {
          if (folder != null) return put(folder, path, content, temp);
          throw new NoSuchFileException(path.value());
        } catch (NoSuchFileException folderGone) {
          if (attempt == WRITES_MAX) throw folderGone;
        }
      }
    } catch (IOException fault) {
      throw DiskFault.writing(tree.root(), path.value(), fault);
    }
  }

  /**
   * The folder of the file, made if need be. Who makes the same one at the same moment may put his
   * in the place of ours while it is empty; then the next attempt finds the one that stayed.
   */
  private @Nullable HeldFolder folderFor(RepoPath path, String temp, boolean last)
      throws IOException {
    try {
      return descend(path, (at, name) -> enterOrMake(at, name, temp));
    } catch (Refusal swapped) {
      if (last || swapped.code() != Refusal.Code.CONFLICT) throw swapped;
      throw new NoSuchFileException(path.value());
    }
  }

  private Seen put(HeldFolder folder, RepoPath path, byte[] content, String temp)
      throws IOException {
    folder.refuseTwin(path.name());
    Optional<PosixFileAttributes> old = folder.see(path.name());
    if (old.isPresent()) refuseIrreplaceable(folder, path, old.get());
    String key = create(folder, content, temp, old);
    try {
      folder.move(temp, folder, path.name());
    } catch (IOException | RuntimeException fault) {
      folder.removeAfter(fault, temp);
      throw fault;
    }
    try {
      folder.sync();
      return verified(path, content, key);
    } catch (IOException fault) {
      throw Refusal.unavailable(
          path + " was written, but whether that outlasts a power cut is unknown; write it again",
          fault);
    }
  }

  private static String create(
      HeldFolder folder, byte[] content, String temp, Optional<PosixFileAttributes> old)
      throws IOException {
    try {
      return folder.create(temp, content, old.map(PosixFileAttributes::permissions));
    } catch (FileAlreadyExistsException leftover) {
      throw Refusal.conflict(folder.below(temp) + " is left from before; discard it first");
    }
  }

  private static void refuseIrreplaceable(HeldFolder folder, RepoPath path, PosixFileAttributes old)
      throws IOException {
    refuseUnlessPlain(folder, path, old);
    if (folder.hasOtherNames(path.name(), old)) {
      throw Refusal.invalid(
          path + " has other names (hard links) that would keep the old content; copy it first");
    }
  }

  private static void refuseUnlessPlain(
      HeldFolder folder, RepoPath path, PosixFileAttributes seen) {
    if (seen.isRegularFile()) return;
    throw Refusal.invalid(
        Phrase.of(
            "%s is %s, not a plain file; name another", path, folder.words(path.name(), seen)));
  }

  /** Goes down once more: the folder we hold may have been moved away with what we wrote. */
  private Seen verified(RepoPath path, byte[] content, String key) throws IOException {
    try (HeldFolder folder = descend(path, HeldFolder::enter)) {
      Optional<PosixFileAttributes> now =
          folder == null ? Optional.empty() : folder.see(path.name());
      boolean ours =
          now.isPresent()
              && now.get().isRegularFile()
              && now.get().size() == content.length
              && HeldFolder.key(now.get()).equals(key);
      if (ours) return seen(HexFormat.of().formatHex(Hasher.sha256().digest(content)), now.get());
      throw movedAway(path);
    } catch (Refusal otherThingsThere) {
      throw movedAway(path);
    }
  }

  private static Refusal movedAway(RepoPath path) {
    return Refusal.conflict(
        path + " was moved or replaced by somebody while it was written; look at it again");
  }

  /** Removes the plain file there, if there is one, and its folders that are empty then. */
  void remove(RepoPath path) {
    if (look(path).isEmpty()) return;
    try (HeldFolder folder = descend(path, HeldFolder::enter)) {
      if (folder == null) return;
      folder.remove(path.name());
      folder.sync();
    } catch (IOException fault) {
      throw DiskFault.writing(tree.root(), path.value(), fault);
    }
    for (List<String> at = path.folders(); !at.isEmpty(); at = at.subList(0, at.size() - 1)) {
      if (!removeEmpty(new RepoPath(String.join("/", at)))) return;
    }
  }

  private boolean removeEmpty(RepoPath folder) {
    try (HeldFolder parent = descend(folder, HeldFolder::enter)) {
      if (parent == null) return false;
      parent.remove(folder.name());
      return true;
    } catch (DirectoryNotEmptyException othersAreInIt) {
      return false;
    } catch (IOException fault) {
      throw DiskFault.writing(tree.root(), folder.value(), fault);
    }
  }

  /** Removes what a {@link #replace} with this name left behind, if it left anything. */
  void discard(RepoPath path, String temp) {
    if (!isTemp(temp))
      throw new IllegalArgumentException(temp + " is no name for a temporary file");
    try (HeldFolder root = HeldFolder.root(tree);
        HeldFolder folder = descend(path, HeldFolder::enter)) {
      root.remove(temp);
      if (folder != null) folder.remove(temp);
    } catch (IOException fault) {
      throw DiskFault.writing(tree.root(), path.value(), fault);
    }
  }

  /** What is made of a whole file. */
  @FunctionalInterface
  private interface Reading<T> {
    T of(FileChannel channel, PosixFileAttributes seen) throws IOException;
  }

  private <T> Optional<T> whole(RepoPath path, Reading<T> reading) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(path, reading);
      } catch (IOException fault) {
        throw DiskFault.reading(path.value(), fault);
      } catch (Refusal changing) {
        boolean again = changing.code() == Refusal.Code.CONFLICT && attempt < LOOKS_MAX;
        if (!again) throw changing;
      }
    }
  }

  private <T> Optional<T> once(RepoPath path, Reading<T> reading) throws IOException {
    try (HeldFolder folder = descend(path, SafeFiles::enterExactly)) {
      if (folder == null) return Optional.empty();
      Optional<PosixFileAttributes> before = plain(folder, path);
      if (before.isEmpty()) return Optional.empty();
      T value;
      try (FileChannel channel = folder.open(path.name())) {
        value = reading.of(channel, before.get());
      }
      boolean same = folder.see(path.name()).filter(now -> isSame(before.get(), now)).isPresent();
      if (!same) throw DiskFault.changed(path.value());
      return Optional.of(value);
    }
  }

  /** What the name stands for; anything but a plain file is refused. */
  private static Optional<PosixFileAttributes> plain(HeldFolder folder, RepoPath path)
      throws IOException {
    folder.refuseTwin(path.name());
    Optional<PosixFileAttributes> seen = folder.see(path.name());
    if (seen.isPresent()) refuseUnlessPlain(folder, path, seen.get());
    return seen;
  }

  private static boolean isSame(PosixFileAttributes before, PosixFileAttributes now) {
    return HeldFolder.key(before).equals(HeldFolder.key(now))
        && before.size() == now.size()
        && before.lastModifiedTime().equals(now.lastModifiedTime());
  }

  /** How one gets from a folder into the next; empty when there is none. */
  @FunctionalInterface
  private interface Step {
    Optional<HeldFolder> into(HeldFolder parent, String name) throws IOException;
  }

  /** The folder the file lies in, for the caller to close; null when it is not there. */
  private @Nullable HeldFolder descend(RepoPath path, Step step) throws IOException {
    HeldFolder at = HeldFolder.root(tree);
    for (String name : path.folders()) {
      try (HeldFolder parent = at) {
        Optional<HeldFolder> child = step.into(parent, name);
        if (child.isEmpty()) return null;
        at = child.get();
      }
    }
    return at;
  }

  private static Optional<HeldFolder> enterExactly(HeldFolder parent, String name)
      throws IOException {
    parent.refuseTwin(name);
    return parent.enter(name);
  }

  private Optional<HeldFolder> enterOrMake(HeldFolder parent, String name, String temp)
      throws IOException {
    Optional<HeldFolder> there = enterExactly(parent, name);
    if (there.isPresent()) return there;
    make(parent, name, temp);
    return parent.enter(name);
  }

  /**
   * Java can make a folder only by its whole path, and any folder on that path might be swapped for
   * a link. So it is made at the workspace's top, where nothing of the workspace is on the path,
   * and moved to its place between descriptors.
   */
  private void make(HeldFolder parent, String name, String temp) throws IOException {
    try (HeldFolder root = HeldFolder.root(tree)) {
      try {
        Files.createDirectory(tree.root().resolve(temp));
      } catch (FileAlreadyExistsException leftover) {
        throw Refusal.conflict(temp + " is left from before; discard it first");
      }
      try {
        root.move(temp, parent, name);
      } catch (AtomicMoveNotSupportedException elsewhere) {
        root.removeAfter(elsewhere, temp);
        throw Refusal.invalid(
            Phrase.of(
                "the folder %s would be on another disk than the workspace; make it yourself first",
                parent.below(name)));
      } catch (FileSystemException fault) {
        root.removeAfter(fault, temp);
        if (parent.see(name).isEmpty()) throw fault;
        // Somebody else has made it meanwhile.
      }
      root.sync();
      parent.sync();
    }
  }

  private static Seen seen(String hash, PosixFileAttributes seen) {
    return new Seen(hash, seen.size(), seen.lastModifiedTime().toInstant(), HeldFolder.key(seen));
  }

  private static Refusal tooLarge(RepoPath path, long bytes, long bytesMax) {
    return Refusal.tooLarge(
        Phrase.of("%s has %,d bytes; at most %,d are accepted here", path, bytes, bytesMax));
  }
}
