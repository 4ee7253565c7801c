package dev.mainstay.trust;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The file {@code .mainstay/mark}: the folder's id and a secret. It proves nothing by itself; the
 * record of the same id in the user's state folder says which folder it was made for.
 */
record Mark(String id, String secret) {
  static final String FILE = "mark";
  private static final int BYTES_MAX = 200;
  private static final int RANDOM_BYTES = 16;
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{32}");
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  static Mark random() {
    return new Mark(hex(), hex());
  }

  private static String hex() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  static Optional<Mark> read(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > BYTES_MAX) {
        return Optional.empty();
      }
      List<String> words = List.of(Files.readString(file, StandardCharsets.UTF_8).split("\\s+"));
      boolean fits = words.size() == 2 && words.stream().allMatch(HEX.asMatchPredicate());
      return fits ? Optional.of(new Mark(words.get(0), words.get(1))) : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  static boolean isThere(Path folder) {
    return Files.exists(folder.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
  }

  /** Puts it into the folder; of two processes that do so at once the first one's stays. */
  void writeFirst(Path folder) throws IOException {
    Path fresh = written(folder);
    try {
      Files.createLink(folder.resolve(FILE), fresh);
    } catch (FileAlreadyExistsException another) {
      return;
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** Puts it in the place of any other. */
  void replace(Path folder) throws IOException {
    Files.move(written(folder), folder.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path written(Path folder) throws IOException {
    Path fresh = Files.createTempFile(folder, ".mark", "", OWNER_ONLY);
    UserFolders.writeDurably(fresh, id + " " + secret + "\n");
    return fresh;
  }
}
