package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The folder through which texts go to tmux and screens come back, readable for its owner alone.
 * Screens do not come over the connection: a program that prints what ends an answer could forge
 * all that follows it.
 */
final class TmuxFiles {
  private static final String EXIT = "exit-";

  private final Path folder;
  private final String mine = UUID.randomUUID().toString();
  private final AtomicLong count = new AtomicLong();

  private TmuxFiles(Path folder) {
    this.folder = folder;
  }

  static TmuxFiles in(Path given) {
    Path folder = given.toAbsolutePath().normalize();
    // tmux reads # in the names of files as the beginning of a format, which may run a program.
    if (folder.toString().chars().anyMatch(c -> c == '#' || Character.isISOControl(c))) {
      throw Refusal.invalid(
          "the folder for tmux has a # or a control character in its path; choose another one");
    }
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      return new TmuxFiles(folder);
    } catch (IOException unusable) {
      throw unusable(folder, unusable);
    }
  }

  static Refusal unusable(Path folder, IOException cause) {
    return Refusal.unavailable(
        "the folder for tmux at " + folder + " cannot be used; see that you may write there",
        cause);
  }

  Path folder() {
    return folder;
  }

  /** The lock of whoever closes a window. */
  Path closing() {
    return folder.resolve("closing.lock");
  }

  /** A name that nobody else uses, for a buffer of tmux and the file that goes with it. */
  String freshName() {
    return "mainstay-" + mine + "-" + count.incrementAndGet();
  }

  Path create(String name) {
    try {
      var owner = PosixFilePermissions.fromString("rw-------");
      return Files.createFile(folder.resolve(name), PosixFilePermissions.asFileAttribute(owner));
    } catch (IOException unusable) {
      throw new UncheckedIOException(unusable);
    }
  }

  void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException unusable) {
      throw new UncheckedIOException(unusable);
    }
  }

  /** What the wrapper noted when the program of a pane ended. */
  Optional<Integer> exit(Pane pane) {
    String server = pane.life().replaceFirst("-.*", "");
    Path file = folder.resolve(EXIT + server + "-" + pane.id().substring(1));
    try {
      return Optional.of(Integer.valueOf(Files.readString(file).strip()));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (IOException | NumberFormatException unreadable) {
      return Optional.empty();
    }
  }

  /** Drops what was noted in earlier lives of the server, whose numbers come again. */
  void forgetOtherLives(String life) {
    String kept = EXIT + life.replaceFirst("-.*", "") + "-";
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, EXIT + "*")) {
      for (Path each : files) {
        if (!each.getFileName().toString().startsWith(kept)) Files.deleteIfExists(each);
      }
    } catch (IOException unusable) {
      throw new UncheckedIOException(unusable);
    }
  }
}
