package dev.mainstay.workspace;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.ScannedFile;
import dev.mainstay.store.StoreFiles;
import dev.mainstay.workspace.Folder.Around;
import dev.mainstay.workspace.Folder.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace and their hashes, as the last scan saw them. Belongs to it what git
 * would show (neither ignored unless tracked, nor git's own) and is a regular file; a repository
 * inside the workspace is files like any other. One caller at a time: the others wait.
 */
final class FileIndex {
  /** The hash of a tree without files. */
  static final String EMPTY_TREE = HexFormat.of().formatHex(Hasher.sha256().digest());

  private final SafeTree tree;
  private final ScanLimits limits;
  private final Supplier<Set<Path>> never;
  private final Clock clock;
  private final GitFolder git;
  private Folder root;
  private @Nullable List<Entry> sorted;

  /** {@code never} are files that must not even be opened, such as the store's. */
  FileIndex(SafeTree tree, ScanLimits limits, Set<Path> never) {
    this(tree, limits, () -> never, Clock.systemUTC());
  }

  /** The same where more of them may come; they are asked for before each scan. */
  FileIndex(SafeTree tree, ScanLimits limits, Supplier<Set<Path>> never) {
    this(tree, limits, never, Clock.systemUTC());
  }

  /** For tests: a clock that is ahead of the disk's sees no file change at the moment it looks. */
  FileIndex(SafeTree tree, ScanLimits limits, Supplier<Set<Path>> never, Clock clock) {
    this.tree = tree;
    this.limits = limits;
    this.never = never;
    this.clock = clock;
    this.git = new GitFolder(tree, clock);
    this.root = Folder.empty(Place.root(tree.root()));
  }

  /** Takes over what an earlier process knew; a hash holds where the disk still says the same. */
  synchronized void load(Collection<ScannedFile> known) {
    Loaded loaded = new Loaded();
    for (ScannedFile file : known) loaded.add(file);
    root = loaded.folder(Place.root(tree.root()));
    sorted = null;
  }

  /** Brings everything up to date. What a limit left out is taken up again by the next one. */
  synchronized ScanResult refresh() {
    return scan(false, null);
  }

  /** Like {@link #refresh}, but reads every content, whatever its stat says. */
  synchronized ScanResult verify() {
    return scan(true, null);
  }

  /**
   * Brings only these up to date, and what is below them if they are folders. That a changed
   * .gitignore hides or shows other files is left to the next {@link #refresh}.
   */
  synchronized ScanResult look(Collection<RepoPath> paths) {
    return scan(false, wanted(paths));
  }

  /** Like {@link #look}, but reads every content, whatever its stat says. */
  synchronized ScanResult check(Collection<RepoPath> paths) {
    return scan(true, wanted(paths));
  }

  private static Scan.Wanted wanted(Collection<RepoPath> paths) {
    Scan.Wanted wanted = new Scan.Wanted(new TreeMap<>());
    for (RepoPath path : paths) {
      Scan.Wanted at = wanted;
      for (String name : path.names()) {
        at = at.names().computeIfAbsent(name, n -> new Scan.Wanted(new TreeMap<>()));
      }
    }
    return wanted;
  }

  private ScanResult scan(boolean hashAll, Scan.@Nullable Wanted only) {
    Around around = git.read();
    StoreFiles storeFiles = new StoreFiles(tree.root(), never.get());
    Scan scan = new Scan(tree, limits, storeFiles, hashAll, clock);
    Visit visit = scan.run(root, around, only);
    if (visit.outcome() instanceof Visit.Outcome.Gone) {
      throw Refusal.notFound("there is no folder " + tree.root() + " any more");
    }
    Settling settling = new Settling();
    Folder settled = settling.settle(visit);
    if (settled != null) root = settled;
    sorted = null;
    Map<Boolean, List<ScannedFile>> gone =
        Entry.scanned(settling.gone()).stream()
            .collect(Collectors.partitioningBy(f -> around.tracked().isSparse(f.path())));
    return new ScanResult(
        Entry.scanned(settling.added()),
        Entry.scanned(settling.changed()),
        gone.getOrDefault(false, List.of()),
        gone.getOrDefault(true, List.of()),
        scan.leftOut(),
        scan.work());
  }

  /** Which paths git keeps off the disk (sparse checkout), so that they were not deleted. */
  synchronized Predicate<String> sparse() {
    return git.read().tracked()::isSparse;
  }

  /** All files, sorted by path. */
  synchronized Collection<ScannedFile> files() {
    return Entry.scanned(sorted());
  }

  /** The folders that were looked into, whether or not they have files. */
  synchronized Set<Path> folders() {
    Set<Path> all = new HashSet<>();
    root.forEach(folder -> all.add(folder.place().file()));
    return all;
  }

  /** SHA-256 over the lines that {@code sha256sum} would print for all files, sorted by path. */
  synchronized String treeHash() {
    MessageDigest digest = Hasher.sha256();
    for (Entry file : sorted()) digest.update(file.line().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest());
  }

  private List<Entry> sorted() {
    if (sorted == null) {
      sorted = root.allFiles();
      sorted.sort(Comparator.comparing(Entry::path));
    }
    return sorted;
  }

  /** Files from the store, put into folders. */
  private final class Loaded {
    private final Map<String, Loaded> folders = new TreeMap<>();
    private final List<Entry> files = new ArrayList<>();

    void add(ScannedFile file) {
      Loaded at = this;
      for (String folder : new RepoPath(file.path()).folders()) {
        at = at.folders.computeIfAbsent(folder, name -> new Loaded());
      }
      at.files.add(Entry.of(file, tree.root()));
    }

    Folder folder(Place place) {
      files.sort(Comparator.comparing(Entry::path));
      List<Folder> below = new ArrayList<>();
      folders.forEach((name, loaded) -> below.add(loaded.folder(place.folder(name, false))));
      return new Folder(place, null, List.copyOf(files), below);
    }
  }
}
