package dev.mainstay.workspace;

import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.workspace.Folder.Around;
import dev.mainstay.workspace.Folder.Listing;
import dev.mainstay.workspace.Folder.Place;
import dev.mainstay.workspace.LeftOut.Reason;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads which files and folders of an open folder belong to the workspace: not git's nor
 * Mainstay's, not ignored unless tracked, of a name that can be written down, within the limits.
 */
final class FolderListing {
  /** Names that need no closer look; most are such. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");

  private final Scan scan;
  private final Place place;
  private final @Nullable Folder known;
  private final Around around;
  private final Scan.@Nullable Wanted only;

  private final int depth;
  private final Map<String, Entry> knownFiles = new HashMap<>();
  private final Map<String, Folder> knownFolders = new HashMap<>();
  private final List<Entry> files = new ArrayList<>();
  private final Set<String> settled = new HashSet<>();
  private final List<Below> folders = new ArrayList<>();
  private final List<Folder> untouched = new ArrayList<>();
  private @Nullable IgnoreRules rules;
  private Folder.@Nullable Read ignoreFile;
  private boolean hides;
  private boolean cut;
  private boolean incomplete;

  /** A folder to go on with. */
  record Below(Place place, @Nullable Folder known, Scan.@Nullable Wanted wanted) {}

  FolderListing(
      Scan scan, Place place, @Nullable Folder known, Around around, Scan.@Nullable Wanted only) {
    this.scan = scan;
    this.place = place;
    this.known = known;
    this.around = around;
    this.only = only;
    this.rules = around.rules();
    this.depth = place.depth();
    if (known == null) return;
    for (Entry file : known.files()) knownFiles.put(file.name(), file);
    for (Folder folder : known.folders()) knownFolders.put(folder.place().name(), folder);
  }

  /** The listing to keep, if the folder need not be listed again while it stays as it is now. */
  @Nullable Listing read(SecureDirectoryStream<Path> folder, Folder.@Nullable State now)
      throws IOException {
    BasicFileAttributes self =
        folder.getFileAttributeView(BasicFileAttributeView.class).readAttributes();
    if (!place.hidden()) readRules(folder);
    if (only != null) {
      for (String name : only.names().keySet()) consider(folder, name);
    } else if (place.hidden()) {
      for (String name : around.tracked().namesIn(place.path())) consider(folder, name);
    } else {
      list(folder);
    }
    if (only != null) keepOthers(only);
    else if (cut) for (String name : knownNames()) consider(folder, name);
    files.sort(Comparator.comparing(Entry::path));
    folders.sort(Comparator.comparing(below -> below.place().path()));
    if (only != null) return keptListing();
    if (cut || incomplete || now == null || !now.isOf(self)) return null;
    return new Listing(now, around, rules, ignoreFile, hides);
  }

  /** What was asked for and not found is gone; of the rest nothing is known but what was. */
  private void keepOthers(Scan.Wanted asked) {
    knownFiles.keySet().removeAll(asked.names().keySet());
    knownFolders.keySet().removeAll(asked.names().keySet());
    knownFiles.values().forEach(this::keep);
    untouched.addAll(knownFolders.values());
  }

  /** A look at a few names leaves the listing as it is, unless other rules hold by now. */
  private @Nullable Listing keptListing() {
    Listing before = known == null ? null : known.listing();
    if (before == null || before.rules() != rules) return null;
    return before.isUnder(around, place.hidden()) ? before : null;
  }

  private List<String> knownNames() {
    List<String> names = new ArrayList<>(knownFiles.keySet());
    names.addAll(knownFolders.keySet());
    return names;
  }

  private void readRules(SecureDirectoryStream<Path> folder) {
    Listing before = known == null ? null : known.listing();
    BasicFileAttributes now;
    try {
      now = Scan.stat(folder, Path.of(IgnoreRules.FILE_NAME));
    } catch (IOException none) {
      return;
    }
    if (!now.isRegularFile()) return;
    long readMicros = scan.nowMicros();
    ignoreFile = new Folder.Read(Stamp.of(now), readMicros);
    try {
      byte[] content = GitFolder.content(folder, IgnoreRules.FILE_NAME, IgnoreRules.FILE_BYTES_MAX);
      IgnoreRules last = before == null ? null : before.rules();
      IgnoreRules own =
          content == null ? null : IgnoreRules.of(around.rules(), place.path(), content, last);
      if (own != null && scan.takeRules(own, last)) rules = own;
      else leave(Reason.RULES, IgnoreRules.FILE_NAME);
    } catch (IOException unreadable) {
      leave(Reason.UNREADABLE, IgnoreRules.FILE_NAME);
    }
  }

  private void list(SecureDirectoryStream<Path> folder) throws IOException {
    try {
      for (Path each : folder) {
        Path name = each.getFileName();
        if (scan.isOver()) {
          scan.leave(Reason.TIME, place.path());
          cut = true;
        }
        if (!cut && name != null) consider(folder, name, name.toString());
        if (cut) return;
      }
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
  }

  /** Names that do not come from the disk are checked before the disk is asked for them. */
  private void consider(SecureDirectoryStream<Path> folder, String name) {
    try {
      Path path = Path.of(name);
      if (!isOdd(path, name, false)) consider(folder, path, name);
    } catch (InvalidPathException odd) {
      leave(Reason.ODD_NAME, name);
    }
  }

  private void consider(SecureDirectoryStream<Path> folder, Path name, String text) {
    if (isOthers(text)) return;
    try {
      BasicFileAttributes is = Scan.stat(folder, name);
      if (is.isDirectory()) considerFolder(name, text);
      else if (is.isRegularFile()) considerFile(name, text, is);
    } catch (NoSuchFileException gone) {
      // Listed a moment ago, or known from before: it is no more.
    } catch (IOException unreadable) {
      leave(Reason.UNREADABLE, text);
      Entry file = knownFiles.remove(text);
      if (file != null) keep(file);
      Folder below = knownFolders.remove(text);
      if (below != null) untouched.add(below);
    }
  }

  /** A folder that is not known in full is listed again each time, to be told each time. */
  private void leave(Reason reason, String name) {
    scan.leave(reason, place.below(name));
    incomplete = true;
  }

  private void keep(Entry file) {
    files.add(file);
    settled.add(file.path());
  }

  private static boolean isOthers(String name) {
    if (PLAIN.matcher(name).matches()) return false;
    return RepoPath.isOthers(name) || SafeFiles.isTemp(name);
  }

  private void considerFolder(Path name, String text) {
    String path = place.below(text);
    boolean hidden = isHidden(path, true);
    if (hidden && !around.tracked().hasBelow(path)) return;
    if (depth + 2 > depthMax()) {
      leave(Reason.TOO_DEEP, text);
      return;
    }
    if (isOdd(name, text, true)) {
      leave(Reason.ODD_NAME, text);
      return;
    }
    Folder before = knownFolders.remove(text);
    if (before == null && !scan.takeFolder()) {
      leave(Reason.TOO_MANY, text);
      cut = true;
      return;
    }
    Scan.Wanted wanted = only == null ? null : only.names().get(text);
    boolean whole = wanted == null || wanted.names().isEmpty();
    folders.add(new Below(place.folder(text, hidden), before, whole ? null : wanted));
  }

  private void considerFile(Path name, String text, BasicFileAttributes is) {
    String path = place.below(text);
    if (isHidden(path, false) && !around.tracked().contains(path)) return;
    if (depth + 1 > depthMax()) {
      leave(Reason.TOO_DEEP, text);
      return;
    }
    if (isOdd(name, text, false)) {
      leave(Reason.ODD_NAME, text);
      return;
    }
    if (scan.isNever(path, is)) return;
    Entry before = knownFiles.remove(text);
    if (before == null && !scan.takeFile()) {
      leave(Reason.TOO_MANY, text);
      cut = true;
      return;
    }
    scan.countLooked(1);
    if (before == null) {
      files.add(Entry.unhashed(path, place.file().resolve(name), Stamp.of(is)));
    } else if (scan.isCurrent(before, is)) {
      keep(before.with(Stamp.of(is)));
    } else {
      files.add(before);
    }
  }

  private int depthMax() {
    return Math.min(scan.depthMax(), RepoPath.DEPTH_MAX);
  }

  private boolean isHidden(String path, boolean isFolder) {
    boolean hidden = place.hidden() || (rules != null && rules.hide(path, isFolder));
    hides |= hidden;
    return hidden;
  }

  /** Whether the name is no text, or none that a path of the workspace may hold. */
  private boolean isOdd(Path name, String text, boolean isFolder) {
    String path = place.below(text);
    if (PLAIN.matcher(text).matches() && path.length() < RepoPath.PATH_CHARS_MAX) return false;
    try {
      new RepoPath(isFolder ? path + "/x" : path);
      return !Path.of(text).equals(name);
    } catch (Refusal | InvalidPathException odd) {
      return true;
    }
  }

  /** All files of the folder, sorted; as known before, or as seen now if they are new. */
  List<Entry> files() {
    return files;
  }

  /** Which of the files must be looked at more closely. */
  List<Integer> differing() {
    List<Integer> differing = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!settled.contains(files.get(i).path())) differing.add(i);
    }
    return differing;
  }

  List<Below> folders() {
    return folders;
  }

  /** Known folders that were not asked for, or could not be. */
  List<Folder> untouchedFolders() {
    return untouched;
  }

  /** What holds for the folders in this one. */
  Around inner() {
    return rules == around.rules() ? around : new Around(rules, around.tracked());
  }
}
