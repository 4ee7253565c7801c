package dev.mainstay.trust;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The index of the git repository around a folder, read without starting git: a hostile repository
 * can make git run programs. Versions 2 to 4, split indexes and sparse folders are understood.
 */
public record GitIndex(Path gitFolder, String prefix) {
  private static final int SIGNATURE = 0x44495243; // "DIRC"
  private static final int FIELDS_BYTES = 40;
  private static final int[] HASH_BYTES = {20, 32};
  private static final int EXTENDED = 0x4000;
  private static final int VERSION_COMPRESSED = 4;
  private static final int PADDING = 8;

  /** The index of the nearest repository upwards; null where there is none. */
  static @Nullable GitIndex around(Path folder) {
    for (Path at = folder.getParent(); at != null; at = at.getParent()) {
      Path git = at.resolve(".git");
      if (Files.isDirectory(git)) return new GitIndex(git, prefix(at, folder));
      if (Files.isRegularFile(git)) {
        Path named = named(at, git);
        return named == null ? null : new GitIndex(named, prefix(at, folder));
      }
    }
    return null;
  }

  /** Whether git tracks the file, in any spelling of upper and lower case. */
  public static boolean isTracked(Path file) {
    GitIndex index = around(file);
    return index != null && index.tracks();
  }

  private static String prefix(Path root, Path folder) {
    return root.relativize(folder).toString().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Path named(Path root, Path git) {
    try {
      String text = Files.readString(git).strip();
      return text.startsWith("gitdir:") ? root.resolve(text.substring(7).strip()) : null;
    } catch (IOException unreadable) {
      return null;
    }
  }

  /** Changes whenever git writes the index. */
  String stamp() {
    Path file = gitFolder.resolve("index");
    try {
      var found = Files.readAttributes(file, BasicFileAttributes.class);
      return String.join(
          " ",
          prefix,
          String.valueOf(found.fileKey()),
          Long.toString(found.size()),
          found.lastModifiedTime().toInstant().toString());
    } catch (IOException none) {
      return prefix + " none";
    }
  }

  /** Whether git tracks the folder or a file in it, in any spelling of upper and lower case. */
  boolean tracks() {
    for (Path file : files()) {
      try {
        if (names(Files.readAllBytes(file))) return true;
      } catch (IOException gone) {
        continue;
      }
    }
    return false;
  }

  private List<Path> files() {
    List<Path> files = new ArrayList<>(List.of(gitFolder.resolve("index")));
    try (DirectoryStream<Path> shared = Files.newDirectoryStream(gitFolder, "sharedindex.*")) {
      shared.forEach(files::add);
    } catch (IOException none) {
      return files;
    }
    return files;
  }

  private boolean names(byte[] index) {
    for (int hashBytes : HASH_BYTES) {
      try {
        if (names(ByteBuffer.wrap(index), hashBytes)) return true;
      } catch (BufferUnderflowException | IllegalArgumentException otherHash) {
        continue;
      }
    }
    return false; // nothing that git reads
  }

  private boolean names(ByteBuffer index, int hashBytes) {
    if (index.getInt() != SIGNATURE) return false;
    int version = index.getInt();
    int count = index.getInt();
    byte[] path = {};
    boolean found = false;
    for (int i = 0; i < count; i++) {
      int start = index.position();
      index.position(start + FIELDS_BYTES + hashBytes);
      if ((index.getShort() & EXTENDED) != 0) index.getShort();
      int kept = version == VERSION_COMPRESSED ? path.length - removed(index) : 0;
      if (kept < 0 || kept > path.length) throw new IllegalArgumentException("no index");
      byte[] rest = text(index);
      path = Arrays.copyOf(path, kept + rest.length);
      System.arraycopy(rest, 0, path, kept, rest.length);
      found |= isOurs(new String(path, StandardCharsets.UTF_8));
      if (version != VERSION_COMPRESSED) {
        int length = index.position() - 1 - start;
        index.position(start + (length / PADDING + 1) * PADDING);
      }
    }
    return found;
  }

  private boolean isOurs(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    return lower.equals(prefix) || lower.startsWith(prefix + "/");
  }

  /** How much of the path before is not part of this one: git's variable width of offsets. */
  private static int removed(ByteBuffer index) {
    int next = index.get();
    int value = next & 0x7f;
    while ((next & 0x80) != 0) {
      next = index.get();
      value = (value + 1 << 7) + (next & 0x7f);
    }
    return value;
  }

  private static byte[] text(ByteBuffer index) {
    int from = index.position();
    while (index.get() != 0) {}
    return Arrays.copyOfRange(index.array(), from, index.position() - 1);
  }
}
