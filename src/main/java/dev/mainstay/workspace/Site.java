package dev.mainstay.workspace;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Place;
import dev.mainstay.store.LockFile;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** One workspace: the store that knows it, its folder, and its place among all workspaces. */
record Site(Store store, SafeTree tree, Place place) {
  private static final String OWN_FOLDER = ".mainstay";

  static Site at(Store store, Path folder) {
    SafeTree tree = SafeTree.at(folder);
    Site site = new Site(store, tree, new Place(Host.current(), tree.root().toString()));
    boolean known = store.reading(tx -> tx.workspaces().find(site.id())).isPresent();
    if (!known) {
      store.inTransaction(
          Once.unkeyed(), tx -> tx.workspaces().open(site.place(), FileIndex.EMPTY_TREE));
    }
    return site;
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
    Path folder = tree.root().resolve(OWN_FOLDER);
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) return folder;
    if (Files.isSymbolicLink(folder)) throw leadsElsewhere(folder);
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.writeString(folder.resolve(".gitignore"), "*\n");
      return folder;
    } catch (IOException fault) {
      boolean quicker = Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS); // somebody else was
      if (quicker) return folder;
      throw Refusal.readOnly(
          "the folder %s cannot be made: %s".formatted(folder, fault.getMessage()), fault);
    }
  }

  /** A repository may bring such a link along, and what is written there must not leave it. */
  private static Refusal leadsElsewhere(Path link) {
    return Refusal.invalid(link + " is a link; remove it, for Mainstay keeps its own files there");
  }

  /**
   * Does something that only one process may do at a time in this workspace. Whoever finds a begun
   * write while he has this lock knows that its writer is dead.
   */
  <T> T alone(Supplier<T> work) {
    Path file = folder().resolve("workspace.lock");
    if (Files.isSymbolicLink(file)) throw leadsElsewhere(file);
    try (LockFile lock = LockFile.open(file)) {
      if (lock.isMine()) return work.get();
      lock.lock();
      try {
        return work.get();
      } finally {
        lock.unlock();
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
