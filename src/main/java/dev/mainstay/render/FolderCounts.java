package dev.mainstay.render;

import dev.mainstay.domain.RepoState.FileMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many files lie in which folders, counted in one pass for every depth that may be shown. A
 * file that lies less deep counts for the folder it is in.
 */
final class FolderCounts {
  static final int DEPTH_MAX = 8;

  /** More lines never fit a snapshot, so a depth with more folders need not be counted out. */
  static final int FOLDERS_MAX = 40;

  private static final Comparator<Group> MOST_POPULOUS_FIRST =
      Comparator.comparingInt(Group::files).reversed().thenComparing(Group::name);

  private final List<Map<String, int[]>> levels = new ArrayList<>(); // counts by folder, each depth

  private record Group(String name, int files) {}

  /** The lines that are shown, the files they stand for, and what is not among them. */
  record Summary(List<SnapshotLine> lines, int files, int foldersLeftOut, int filesLeftOut) {
    int tokens() {
      return SnapshotLine.tokens(lines);
    }
  }

  /** The files are sorted by path, so those of one folder mostly follow each other. */
  FolderCounts(List<FileMeta> files) {
    for (int depth = 0; depth < DEPTH_MAX; depth++) levels.add(new HashMap<>());
    for (int i = 0; i < files.size(); ) {
      String path = files.get(i).path();
      int end = 0;
      int depth = 0;
      for (int next = folderEnd(path, 0); depth < levels.size() && next > end; depth++) {
        end = next;
        next = folderEnd(path, end);
      }
      boolean deepest = depth == levels.size();
      int run = 1;
      while (i + run < files.size() && isIn(path, end, deepest, files.get(i + run).path())) run++;
      add(path, run);
      i += run;
    }
  }

  private static boolean isIn(String path, int end, boolean deepest, String other) {
    return other.regionMatches(0, path, 0, end) && (deepest || other.indexOf('/', end) < 0);
  }

  private void add(String path, int files) {
    int end = 0;
    for (int depth = 0; depth < levels.size(); depth++) {
      end = folderEnd(path, end);
      Map<String, int[]> level = levels.get(depth);
      level.computeIfAbsent(path.substring(0, end), any -> new int[1])[0] += files;
      // What lies deeper has at least as many folders. The first depth stays, whatever its size.
      if (depth > 0 && level.size() > FOLDERS_MAX) levels.subList(depth, levels.size()).clear();
    }
  }

  private static int folderEnd(String path, int from) {
    int slash = path.indexOf('/', from);
    return slash < 0 ? from : slash + 1;
  }

  /** All but the listed files, as deep as there is room; the most populous folders first. */
  Summary summary(Collection<FileMeta> listed, int room) {
    for (int depth = levels.size() - 1; depth > 0; depth--) {
      Summary summary = at(depth, listed, room);
      if (summary.foldersLeftOut() == 0) return summary;
    }
    return at(0, listed, room);
  }

  private Summary at(int depth, Collection<FileMeta> listed, int room) {
    List<Group> groups = groups(depth, listed);
    List<SnapshotLine> lines = new ArrayList<>();
    int files = 0;
    int tokens = 0;
    for (Group group : Top.of(groups, MOST_POPULOUS_FIRST, FOLDERS_MAX)) {
      SnapshotLine line = SnapshotLine.folder(group.name(), group.files());
      tokens += line.tokens();
      if (tokens > room) break;
      lines.add(line);
      files += group.files();
    }
    int all = groups.stream().mapToInt(Group::files).sum();
    return new Summary(lines, files, groups.size() - lines.size(), all - files);
  }

  private List<Group> groups(int depth, Collection<FileMeta> listed) {
    Map<String, Integer> elsewhere = new HashMap<>();
    for (FileMeta file : listed) {
      int end = 0;
      for (int i = 0; i <= depth; i++) end = folderEnd(file.path(), end);
      elsewhere.merge(file.path().substring(0, end), 1, Integer::sum);
    }
    List<Group> groups = new ArrayList<>();
    levels
        .get(depth)
        .forEach(
            (name, count) -> {
              int files = count[0] - elsewhere.getOrDefault(name, 0);
              if (files > 0) groups.add(new Group(name, files));
            });
    return groups;
  }
}
