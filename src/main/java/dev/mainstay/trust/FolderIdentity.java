package dev.mainstay.trust;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What tells a folder from a copy of it: inode and creation time. A rename keeps both, a copy and a
 * move to another file system change them. Device numbers change at a reboot, so they do not count.
 *
 * @param created nanoseconds, or empty where the file system or the JDK does not know
 */
record FolderIdentity(String inode, String created, boolean isFolder, boolean isPrivate) {
  /** Older JDKs answer with the time of the last change. */
  private static final int CREATION_TIME_JDK_MIN = 22;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  static FolderIdentity of(Path folder) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(
            folder,
            "unix:ino,creationTime,lastModifiedTime,isDirectory,permissions",
            LinkOption.NOFOLLOW_LINKS);
    return new FolderIdentity(
        String.valueOf(found.get("ino")),
        created(found),
        Boolean.TRUE.equals(found.get("isDirectory")),
        OWNER_ONLY.equals(found.get("permissions")));
  }

  private static String created(Map<String, Object> found) {
    if (Runtime.version().feature() < CREATION_TIME_JDK_MIN) return "";
    // Where the file system does not keep it, the JDK answers with the time of the last change.
    return found.get("creationTime") instanceof FileTime made
            && !made.equals(found.get("lastModifiedTime"))
        ? made.toInstant().toString()
        : "";
  }

  boolean isSame(String otherInode, String otherCreated) {
    boolean bothKnown = !created.isEmpty() && !otherCreated.isEmpty();
    return inode.equals(otherInode) && (!bothKnown || created.equals(otherCreated));
  }
}
