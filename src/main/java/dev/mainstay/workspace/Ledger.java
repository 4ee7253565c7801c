package dev.mainstay.workspace;

import dev.mainstay.domain.Observation;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.ScannedFile;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.domain.Workspace;
import dev.mainstay.store.Once;
import dev.mainstay.store.Tx;
import dev.mainstay.workspace.FileBook.Change;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The files as the disk has them beside the rows the store has of them. A look and the transaction
 * that follows it happen while nobody else does either, {@link Site#alone}, and who finds that
 * somebody else wrote rows looks at everything: an older look never covers a newer one.
 */
final class Ledger {
  private static final long NEVER = -1;

  private final Site site;
  private final FileBook book = new FileBook();
  private @Nullable FileIndex index;

  /** The version of the rows that the index agrees with. */
  private long inStep = NEVER;

  Ledger(Site site) {
    this.site = site;
  }

  /** The files as they were last looked at, beginning with what an earlier process knew of them. */
  FileIndex index() {
    FileIndex known = index;
    if (known != null) return known;
    long version =
        site.store()
            .reading(
                tx -> {
                  Workspace now = workspace(tx);
                  book.load(tx, now);
                  return now.files().version();
                });
    List<ScannedFile> files = new ArrayList<>();
    for (TrackedFile file : book.files()) if (file.toMeta().isThere()) files.add(file.seen());
    known = new FileIndex(site.tree(), ScanLimits.DEFAULT, this::never);
    known.load(files);
    index = known;
    inStep = version;
    return known;
  }

  /** The store, and the files of state directories: they change with every step of a plan. */
  private Set<Path> never() {
    Set<Path> files = new HashSet<>(site.store().ownFiles());
    for (StateDirectory shown :
        site.store().reading(tx -> tx.stateDirectories().ofHost(Host.current()))) {
      for (String name : StateDirectory.FILES) files.add(Path.of(shown.folder(), name));
    }
    return files;
  }

  private Workspace workspace(Tx tx) {
    return tx.workspaces().find(site.id()).orElseThrow(() -> new IllegalStateException(site.id()));
  }

  /** Whether the rows say what the index says; before the first look they say nothing. */
  boolean isInStep() {
    index();
    long version = site.load().files().version();
    return version != 0 && version == inStep;
  }

  /** Looks at everything. */
  ScanResult refresh() {
    return noted(index().refresh());
  }

  /** Looks at these, and at everything when somebody else has been here. */
  ScanResult look(Collection<RepoPath> paths) {
    return isInStep() ? noted(index().look(paths)) : refresh();
  }

  /** Reads the contents of these, whatever sizes and times say. */
  ScanResult check(Collection<RepoPath> paths) {
    ScanResult result = index().check(paths);
    if (!result.isNothing()) inStep = NEVER; // that it was read again is no news
    return result;
  }

  /** Reads all contents and compares them with the rows as they are now. */
  ScanResult verify() {
    index = null;
    return noted(index().verify());
  }

  private ScanResult noted(ScanResult result) {
    if (!result.isNothing() || result.work().filesHashed() > 0) inStep = NEVER;
    return result;
  }

  Optional<TrackedFile> find(String path) {
    return book.find(path);
  }

  /** The rows of this moment. */
  Collection<TrackedFile> rows(Tx tx, Workspace now) {
    book.load(tx, now);
    return book.files();
  }

  /** Another story begins with what the rows say. */
  void rebase(Tx tx, Workspace locked) {
    book.load(tx, locked);
    FileBook.write(tx, site.id(), book.rebased());
  }

  /** All files as they are on the disk, the hash that stands for them, and when that was asked. */
  record Disk(Collection<ScannedFile> files, String tree, Instant lookedAt) {}

  private record Followed(List<Change> changes, long before, long after) {}

  /**
   * Brings the rows to what the index holds, takes these observations out of the queue, and does
   * something else in the same transaction.
   */
  <T> T follow(Attribution seen, Once<T> once, Function<Tx, T> also) {
    var disk = new Disk(index().files(), index().treeHash(), Instant.now());
    var followed = new Followed[] {new Followed(List.of(), NEVER, NEVER)};
    inStep = NEVER; // until the transaction is kept
    try {
      T answer =
          site.store()
              .inTransaction(
                  once,
                  tx -> {
                    followed[0] = followed(tx, tx.workspaces().lock(site.id()), disk, seen);
                    return also.apply(tx);
                  });
      Followed done = followed[0];
      book.wrote(done.changes(), done.before(), done.after());
      inStep = done.after();
      return answer;
    } catch (RuntimeException notKept) {
      book.forget(); // what was read in a transaction that was not kept may never have been
      throw notKept;
    }
  }

  private Followed followed(Tx tx, Workspace before, Disk disk, Attribution seen) {
    book.load(tx, before);
    long version = before.files().version();
    List<Change> changes = book.against(disk.files(), index().sparse(), version == 0);
    List<Observation> mine = seen.observations().stream().filter(tx.observations()::take).toList();
    FileBook.write(tx, site.id(), changes);
    if (!mine.isEmpty()) new Findings(site, seen.only(mine)).record(tx, before, changes, disk);
    boolean sameTree = disk.tree().equals(before.files().treeHash());
    boolean moved = version == 0 || !sameTree || changes.stream().anyMatch(Change::isShown);
    if (moved) tx.workspaces().setTree(site.id(), disk.tree());
    return new Followed(changes, version, workspace(tx).files().version());
  }
}
