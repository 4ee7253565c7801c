package dev.mainstay.app;

import dev.mainstay.domain.JournalEntry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the socket of a project is: in a folder that only its user may enter, under a short path.
 */
final class SocketPlace {
  /** The shortest limit of the systems there are; Linux has 108 with the byte that ends it. */
  static final int PATH_BYTES_MAX = 103;

  private static final int CODE_CHARS = 16;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private SocketPlace() {}

  /**
   * The path for the project whose folder is given, in the first folder that is fit: the user's
   * runtime folder, else one of the user's own among the temporary files.
   */
  static Path of(Path projectFolder, Map<String, String> env) throws IOException {
    Path real = projectFolder.toRealPath();
    Object user = Files.getAttribute(real, "unix:uid");
    String code = JournalEntry.sha256(real.toString()).substring(0, CODE_CHARS);
    List<Path> folders = new ArrayList<>();
    String runtime = env.getOrDefault("XDG_RUNTIME_DIR", "");
    if (runtime.startsWith("/")) folders.add(Path.of(runtime, "mainstay"));
    folders.add(Path.of(System.getProperty("java.io.tmpdir", "/tmp"), "mainstay-" + user));
    for (Path folder : folders) {
      Path socket = folder.resolve(code + ".sock");
      if (fits(socket) && isOurs(folder, user)) return socket;
    }
    throw new IOException("no folder is fit for a socket: " + folders);
  }

  private static boolean fits(Path socket) {
    return socket.toString().getBytes(StandardCharsets.UTF_8).length <= PATH_BYTES_MAX;
  }

  /** Makes the folder if need be; one that somebody else made or may enter is not used. */
  private static boolean isOurs(Path folder, Object user) {
    try {
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
      } catch (FileAlreadyExistsException there) {
        // Whose it is, is looked at below.
      }
      var found =
          Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return found.isDirectory()
          && OWNER_ONLY.equals(found.permissions())
          && user.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException noRuntimeFolder) {
      return false;
    } catch (IOException unusable) {
      return false;
    }
  }
}
