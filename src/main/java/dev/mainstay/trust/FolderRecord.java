package dev.mainstay.trust;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.trust.Standing.Level;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the user's state folder knows of one {@code .mainstay} folder: the file {@code folders/ID},
 * one value a line.
 *
 * @param index the git index in which the folder was last looked for, and its state at that time
 */
record FolderRecord(
    String secretHash, String inode, String created, Level level, String path, String index) {
  private static final String FOLDERS = "folders";
  private static final String FORMAT = "mainstay-folder-1";
  private static final int LINES = 7;
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  static FolderRecord of(Mark mark, FolderIdentity folder, Level level, Path path, String index) {
    String hash = JournalEntry.sha256(mark.secret());
    return new FolderRecord(
        hash, folder.inode(), folder.created(), level, line(path.toString()), line(index));
  }

  private static String line(String text) {
    return text.replace('\n', ' ');
  }

  static Optional<FolderRecord> read(UserFolders user, String id) {
    Path file = user.state().resolve(FOLDERS).resolve(id);
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      if (lines.size() != LINES || !lines.get(0).equals(FORMAT)) return Optional.empty();
      return Optional.of(
          new FolderRecord(
              lines.get(1),
              lines.get(2),
              lines.get(3),
              Level.valueOf(lines.get(4)),
              lines.get(5),
              lines.get(6)));
    } catch (IOException | IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }

  /** How much was believed of the folders that were seen at a path. */
  static Set<Level> levels(UserFolders user, Path at) {
    Set<Level> levels = EnumSet.noneOf(Level.class);
    try (DirectoryStream<Path> records = Files.newDirectoryStream(user.state().resolve(FOLDERS))) {
      for (Path each : records) {
        read(user, String.valueOf(each.getFileName()))
            .filter(record -> record.path().equals(line(at.toString())))
            .ifPresent(record -> levels.add(record.level()));
      }
    } catch (IOException none) {
      return levels;
    }
    return levels;
  }

  /** Forgets the folders that were at the same path before. */
  static void forgetOthers(UserFolders user, Path at, String id) throws IOException {
    try (DirectoryStream<Path> records = Files.newDirectoryStream(user.state().resolve(FOLDERS))) {
      for (Path each : records) {
        String other = String.valueOf(each.getFileName());
        boolean isThere =
            read(user, other).filter(r -> r.path().equals(line(at.toString()))).isPresent();
        if (isThere && !other.equals(id)) Files.deleteIfExists(each);
      }
    }
  }

  /** Forgets a folder, which is then not believed until a person opens it. */
  static void forget(UserFolders user, String id) {
    try {
      Files.deleteIfExists(user.state().resolve(FOLDERS).resolve(id));
    } catch (IOException readOnlyHome) {
      return; // then it is refused for as long as git tracks it
    }
  }

  /** Whether it was made for this folder and no copy of it. */
  boolean isOf(Mark mark, FolderIdentity folder) {
    return secretHash.equals(JournalEntry.sha256(mark.secret())) && folder.isSame(inode, created);
  }

  /** The same as seen now; a creation time that was not known before is kept from now on. */
  FolderRecord seen(FolderIdentity folder, Path at, String indexNow) {
    String time = created.isEmpty() ? folder.created() : created;
    return new FolderRecord(secretHash, inode, time, level, line(at.toString()), line(indexNow));
  }

  void write(UserFolders user, String id) throws IOException {
    Path folder = user.stateFolder(FOLDERS);
    String lines =
        String.join("\n", FORMAT, secretHash, inode, created, level.name(), path, index, "");
    Path fresh = Files.createTempFile(folder, "." + id, "", OWNER_ONLY);
    UserFolders.writeDurably(fresh, lines);
    Files.move(fresh, folder.resolve(id), StandardCopyOption.ATOMIC_MOVE);
    UserFolders.syncFolder(folder); // before the mark: a mark without its record is not believed
  }
}
