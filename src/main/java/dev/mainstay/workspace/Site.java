package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.domain.Workspace.Story;
import dev.mainstay.domain.WorkspaceEvent;
import dev.mainstay.store.LockFile;
import dev.mainstay.store.Once;
import dev.mainstay.store.OwnFolder;
import dev.mainstay.store.Store;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** One workspace: the store that knows it, its folder, and its place among all workspaces. */
record Site(Store store, SafeTree tree, Place place) {
  private static final String OWN_FOLDER = ".mainstay";

  /** Opens the folder as a workspace; a state file that is already there is not believed. */
  static Site at(Store store, Path folder) {
    return at(store, folder, own -> false);
  }

  /**
   * Opens the folder as a workspace.
   *
   * @param isTrusted says whether a state file in the given {@code .mainstay} folder is believed;
   *     asked only where the store does not know the workspace
   */
  static Site at(Store store, Path folder, Predicate<Path> isTrusted) {
    SafeTree tree = SafeTree.at(folder);
    Site site = new Site(store, tree, new Place(Host.current(), tree.root().toString()));
    boolean known = store.reading(tx -> tx.workspaces().find(site.id())).isPresent();
    if (!known) {
      Path own = tree.root().resolve(OWN_FOLDER);
      site.open(LeftState.of(own, isTrusted.test(own)));
    }
    return site;
  }

  /** Makes the workspace known to the store, with the story that a lost store left here. */
  private void open(Story left) {
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          Workspace now = tx.workspaces().open(place, FileIndex.EMPTY_TREE);
          if (left.equals(Story.NONE) || !now.story().equals(Story.NONE)) return now;
          tx.workspaces().setStory(id(), left);
          String story = left.id();
          if (story != null) {
            var begun = List.of(new WorkspaceEvent.StoryBegun(story));
            tx.journal().append(Workspace.stream(id()), LeftState.CALL, begun);
          }
          return now;
        });
  }

  String id() {
    return place.id();
  }

  Workspace load() {
    return store.reading(
        tx -> tx.workspaces().find(id()).orElseThrow(() -> new IllegalStateException(id())));
  }

  /** Mainstay's own folder in the workspace, private and out of version control. */
  Path folder() {
    return ownFolder(tree.root());
  }

  /** The same below any root; a link in its place would lead out of the workspace. */
  static Path ownFolder(Path root) {
    Path folder = root.resolve(OWN_FOLDER);
    try {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) make(folder);
      OwnFolder.ignore(folder);
      return folder;
    } catch (FileAlreadyExistsException quicker) {
      return folder;
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("the folder %s cannot be made: %s", folder, fault.getMessage()), fault);
    }
  }

  private static void make(Path folder) throws IOException {
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException there) {
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return; // somebody was quicker
      throw Refusal.invalid(
          folder + " is a link or a file, not Mainstay's folder; remove it first");
    }
  }

  /**
   * Does something that only one process may do at a time in this workspace. Whoever finds a begun
   * write while he has this lock knows that its writer is dead. It is not for one who has it.
   */
  <T> T alone(Supplier<T> work) {
    try (LockFile lock = LockFile.open(lockFile())) {
      lock.lock();
      try {
        return work.get();
      } finally {
        lock.unlock();
      }
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("the workspace %s cannot be locked: %s", tree.root(), fault.getMessage()),
          fault);
    }
  }

  private Path lockFile() {
    Path file = folder().resolve("workspace.lock");
    if (!Files.isSymbolicLink(file)) return file;
    throw Refusal.invalid(file + " is a link; remove it first");
  }
}
