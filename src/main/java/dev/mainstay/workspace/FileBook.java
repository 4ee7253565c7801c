package dev.mainstay.workspace;

import dev.mainstay.domain.ScannedFile;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.domain.Workspace;
import dev.mainstay.store.Tx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The files of one workspace as the store has them, kept in memory while nobody changes them. */
final class FileBook {
  private TreeMap<String, TrackedFile> files = new TreeMap<>();
  private long version = -1;

  /** A row that differs: before, null when there was none, and after, null when there is none. */
  record Change(String path, @Nullable TrackedFile before, @Nullable TrackedFile after) {
    /** Whether the content is another one, and not just when it was last looked at. */
    boolean isOfContent() {
      return !Objects.equals(content(before), content(after));
    }

    /** Whether anything differs that is shown to somebody; when it was last read is not. */
    boolean isShown() {
      if (before == null || after == null) return true;
      return !before.toMeta().equals(after.toMeta());
    }

    private static @Nullable String content(@Nullable TrackedFile file) {
      if (file == null || !file.toMeta().isThere()) return null;
      String hash = file.seen().hash();
      return hash == null ? "unhashed " + file.seen().stat() : hash;
    }
  }

  /** Reads the rows unless they are those that are known. */
  void load(Tx tx, Workspace workspace) {
    if (workspace.files().version() == version) return;
    TreeMap<String, TrackedFile> rows = new TreeMap<>();
    for (TrackedFile file : tx.workspaceFiles().list(workspace.id())) rows.put(file.path(), file);
    files = rows;
    version = workspace.files().version();
  }

  /** Whatever is known is read again. */
  void forget() {
    version = -1;
  }

  Collection<TrackedFile> files() {
    return files.values();
  }

  Optional<TrackedFile> find(String path) {
    return Optional.ofNullable(files.get(path));
  }

  /**
   * What the rows must become for the files that are on the disk. A file that is not there and that
   * git keeps off the disk is no longer followed; any other was deleted.
   */
  List<Change> against(Collection<ScannedFile> disk, Predicate<String> isSparse, boolean first) {
    List<Change> changes = new ArrayList<>();
    TreeMap<String, TrackedFile> gone = new TreeMap<>(files);
    for (ScannedFile seen : disk) {
      TrackedFile before = gone.remove(seen.path());
      if (before != null && before.seen().equals(seen) && before.toMeta().isThere()) continue;
      changes.add(new Change(seen.path(), before, after(before, seen, first)));
    }
    gone.forEach(
        (path, before) -> {
          if (isSparse.test(path)) changes.add(new Change(path, before, null));
          else if (before.toMeta().isThere()) changes.add(new Change(path, before, before.gone()));
        });
    return changes;
  }

  private static TrackedFile after(@Nullable TrackedFile before, ScannedFile seen, boolean first) {
    if (before != null) return before.seenAgain(seen);
    return first ? TrackedFile.found(seen) : TrackedFile.appeared(seen);
  }

  /** What the rows must become when another story begins. */
  List<Change> rebased() {
    List<Change> changes = new ArrayList<>();
    for (TrackedFile file : files.values()) {
      TrackedFile after = file.rebased();
      if (!file.equals(after)) changes.add(new Change(file.path(), file, after));
    }
    return changes;
  }

  static void write(Tx tx, String workspace, List<Change> changes) {
    List<TrackedFile> put = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    for (Change change : changes) {
      TrackedFile after = change.after();
      if (after == null) removed.add(change.path());
      else put.add(after);
    }
    tx.workspaceFiles().put(workspace, put);
    tx.workspaceFiles().remove(workspace, removed);
  }

  /** The changes are in the store under this version. */
  void wrote(List<Change> changes, long before, long after) {
    if (version != before) return; // somebody else wrote, too: they are read again when needed
    for (Change change : changes) {
      TrackedFile now = change.after();
      if (now == null) files.remove(change.path());
      else files.put(change.path(), now);
    }
    version = after;
  }
}
