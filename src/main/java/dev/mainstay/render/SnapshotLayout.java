package dev.mainstay.render;

import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.FileStatus;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Times;
import dev.mainstay.render.RepoStateText.LeftOut;
import dev.mainstay.render.SnapshotLine.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses what of one workspace is shown and lays it out. Files and open tasks have a fixed share
 * of the room each, and what one of them does not need goes to the other.
 */
final class SnapshotLayout {
  static final int TASKS_SHARE_PERCENT = 40;
  static final int FOLDERS_SHARE_PERCENT = 40;
  static final int DELETED_TOKENS_MAX = 60;

  /** The shortest lines are a dozen tokens, so more of them never fit. */
  private static final int LISTED_MAX = 48;

  private static final int DELETED_LISTED_MAX = 16;
  private static final int TOKENS_STEP = 8;

  private static final Comparator<Listed> BY_PATH =
      Comparator.comparing((Listed each) -> each.file().path(), String.CASE_INSENSITIVE_ORDER)
          .thenComparing(each -> each.file().path());

  private final String top;
  private final String lastUpdated;
  private final List<FileMeta> present = new ArrayList<>();
  private final List<OpenTask> open;
  private final Deleted deleted;
  private final List<Listed> fileLines = new ArrayList<>(); // the most relevant first
  private final List<SnapshotLine> taskLines = new ArrayList<>();
  private @Nullable FolderCounts folders;
  private int headShortened;

  /** Touched files before changed ones before the rest. */
  private record Ranked(FileMeta file, int rank) implements Comparable<Ranked> {
    static Ranked of(FileMeta file, Set<String> touched) {
      if (touched.contains(file.path())) return new Ranked(file, 0);
      return new Ranked(file, file.status() == FileStatus.UNCHANGED ? 2 : 1);
    }

    // By hand: a chain of comparators takes several times as long, and there are many files.
    @Override
    public int compareTo(Ranked other) {
      if (rank != other.rank) return Integer.compare(rank, other.rank);
      int newestFirst = other.file.modTime().compareTo(file.modTime());
      return newestFirst != 0 ? newestFirst : file.path().compareTo(other.file.path());
    }
  }

  private record Listed(FileMeta file, SnapshotLine line) {}

  private record Deleted(String line, int leftOut, int shortened) {}

  /** What goes into the two lists. */
  private record Chosen(
      List<Listed> listed, FolderCounts.@Nullable Summary summary, List<SnapshotLine> tasks) {}

  SnapshotLayout(RepoState state, Collection<String> touched) {
    Set<String> first = Set.copyOf(touched);
    List<Ranked> there = new ArrayList<>(state.files().size());
    List<Ranked> gone = new ArrayList<>();
    for (FileMeta file : state.files()) {
      (file.isThere() ? there : gone).add(Ranked.of(file, first));
      if (file.isThere()) present.add(file);
    }
    open = state.openTasks().stream().filter(OpenTask::isOpen).toList();
    String place = "Workspace: " + head(state.workDir());
    String storyId = state.storyId();
    String story = storyId == null ? "" : "Story: " + head(storyId);
    top = "--- Repository State ---\n" + place + story;
    String time = Times.write(state.lastUpdated());
    int t = time.indexOf('T');
    lastUpdated = "\nLast updated: " + time.substring(0, t) + " " + time.substring(t + 1, t + 9);
    deleted = deleted(gone);
    readFiles(Top.of(there, Comparator.<Ranked>naturalOrder(), LISTED_MAX));
    readTasks();
  }

  private String head(String given) {
    Words words = Words.of(given, SnapshotLine.NAME_TOKENS_MAX);
    if (words.shortened()) headShortened++;
    return words.text() + "\n";
  }

  /** No more lines are made than could ever fit. */
  private void readFiles(List<Ranked> ranked) {
    int tokens = 0;
    for (Ranked each : ranked) {
      if (tokens >= RepoStateText.SNAPSHOT_TOKENS_MAX) break;
      SnapshotLine line = SnapshotLine.file(each.file());
      fileLines.add(new Listed(each.file(), line));
      tokens += line.tokens();
    }
  }

  private void readTasks() {
    int tokens = 0;
    for (OpenTask task : open) {
      if (tokens >= RepoStateText.SNAPSHOT_TOKENS_MAX) break;
      SnapshotLine line = SnapshotLine.task(taskLines.size() + 1, task);
      taskLines.add(line);
      tokens += line.tokens();
    }
  }

  private static Deleted deleted(List<Ranked> gone) {
    if (gone.isEmpty()) return new Deleted("", 0, 0);
    String heading = "Deleted (" + number(gone.size()) + "): ";
    List<Words> named = new ArrayList<>();
    int tokens = 0;
    for (Ranked each : Top.of(gone, Comparator.<Ranked>naturalOrder(), DELETED_LISTED_MAX)) {
      Words words = Words.of(each.file().path(), SnapshotLine.NAME_TOKENS_MAX);
      tokens += Tokens.O200K.count(words.text() + ", ");
      if (tokens > DELETED_TOKENS_MAX) break;
      named.add(words);
    }
    int leftOut = gone.size() - named.size();
    String names = named.stream().map(Words::text).collect(Collectors.joining(", "));
    String more = leftOut == 0 ? "" : " and " + NotebookText.count(leftOut, "more", "more");
    int shortened = (int) named.stream().filter(Words::shortened).count();
    return new Deleted(heading + names + more + "\n", leftOut, shortened);
  }

  RepoStateText render() {
    if (fileLines.size() == present.size() && taskLines.size() == open.size()) {
      RepoStateText whole = text(new Chosen(byPath(fileLines), null, taskLines));
      if (fits(whole)) return whole;
    }
    // Costs of lines add up, so the first try fits; should a tokenizer join two of them in a way
    // nobody foresaw, the promise must hold even then.
    int room = RepoStateText.SNAPSHOT_TOKENS_MAX - 1;
    RepoStateText text = text(choose(room));
    while (!fits(text) && room > 0) {
      room -= TOKENS_STEP;
      text = text(choose(room));
    }
    return text;
  }

  private static boolean fits(RepoStateText rendered) {
    return Tokens.O200K.count(rendered.text()) < RepoStateText.SNAPSHOT_TOKENS_MAX;
  }

  private Chosen choose(int room) {
    int most = present.size();
    var leftOut = new LeftOut(most, most, open.size(), deleted.leftOut(), LISTED_MAX);
    int free = room - Tokens.O200K.count(layOut(List.of(), List.of(), leftOut));
    int filesNeed = filesNeed();
    int taskRoom = Math.max(free * TASKS_SHARE_PERCENT / 100, free - filesNeed);
    List<SnapshotLine> tasks = taskLines.subList(0, fitting(taskLines, taskRoom));
    int fileRoom = free - SnapshotLine.tokens(tasks);
    if (filesNeed <= fileRoom) return new Chosen(byPath(fileLines), null, tasks);

    FolderCounts counts = folders();
    var before = counts.summary(List.of(), fileRoom * FOLDERS_SHARE_PERCENT / 100);
    int listedRoom = fileRoom - before.tokens();
    List<SnapshotLine> lines = fileLines.stream().map(Listed::line).toList();
    List<Listed> listed = fileLines.subList(0, fitting(lines, listedRoom));
    var after = counts.summary(listed.stream().map(Listed::file).toList(), before.tokens());
    return new Chosen(listed, after, tasks);
  }

  /** What listing every file takes, or more than there is. */
  private int filesNeed() {
    if (fileLines.size() < present.size()) return RepoStateText.SNAPSHOT_TOKENS_MAX;
    return fileLines.stream().mapToInt(each -> each.line().tokens()).sum();
  }

  private FolderCounts folders() {
    if (folders == null) folders = new FolderCounts(present);
    return folders;
  }

  /** How many of the first lines fit; none is passed over for a later one. */
  private static int fitting(List<SnapshotLine> lines, int room) {
    int tokens = 0;
    for (int i = 0; i < lines.size(); i++) {
      tokens += lines.get(i).tokens();
      if (tokens > room) return i;
    }
    return lines.size();
  }

  private static List<Listed> byPath(List<Listed> listed) {
    return listed.stream().sorted(BY_PATH).toList();
  }

  private RepoStateText text(Chosen chosen) {
    var summary = chosen.summary();
    List<SnapshotLine> files = new ArrayList<>(chosen.listed().stream().map(Listed::line).toList());
    if (summary != null) files.addAll(summary.lines());
    long shortened =
        files.stream().filter(SnapshotLine::shortened).count()
            + chosen.tasks().stream().filter(SnapshotLine::shortened).count()
            + headShortened
            + deleted.shortened();
    var leftOut =
        new LeftOut(
            summary == null ? 0 : summary.filesLeftOut(),
            summary == null ? 0 : summary.foldersLeftOut(),
            open.size() - chosen.tasks().size(),
            deleted.leftOut(),
            (int) shortened);
    return new RepoStateText(
        layOut(files, chosen.tasks(), leftOut),
        chosen.listed().stream().map(each -> each.file().path()).toList(),
        chosen.listed().stream()
            .filter(each -> SnapshotLine.hash(each.file()) != null)
            .map(each -> each.file().path())
            .toList(),
        summary == null ? 0 : summary.files(),
        leftOut);
  }

  private String layOut(List<SnapshotLine> files, List<SnapshotLine> tasks, LeftOut leftOut) {
    return top
        + "\nExisting Files ("
        + number(present.size())
        + "):\n"
        + lines(files, present.isEmpty())
        + deleted.line()
        + "\nOpen Tasks ("
        + number(open.size())
        + "):\n"
        + lines(tasks, open.isEmpty())
        + lastUpdated
        + " UTC"
        + lastLine(leftOut);
  }

  private static String lines(List<SnapshotLine> lines, boolean none) {
    if (none) return "  none\n";
    return lines.stream().map(SnapshotLine::text).collect(Collectors.joining());
  }

  private static String number(int count) {
    return NotebookText.count(count, "", "").strip();
  }

  private static String lastLine(LeftOut leftOut) {
    if (leftOut.isNothing()) return "";
    List<String> missing = new ArrayList<>();
    if (leftOut.files() > 0) {
      missing.add(
          NotebookText.count(leftOut.files(), "file", "files")
              + " in "
              + NotebookText.count(leftOut.folders(), "folder", "folders"));
    }
    if (leftOut.openTasks() > 0) {
      missing.add(NotebookText.count(leftOut.openTasks(), "open task", "open tasks"));
    }
    if (leftOut.deleted() > 0) {
      missing.add(NotebookText.count(leftOut.deleted(), "deleted file", "deleted files"));
    }
    if (leftOut.shortened() > 0) {
      missing.add("parts of " + NotebookText.count(leftOut.shortened(), "entry", "entries"));
    }
    String all = String.join(", ", missing);
    return "\n[left out: " + all + "; to see all: " + RepoStateText.COMMAND + "]";
  }
}
