package dev.mainstay.workspace;

import dev.mainstay.domain.ArtifactFiles;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Plain files that are handed over, read by descriptors: never through a link below the folder that
 * is worked in, and never the store's own, whose locks would be lost.
 */
public final class DiskArtifacts implements ArtifactFiles {
  private static final Path WORKTREES = Path.of(".mainstay", "worktrees");

  private final Store store;
  private final SafeTree work;
  private final boolean anywhere;

  private DiskArtifacts(Store store, Path workDir, boolean anywhere) {
    this.store = store;
    this.work = SafeTree.at(workDir);
    this.anywhere = anywhere;
  }

  /** For a caller who is the user of this process: any file that it may read. */
  public static DiskArtifacts anywhere(Store store, Path workDir) {
    return new DiskArtifacts(store, workDir, true);
  }

  /** For callers from elsewhere: what lies below the folder, and nothing else of this host. */
  public static DiskArtifacts below(Store store, Path workDir) {
    return new DiskArtifacts(store, workDir, false);
  }

  @Override
  public String host() {
    return Host.current();
  }

  @Override
  public Seen look(String path) {
    Found found = find(path);
    var seen = found.files().look(found.path()).orElseThrow(() -> Refusal.notFound(missing(path)));
    return new Seen(found.whole(), seen.hash(), seen.size());
  }

  @Override
  public Held hold(String path, long bytesMax) {
    Found found = find(path);
    return found.files().hold(found.path(), bytesMax);
  }

  /** A file by the folder from which it is entered and its path below that. */
  private record Found(SafeTree tree, RepoPath path) {
    SafeFiles files() {
      return new SafeFiles(tree);
    }

    Path place() {
      return tree.root().resolve(path.value());
    }

    String whole() {
      return place().toString();
    }
  }

  private Found find(String typed) {
    Path whole;
    try {
      whole = work.root().resolve(typed).normalize();
    } catch (InvalidPathException unreadable) {
      throw Refusal.invalid(Phrase.of("\"%s\" is no path of a file", typed));
    }
    Path parent = whole.getParent();
    if (typed.isBlank() || parent == null) throw Refusal.invalid("name a file to hand over");
    Path worktrees = work.root().resolve(WORKTREES);
    Found found;
    if (whole.startsWith(worktrees) && !whole.equals(worktrees)) {
      found = inWorktree(typed, worktrees, whole);
    } else if (whole.startsWith(work.root()) && !whole.equals(work.root())) {
      found = new Found(work, new RepoPath(work.root().relativize(whole).toString()));
    } else {
      found = elsewhere(typed, whole, parent);
    }
    refuseStore(found);
    return found;
  }

  /** Our own folder is closed, but what agents make in their worktrees is work like any other. */
  private static Found inWorktree(String typed, Path worktrees, Path whole) {
    SafeTree tree;
    try {
      tree = SafeTree.at(worktrees);
    } catch (Refusal noFolder) {
      throw Refusal.notFound(missing(typed));
    }
    if (!tree.root().equals(worktrees)) throw Refusal.notFound(missing(typed)); // a link leads away
    return new Found(tree, new RepoPath(worktrees.relativize(whole).toString()));
  }

  private Found elsewhere(String typed, Path whole, Path parent) {
    SafeTree tree;
    try {
      tree = SafeTree.at(parent);
    } catch (Refusal noFolder) {
      throw anywhere ? Refusal.notFound(missing(typed)) : outside(typed);
    }
    Path real = tree.root().resolve(whole.getFileName());
    if (real.startsWith(work.root())) { // the work folder by another name
      return new Found(work, new RepoPath(work.root().relativize(real).toString()));
    }
    if (!anywhere) throw outside(typed);
    return new Found(tree, new RepoPath(whole.getFileName().toString()));
  }

  /** The same whether the file exists or not, and without a folder that the caller did not name. */
  private static Refusal outside(String typed) {
    return Refusal.invalid(
        Phrase.of("%s is outside of the server's folder; hand over a file below it", typed));
  }

  private void refuseStore(Found found) {
    Object key = null;
    try {
      key =
          Files.readAttributes(found.place(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
    } catch (IOException notThere) {
      // Then only its name can tell.
    }
    var own = new StoreFiles(found.tree().root(), store.ownFiles());
    if (own.contains(found.path().value(), key)) {
      throw Refusal.invalid(
          found.path() + " belongs to Mainstay's own store; 'mainstay backup' copies that");
    }
  }

  private static String missing(String path) {
    return "there is no file " + path;
  }
}
