package dev.mainstay.store;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Folders that Mainstay writes to, which only their owner may enter whatever the umask is. */
public final class OwnFolder {
  private static final Set<PosixFilePermission> FOLDER_MODE =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE_MODE =
      PosixFilePermissions.fromString("rw-------");

  private OwnFolder() {}

  /** Makes the folder, with a file that keeps it out of version control. */
  public static void make(Path folder) throws IOException {
    if (makeBare(folder)) ignore(folder);
  }

  /** Makes the folder alone; false where another process was faster. */
  static boolean makeBare(Path folder) throws IOException {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) Files.createDirectories(parent);
    try {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER_MODE));
      return true;
    } catch (FileAlreadyExistsException another) {
      return false;
    }
  }

  /** Keeps what is in the folder out of version control, whatever the project's own rules say. */
  public static void ignore(Path folder) throws IOException {
    Path ignored = folder.resolve(".gitignore");
    if (Files.exists(ignored, LinkOption.NOFOLLOW_LINKS)) return;
    try {
      Files.createFile(ignored, PosixFilePermissions.asFileAttribute(FILE_MODE));
    } catch (FileAlreadyExistsException another) {
      return;
    }
    Files.writeString(ignored, "*\n");
  }

  /** Gives a file to its owner alone; one that is not there is made so from its first moment. */
  static void makePrivate(Path file) throws IOException {
    if (Files.exists(file)) Files.setPosixFilePermissions(file, FILE_MODE);
    else Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE_MODE));
  }

  /**
   * Closes a folder that others may enter, as one from an archive, and the store's files in it. A
   * caller who does not own them cannot change that and is not kept from reading.
   */
  static void closeToOthers(Path folder, Path store) throws IOException {
    if (Files.getPosixFilePermissions(folder).equals(FOLDER_MODE)) return;
    try {
      Files.setPosixFilePermissions(folder, FOLDER_MODE);
      for (String suffix : List.of("", "-wal", "-shm", ".lock", ".sums")) {
        Path file = store.resolveSibling(store.getFileName() + suffix);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) makePrivate(file);
      }
    } catch (FileSystemException notOurs) {
      return;
    }
  }
}
