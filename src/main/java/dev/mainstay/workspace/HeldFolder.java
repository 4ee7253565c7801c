package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A folder of the workspace, held by its descriptor: what is done here is done in this very folder,
 * whatever its name has been made to lead to since.
 */
final class HeldFolder implements Closeable {
  private static final Path ITSELF = Path.of(".");

  private final SecureDirectoryStream<Path> stream;
  private final Path root;
  private final String path;

  private HeldFolder(SecureDirectoryStream<Path> stream, Path root, String path) {
    this.stream = stream;
    this.root = root;
    this.path = path;
  }

  static HeldFolder root(SafeTree tree) throws IOException {
    return new HeldFolder(tree.open(List.of()), tree.root(), "");
  }

  /** Where something of this name lies, from the workspace's folder downwards. */
  String below(String name) {
    return path.isEmpty() ? name : path + "/" + name;
  }

  /** What bears the name, itself and not what it may lead to. */
  Optional<PosixFileAttributes> see(String name) throws IOException {
    try {
      return Optional.of(
          stream
              .getFileAttributeView(
                  named(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
    } catch (NoSuchFileException missing) {
      return Optional.empty();
    }
  }

  /** The folder of that name; empty when there is nothing, refused when it is no real folder. */
  Optional<HeldFolder> enter(String name) throws IOException {
    Optional<PosixFileAttributes> seen = see(name);
    if (seen.isEmpty()) return Optional.empty();
    if (!seen.get().isDirectory()) {
      throw Refusal.invalid(
          Phrase.of(
              "%s is %s, not a folder; name a file that lies in folders alone",
              below(name), words(name, seen.get())));
    }
    // With the dot a FIFO is refused at once; the bare name would wait there for a writer. The dot
    // would also lead through a link, so only the very folder that was seen is accepted.
    HeldFolder entered;
    try {
      entered =
          new HeldFolder(stream.newDirectoryStream(named(name).resolve(".")), root, below(name));
    } catch (NoSuchFileException | NotDirectoryException swapped) {
      throw DiskFault.changed(below(name));
    }
    if (entered.key().equals(key(seen.get()))) return Optional.of(entered);
    entered.close();
    throw DiskFault.changed(below(name));
  }

  /** What a thing of this name is, in words that follow "is". */
  String words(String name, PosixFileAttributes seen) {
    return Inode.words(place(name), seen);
  }

  /** Whether the file that was seen bears other names as well. */
  boolean hasOtherNames(String name, PosixFileAttributes seen) throws IOException {
    return Inode.of(place(name), seen).orElseThrow(() -> DiskFault.changed(below(name))).links()
        > 1;
  }

  private Path place(String name) {
    return root.resolve(path).resolve(named(name));
  }

  private String key() throws IOException {
    return key(stream.getFileAttributeView(PosixFileAttributeView.class).readAttributes());
  }

  /** Device and number: two files that exist at the same time never share it. */
  static String key(PosixFileAttributes attributes) {
    return String.valueOf(attributes.fileKey());
  }

  /**
   * Refuses a name that is not here while another is that some disk would take for the same. Can be
   * asked once, because a stream lists its folder once.
   */
  void refuseTwin(String name) throws IOException {
    Path exact = named(name);
    String folded = RepoPath.folded(name);
    String twin = "";
    try {
      for (Path entry : stream) {
        Path other = entry.getFileName();
        if (other.equals(exact)) return;
        if (RepoPath.folded(other.toString()).equals(folded)) twin = other.toString();
      }
    } catch (DirectoryIteratorException fault) {
      throw fault.getCause();
    }
    if (twin.isEmpty()) return;
    throw Refusal.invalid(
        Phrase.of(
            "%s differs only by case or normalisation from %s, which is there; use that name",
            below(name), below(twin)));
  }

  FileChannel open(String name) throws IOException {
    return PatientOpen.forReading(stream, named(name));
  }

  /**
   * Makes a file that was not there, with the content on the disk and exactly these permissions, or
   * with the usual ones for new files. Gives its key; leaves nothing behind when it fails.
   */
  String create(String name, byte[] content, Optional<Set<PosixFilePermission>> permissions)
      throws IOException {
    Path file = named(name);
    Set<OpenOption> fresh =
        Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
    FileAttribute<?>[] mode =
        permissions
            .map(known -> new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(known)})
            .orElse(new FileAttribute<?>[0]);
    FileChannel channel = (FileChannel) stream.newByteChannel(file, fresh, mode);
    try (channel) {
      PosixFileAttributes made = see(name).orElseThrow(() -> new NoSuchFileException(name));
      for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) channel.write(rest);
      if (permissions.isPresent() && !permissions.get().equals(made.permissions())) {
        PatientOpen.permit(stream, file, permissions.get()); // the umask had taken some away
      }
      channel.force(true);
      return key(made);
    } catch (IOException | RuntimeException fault) {
      removeAfter(fault, name);
      throw fault;
    }
  }

  /** Removes what must not stay after a failure, whose reason is the one to be told. */
  void removeAfter(Exception fault, String name) {
    try {
      remove(name);
    } catch (IOException | RuntimeException another) {
      fault.addSuppressed(another);
    }
  }

  void move(String name, HeldFolder target, String newName) throws IOException {
    stream.move(named(name), target.stream, named(newName));
  }

  /** Removes the file or empty folder of that name, if there is one. */
  void remove(String name) throws IOException {
    Optional<PosixFileAttributes> seen = see(name);
    if (seen.isEmpty()) return;
    try {
      if (seen.get().isDirectory()) stream.deleteDirectory(named(name));
      else stream.deleteFile(named(name));
    } catch (NoSuchFileException gone) {
      // Somebody else was faster.
    }
  }

  /**
   * The names in this folder outlast a power cut. Even for an interrupted thread: what was done
   * before is done, so it is finished rather than left in doubt.
   */
  void sync() throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try (FileChannel channel =
            (FileChannel) stream.newByteChannel(ITSELF, Set.of(StandardOpenOption.READ))) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException again) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  private static Path named(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException unmappable) {
      throw Refusal.invalid(
          Phrase.of(
              "the name %s cannot be written in the character set %s; set LC_ALL=C.UTF-8 and repeat",
              name, System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name())));
    }
  }
}
