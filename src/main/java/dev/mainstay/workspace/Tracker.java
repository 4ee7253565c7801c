package dev.mainstay.workspace;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Observation;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.ScannedFile;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.ToolCatalogue;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.TrackedFile;
import dev.mainstay.domain.Workspace;
import dev.mainstay.render.RepoStateText;
import dev.mainstay.render.Tokens;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
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
 * What is in a workspace and what remains to be done there, kept in step with the disk: tools that
 * were seen at work, a look at the files they touched, a scan of everything. The store holds the
 * truth; {@code repostate.json} is a view of it. One caller at a time.
 */
public final class Tracker {
  /** So many things seen are looked at together. */
  private static final int OBSERVATIONS_AT_ONCE = 500;

  /** A snapshot whose files change faster than they can be looked at is shown all the same. */
  private static final int LOOKS_MAX = 3;

  private static final int TOUCHED_MAX = 1_000;

  private final Site site;
  private @Nullable FileIndex index;
  private long indexed = -1;

  /** The rows that were last brought to what the disk holds. */
  private List<FileBook.Change> lastChanges = List.of();

  private final FileBook book = new FileBook();
  private final View view;
  private final SnapshotLog log;

  private Tracker(Site site) {
    this.site = site;
    this.view = new View(site);
    this.log = new SnapshotLog(site.folder());
  }

  /** Opens the folder as a workspace; what is known of its files is read when it is needed. */
  public static Tracker open(Store store, Path folder) {
    return new Tracker(Site.at(store, folder));
  }

  /** The files as they are on the disk, beginning with what an earlier process knew of them. */
  synchronized FileIndex index() {
    FileIndex known = index;
    if (known != null) return known;
    indexed =
        store()
            .reading(
                tx -> {
                  Workspace now = workspace(tx);
                  book.load(tx, now);
                  return now.files().version();
                });
    List<ScannedFile> files = new ArrayList<>();
    for (TrackedFile file : book.files()) if (file.toMeta().isThere()) files.add(file.seen());
    known = new FileIndex(site.tree(), ScanLimits.DEFAULT, store().ownFiles());
    known.load(files);
    index = known;
    return known;
  }

  /** Whether a workspace is on this host, so that its files can be looked at. */
  public static boolean isHere(Workspace workspace) {
    return workspace.place().host().equals(Host.current());
  }

  /** The folders that have files of the workspace, and those above them. */
  synchronized Set<Path> folders() {
    Path root = site.tree().root();
    Set<Path> folders = new HashSet<>(Set.of(root));
    for (ScannedFile file : index().files()) {
      Path at = root.resolve(file.path()).getParent();
      while (at != null && folders.add(at)) at = at.getParent();
    }
    folders.removeIf(folder -> !folder.startsWith(root));
    return folders;
  }

  Site site() {
    return site;
  }

  private Store store() {
    return site.store();
  }

  private Workspace workspace(Tx tx) {
    return tx.workspaces().find(site.id()).orElseThrow(() -> new IllegalStateException(site.id()));
  }

  public Workspace workspace() {
    return site.load();
  }

  /** What a look at the files found: how many are new, changed and gone, and what was left out. */
  public record Looked(int added, int changed, int gone, String leftOut, long filesHashed) {
    static Looked of(ScanResult result) {
      return new Looked(
          result.added().size(),
          result.changed().size(),
          result.gone().size(),
          result.leftOut().sentence(),
          result.work().filesHashed());
    }

    /** This and a later look. */
    Looked and(Looked later) {
      return new Looked(
          added + later.added,
          changed + later.changed,
          gone + later.gone,
          later.leftOut,
          filesHashed + later.filesHashed);
    }

    public boolean foundNothing() {
      return added + changed + gone == 0;
    }
  }

  /** Looks at the whole workspace, after what tools were seen to do. */
  public synchronized Looked scan() {
    drain();
    ScanResult result = index().refresh();
    boolean same = result.isNothing() && result.work().filesHashed() == 0;
    Workspace.Files known = site.load().files();
    boolean fits = known.version() > 0 && known.treeHash().equals(index().treeHash());
    if (same && fits) writeView();
    else follow(List.of());
    return Looked.of(result);
  }

  /** A story begins with what is there; until that was seen, nothing can be said to be new. */
  synchronized void scanIfNew() {
    if (isNew()) scan();
  }

  private boolean isNew() {
    return site.load().files().version() == 0;
  }

  /** One difference between what was known and what the disk holds. */
  public record Difference(String path, @Nullable String known, @Nullable String onDisk) {
    static Difference of(FileBook.Change change) {
      return new Difference(change.path(), change.hashBefore(), change.hashAfter());
    }

    public JsonObject toJson() {
      return JsonObject.of("path", path, "known", known, "on_disk", onDisk);
    }
  }

  /** All differences; afterwards there are none. */
  public record Verified(int files, List<Difference> differences, String leftOut) {}

  /** Compares all contents with what is known, whatever sizes and times say. */
  public synchronized Verified verify() {
    recover();
    drain();
    ScanResult result = index().verify();
    follow(List.of());
    List<Difference> differences =
        lastChanges.stream().filter(FileBook.Change::isOfContent).map(Difference::of).toList();
    return new Verified(index().files().size(), differences, result.leftOut().sentence());
  }

  /** Settles writes whose writer died, and says how many there were. */
  public synchronized int recover() {
    return new FileWrites(this).recoverAll();
  }

  /**
   * A tool ran: notes what its result means, quickly and durably. The disk is looked at later, by
   * {@link #drain}. Without a task it is the story's, if the story is one. False when it means
   * nothing here.
   */
  public boolean queue(String tool, JsonObject result, @Nullable TaskId task, Call call) {
    ToolMeaning meaning = ToolCatalogue.read(tool, result);
    if (meaning.effect() == ToolMeaning.Effect.NOTHING) return false;
    Instant seenAt = Instant.now(); // as the files' times: by this host's clock
    JsonObject kept = Redactor.DEFAULT.redactObject(meaning.toJson());
    JsonObject asked = JsonObject.of("workspace", site.id(), "meaning", kept, "task", task);
    return store()
        .inTransaction(
            Once.of(call, "repo.observe", asked, done -> JsonObject.EMPTY, json -> true),
            tx -> {
              TaskId of = task == null ? workspace(tx).story().task().orElse(null) : task;
              if (of != null && tx.tasks().find(of).isEmpty()) of = null;
              tx.observations().queue(site.id(), new Observation(0, of, call, kept, seenAt));
              return true;
            });
  }

  /** A tool ran: the state is brought after its result at once. */
  public synchronized Looked updateFromToolResult(
      String tool, JsonObject result, @Nullable TaskId task, Call call) {
    queue(tool, result, task, call);
    return drain();
  }

  /** Looks at what tools were seen to do, in the order in which it was seen. */
  public synchronized Looked drain() {
    Looked total = new Looked(0, 0, 0, "", 0);
    while (true) {
      List<Observation> seen =
          store().reading(tx -> tx.observations().waiting(site.id(), OBSERVATIONS_AT_ONCE));
      if (seen.isEmpty()) return total;
      Attribution attribution = new Attribution(site.tree().root(), seen);
      ScanResult result =
          attribution.needsDisk() || isNew()
              ? index().refresh()
              : index().look(attribution.paths());
      follow(seen);
      total = Looked.of(result);
    }
  }

  private void follow(List<Observation> seen) {
    follow(seen, Once.unkeyed(), tx -> true);
    writeView();
  }

  /**
   * Brings the store to what the index holds, takes these out of the queue, and does something else
   * in the same transaction.
   */
  <T> T follow(List<Observation> seen, Once<T> once, Function<Tx, T> also) {
    return site.alone(() -> followAlone(seen, once, also));
  }

  private <T> T followAlone(List<Observation> seen, Once<T> once, Function<Tx, T> also) {
    catchUp();
    var disk = index().files();
    String tree = index().treeHash();
    var followed = new Followed[] {new Followed(List.of(), -1, -1)};
    T answer =
        store()
            .inTransaction(
                once,
                tx -> {
                  Workspace before = tx.workspaces().lock(site.id());
                  book.load(tx, before);
                  followed[0] = followed(tx, before, new Disk(disk, tree), seen);
                  return also.apply(tx);
                });
    Followed done = followed[0];
    lastChanges = done.changes();
    book.wrote(done.changes(), done.before(), done.after());
    if (indexed == done.before()) indexed = done.after();
    return answer;
  }

  /**
   * Somebody else may have noted what this index has not seen; without another look it would be
   * taken for gone.
   */
  private void catchUp() {
    index();
    long now = site.load().files().version();
    if (now == indexed) return;
    index().refresh();
    indexed = now;
  }

  private Followed followed(Tx tx, Workspace before, Disk disk, List<Observation> seen) {
    long version = before.files().version();
    List<FileBook.Change> changes = book.against(disk.files(), version == 0);
    List<Observation> mine = seen.stream().filter(tx.observations()::take).toList();
    FileBook.write(tx, site.id(), changes);
    if (!mine.isEmpty()) new Findings(site, mine).record(tx, before, changes, disk.tree());
    boolean sameTree = disk.tree().equals(before.files().treeHash());
    boolean moved = version == 0 || !changes.isEmpty() || !sameTree;
    return new Followed(
        changes, version, moved ? tx.workspaces().setTree(site.id(), disk.tree()) : version);
  }

  /** All files as they are on the disk, and the hash that stands for them. */
  record Disk(Collection<ScannedFile> files, String tree) {}

  private record Followed(List<FileBook.Change> changes, long before, long after) {}

  /** What is there and what remains, as it was last seen; the disk is not asked. */
  public RepoState state() {
    return read().state();
  }

  /** The state together with the version of the workspace it is of. */
  private synchronized View.Read read() {
    return store()
        .reading(
            tx -> {
              Workspace now = workspace(tx);
              book.load(tx, now);
              return new View.Read(now, RepoStates.of(tx, now, book.files()));
            });
  }

  /** A state as an agent is shown it, the files first that its task touched. */
  public record Snapshot(RepoState state, List<String> touched, RepoStateText rendered) {
    public String text() {
      return rendered.text();
    }
  }

  /**
   * What an agent is shown at the beginning of a turn: what tools did is looked at first, and the
   * contents of the files that are shown are compared with the disk. Each snapshot is logged.
   */
  public synchronized Snapshot snapshot() {
    scanIfNew();
    drain();
    Snapshot snapshot = render();
    for (int looks = 0; looks < LOOKS_MAX && !isTrue(snapshot); looks++) {
      index().refresh();
      follow(List.of());
      snapshot = render();
    }
    writeView();
    log.append(
        JsonObject.of("at", Times.write(Instant.now()), "story", snapshot.state().storyId())
            .with("files", snapshot.state().present().size())
            .with("open_tasks", snapshot.state().openTasks().size())
            .with("tokens", Tokens.O200K.count(snapshot.text()))
            .with("snapshot", snapshot.text()));
    return snapshot;
  }

  private Snapshot render() {
    RepoState state = state();
    Optional<TaskId> task = workspace().story().task();
    List<String> touched =
        store()
            .reading(
                tx ->
                    task.stream()
                        .flatMap(id -> tx.touches().of(site.id(), id, TOUCHED_MAX).stream())
                        .map(Touch::path)
                        .toList());
    return new Snapshot(state, touched, RepoStateText.of(state, touched));
  }

  /** Whether the files that are shown have the content that is shown. */
  private boolean isTrue(Snapshot snapshot) {
    List<RepoPath> shown = snapshot.rendered().listed().stream().map(RepoPath::new).toList();
    return index().check(shown).isNothing();
  }

  /** Makes repostate.json say what the store says. */
  void writeView() {
    view.write(this::read);
  }

  /** Another story begins here: what became of files is counted from now. The same one goes on. */
  public synchronized void beginStory(String story, Call call) {
    scan();
    new Stories(site).begin(story, book, call);
    writeView();
  }

  /** What a model or a person says remains to be done; the list before is replaced. */
  public synchronized void setTasks(List<OpenTask> tasks, Call call) {
    scanIfNew(); // or what is there already would count as made in the story
    new Stories(site).setTasks(tasks, call);
    writeView();
  }
}
