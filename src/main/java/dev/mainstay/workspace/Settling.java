package dev.mainstay.workspace;

import dev.mainstay.workspace.Visit.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts together what the visits of a scan found, and how it differs from what was known. */
final class Settling {
  private static final Comparator<Folder> BY_PATH = Comparator.comparing(f -> f.place().path());
  private final List<Entry> added = new ArrayList<>();
  private final List<Entry> changed = new ArrayList<>();
  private final List<Entry> gone = new ArrayList<>();

  /** The folder as it is known from now on; null when there is none. */
  @Nullable Folder settle(Visit visit) {
    Folder known = visit.known();
    Folder before = known == null ? Folder.empty(visit.place()) : known;
    Outcome outcome = visit.outcome();
    if (outcome instanceof Outcome.Found found) return settle(visit, before, found);
    if (outcome instanceof Outcome.Gone) {
      gone.addAll(before.allFiles());
      return null;
    }
    return before.unlisted(); // it was not looked at: what was known stands, and it has a next time
  }

  private Folder settle(Visit visit, Folder before, Outcome.Found found) {
    List<Entry> files = new ArrayList<>(found.files().length());
    for (int i = 0; i < found.files().length(); i++) {
      Entry file = found.files().get(i);
      if (file != null) files.add(file);
    }
    boolean same = compare(before.files(), files);
    List<Folder> folders = new ArrayList<>(found.untouched());
    for (Visit below : found.visits()) {
      Folder folder = settle(below);
      if (folder != null) folders.add(folder);
    }
    if (!found.untouched().isEmpty()) folders.sort(BY_PATH);
    same &= compareFolders(before.folders(), folders);
    if (same && before.listing() == found.listing() && before.place().equals(visit.place())) {
      return before;
    }
    return new Folder(visit.place(), found.listing(), List.copyOf(files), List.copyOf(folders));
  }

  /** Both are sorted by path. Says whether every single one is the same object. */
  private boolean compare(List<Entry> before, List<Entry> now) {
    boolean same = before.size() == now.size();
    int b = 0;
    int n = 0;
    while (b < before.size() || n < now.size()) {
      int order =
          b == before.size() ? 1 : n == now.size() ? -1 : compare(before.get(b), now.get(n));
      if (order < 0) gone.add(before.get(b++));
      else if (order > 0) added.add(now.get(n++));
      else same &= compareOne(before.get(b++), now.get(n++));
    }
    return same;
  }

  private static int compare(Entry one, Entry other) {
    return one == other ? 0 : one.path().compareTo(other.path());
  }

  private boolean compareOne(Entry before, Entry now) {
    if (before == now) return true;
    if (!before.hasContentOf(now)) changed.add(now);
    return false;
  }

  /** What is below a folder that is no more is gone with it. */
  private boolean compareFolders(List<Folder> before, List<Folder> now) {
    boolean same = before.size() == now.size();
    for (int i = 0; same && i < now.size(); i++) same = before.get(i) == now.get(i);
    if (same) return true;
    Set<String> there = new HashSet<>();
    for (Folder folder : now) there.add(folder.place().path());
    for (Folder folder : before) {
      if (!there.contains(folder.place().path())) gone.addAll(folder.allFiles());
    }
    return false;
  }

  List<Entry> added() {
    return sorted(added);
  }

  List<Entry> changed() {
    return sorted(changed);
  }

  List<Entry> gone() {
    return sorted(gone);
  }

  private static List<Entry> sorted(List<Entry> files) {
    files.sort(Comparator.comparing(Entry::path));
    return files;
  }
}
