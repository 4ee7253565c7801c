package dev.mainstay.trust;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.trust.Standing.Level;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * Tells {@code .mainstay} folders that were made here from those that came with a repository, an
 * archive or another user. Nothing inside a folder counts as proof: the proof is a record in the
 * user's state folder, which holds for one folder on one file system.
 *
 * @param always folders that the user's own configuration names as trusted
 */
public record TrustedFolders(UserFolders user, List<Path> always) {
  private static final String STORE = "state.sqlite3";

  /** What would be believed, or counts as a person's words, if the folder were trusted. */
  private static final List<String> BELIEVED =
      List.of(STORE, "config.toml", "token", "agents", "providers", "repostate.json", "spool");

  public TrustedFolders {
    always = List.copyOf(always);
  }

  /** Says whether a folder is believed, without changing anything. */
  public Standing of(Path folder) {
    return look(folder).standing();
  }

  /** Whether everything in a folder counts, or there is none yet. */
  public boolean isTrusted(Path folder) {
    return of(folder).isTrusted();
  }

  private record Look(Standing standing, boolean isNew) {}

  private Look look(Path folder) {
    FolderIdentity found;
    try {
      found = FolderIdentity.of(folder);
    } catch (NoSuchFileException none) {
      return new Look(Standing.absent(folder), false);
    } catch (IOException unreadable) {
      return not(folder, Level.REFUSED, "%s cannot be read; look at its permissions");
    }
    if (!found.isFolder()) {
      return not(folder, Level.REFUSED, "%s is a link or a file and no folder; remove it");
    }
    if (!Ownership.isCallers(folder)) {
      return not(
          folder,
          Level.REFUSED,
          "%s belongs to another user, and not even 'mainstay trust' opens it; move it away, or name a store with --db");
    }
    if (folder.getParent() != null && folder.getParent().getParent() == null) {
      return not(
          folder,
          Level.REFUSED,
          "%s lies in the root folder, where Mainstay keeps no store; go to a project's folder");
    }
    return lookAtMark(folder, found);
  }

  private Look lookAtMark(Path folder, FolderIdentity found) {
    Optional<Mark> mark = Mark.read(folder);
    Optional<FolderRecord> record =
        mark.flatMap(
            one -> FolderRecord.read(user, one.id()).filter(known -> known.isOf(one, found)));
    GitIndex git = GitIndex.around(folder);
    String index = git == null ? "" : git.stamp();
    boolean looked = record.filter(known -> known.index().equals(index)).isPresent();
    if (!looked && git != null && git.tracks()) {
      // What git wrote here stays foreign, also when git no longer tracks it.
      mark.ifPresent(one -> FolderRecord.forget(user, one.id()));
      return not(
          folder,
          Level.REFUSED,
          "git tracks files in %s, so they came with the repository; take them out with 'git rm -r --cached', then see 'mainstay trust --show'");
    }
    if (mark.isPresent() && record.isPresent()) {
      note(mark.get(), record.get(), record.get().seen(found, folder, index));
      return known(folder, record.get().level());
    }
    if (isConfigured(folder)) return known(folder, Level.TRUSTED);
    if (!Mark.isThere(folder)) {
      if (!hasAny(folder, BELIEVED)) return new Look(standing(folder, Level.TRUSTED, ""), true);
      if (hasAny(folder, List.of(STORE)) && found.isPrivate()) {
        String reason = "%s was made by an earlier version, which left no proof of its origin";
        return new Look(standing(folder, Level.DATA, Phrase.of(reason, folder)), true);
      }
    }
    return not(folder, Level.UNTRUSTED, "%s was not made on this host by you");
  }

  private boolean isConfigured(Path folder) {
    Path root = folder.getParent();
    for (Path each : always) {
      try {
        if (root != null && Files.isSameFile(each, root)) return true;
      } catch (IOException missing) {
        continue;
      }
    }
    return false;
  }

  private static boolean hasAny(Path folder, List<String> names) {
    return names.stream()
        .anyMatch(name -> Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS));
  }

  private static Look known(Path folder, Level level) {
    String reason =
        level == Level.DATA ? Phrase.of("%s was opened for its tasks and notes alone", folder) : "";
    return new Look(new Standing(folder, level, reason, true), false);
  }

  private static Look not(Path folder, Level level, String reason) {
    return new Look(standing(folder, level, Phrase.of(reason, folder)), false);
  }

  private static Standing standing(Path folder, Level level, String reason) {
    return new Standing(folder, level, reason, false);
  }

  /** A folder that was renamed, or whose index changed, is noted; that may fail and come later. */
  private void note(Mark mark, FolderRecord before, FolderRecord now) {
    if (before.equals(now)) return;
    try {
      now.write(user, mark.id());
    } catch (IOException | UnsupportedOperationException readOnlyHome) {
      return;
    }
  }

  /**
   * The same as {@link #of}, before the folder is used: one that an earlier version made, or that
   * has nothing in it yet, is marked.
   */
  public Standing settle(Path folder) {
    Look look = look(folder);
    if (!look.isNew()) return look.standing();
    try {
      Mark mark = Mark.random();
      record(mark, folder, look.standing().level());
      if (look.standing().level() == Level.DATA) dropForeign(folder);
      mark.writeFirst(folder);
      return look(folder).standing();
    } catch (IOException | UnsupportedOperationException readOnlyHome) {
      return look.standing();
    }
  }

  /**
   * Makes a folder, which only its owner may enter, and marks it; does nothing if there is one.
   *
   * @throws Refusal if it cannot be made
   */
  public void make(Path folder) {
    make(folder, Level.TRUSTED);
  }

  /**
   * Makes a folder again for a backup of the one that was there, which is trusted no more than that
   * one was.
   *
   * @throws Refusal if it cannot be made
   */
  public void makeAgain(Path folder) {
    boolean wasData = FolderRecord.levels(user, folder).contains(Level.DATA);
    make(folder, wasData ? Level.DATA : Level.TRUSTED);
  }

  private void make(Path folder, Level level) {
    Path parent = folder.toAbsolutePath().getParent();
    if (parent == null || parent.getParent() == null) {
      throw Refusal.invalid(
          "Mainstay keeps no store in the root folder; go to a project's folder, or name a store with --db");
    }
    try {
      Files.createDirectories(parent);
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      // The folder keeps itself out of version control, whatever the project's own rules say.
      Files.writeString(folder.resolve(".gitignore"), "*\n");
    } catch (FileAlreadyExistsException there) {
      return;
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of(
              "the folder %s cannot be made (%s); make the place writable, or name a store with --db",
              folder, fault.getMessage()),
          fault);
    }
    if (level == Level.DATA) open(folder, false);
    else settle(folder);
  }

  /**
   * Opens a folder as a person decided: for its tasks and notes, or with everything in it. The
   * server's token in it is replaced and waiting requests are dropped, as they may be another's.
   *
   * @throws Refusal if the folder is refused, or the decision cannot be kept
   */
  public void open(Path folder, boolean all) {
    Standing before = of(folder);
    if (before.level() == Level.REFUSED) throw before.refusal();
    if (before.level() == Level.ABSENT) return;
    Level level = all ? Level.TRUSTED : Level.DATA;
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      Mark mark = Mark.random();
      record(mark, folder, level);
      if (!before.isMarked()) dropForeign(folder);
      mark.replace(folder);
      FolderRecord.forgetOthers(user, folder, mark.id());
    } catch (IOException fault) {
      throw Refusal.unavailable(
          Phrase.of("the decision cannot be kept in %s: %s", user.state(), fault.getMessage()),
          fault);
    }
  }

  private void record(Mark mark, Path folder, Level level) throws IOException {
    GitIndex git = GitIndex.around(folder);
    String index = git == null ? "" : git.stamp();
    FolderRecord.of(mark, FolderIdentity.of(folder), level, folder, index).write(user, mark.id());
  }

  private static void dropForeign(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve("token"));
    Files.deleteIfExists(folder.resolve("socket"));
    Path spool = folder.resolve("spool");
    if (!Files.isDirectory(spool, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(spool);
      return;
    }
    try (DirectoryStream<Path> requests = Files.newDirectoryStream(spool)) {
      for (Path each : requests) {
        if (!Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) Files.delete(each);
      }
    }
  }
}
