package dev.mainstay.workspace;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Observation;
import dev.mainstay.domain.PromptSize;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.ScannedFile;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.ToolCatalogue;
import dev.mainstay.domain.ToolMeaning;
import dev.mainstay.domain.Touch;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Story;
import dev.mainstay.domain.WorkspaceEvent;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.RepoStateText;
import dev.mainstay.render.Tokens;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.Tx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is in a workspace and what remains to be done there, kept in step with the disk: tools that
 * were seen at work, a look at the files they touched, a scan of everything. The store holds the
 * truth; {@code repostate.json} is a view of it. One caller at a time, the others wait: first for
 * the tracker, then for the workspace's lock, then for the store.
 */
public final class Tracker {
  /** So many things seen are looked at together. */
  private static final int OBSERVATIONS_AT_ONCE = 500;

  /** A snapshot whose files change faster than they can be looked at is shown all the same. */
  private static final int LOOKS_MAX = 3;

  private static final int TOUCHED_MAX = 1_000;

  /** More lines of files than these never fit into a snapshot. */
  private static final int WRITES_MAX = 100;

  private final Site site;
  private final Ledger ledger;
  private final View view;
  private final SnapshotLog log;

  private Tracker(Site site) {
    this.site = site;
    this.ledger = new Ledger(site);
    this.view = new View(site);
    this.log = new SnapshotLog(site.folder());
  }

  /** Opens the folder as a workspace; what is known of its files is read when it is needed. */
  public static Tracker open(Store store, Path folder) {
    return new Tracker(Site.at(store, folder));
  }

  /**
   * The same; where the store does not know the workspace, story and open tasks are taken over from
   * the {@code repostate.json} of a lost store, if the {@code .mainstay} folder that holds it is
   * trusted. Such a file in a worktree can have come with a branch.
   */
  public static Tracker open(Store store, Path folder, Predicate<Path> isTrusted) {
    return new Tracker(Site.at(store, folder, isTrusted));
  }

  /** Whether a workspace is on this host, so that its files can be looked at. */
  public static boolean isHere(Workspace workspace) {
    return workspace.place().host().equals(Host.current());
  }

  /** The folders of the workspace, as of the last look. */
  synchronized Set<Path> folders() {
    return ledger.index().folders();
  }

  Ledger ledger() {
    return ledger;
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
    static final Looked NOTHING = new Looked(0, 0, 0, "", 0);

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
    Looked drained = drain();
    Looked looked =
        site.alone(
            () -> {
              ScanResult result = ledger.refresh();
              if (!ledger.isInStep()) follow(Attribution.NONE);
              return Looked.of(result);
            });
    writeView();
    return drained.and(looked);
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
    public JsonObject toJson() {
      return JsonObject.of("path", path, "known", known, "on_disk", onDisk);
    }
  }

  /** All differences; afterwards there are none. */
  public record Verified(int files, List<Difference> differences, String leftOut) {}

  /** Compares all contents with what is known, whatever sizes and times say. */
  public synchronized Verified verify() {
    recover();
    Verified verified =
        site.alone(
            () -> {
              // What tools did and nobody has looked at yet is a difference, too.
              Attribution seen = new Attribution(site.tree().root(), waiting());
              ScanResult result = ledger.verify();
              List<Difference> differences = differences(result);
              follow(seen);
              int files = ledger.index().files().size();
              return new Verified(files, differences, result.leftOut().sentence());
            });
    writeView();
    return verified;
  }

  private List<Difference> differences(ScanResult result) {
    List<Difference> differences = new ArrayList<>();
    for (ScannedFile file : result.added()) {
      differences.add(new Difference(file.path(), null, file.hash()));
    }
    for (ScannedFile file : result.changed()) {
      String known = ledger.find(file.path()).map(before -> before.seen().hash()).orElse(null);
      differences.add(new Difference(file.path(), known, file.hash()));
    }
    for (ScannedFile file : result.gone()) {
      differences.add(new Difference(file.path(), file.hash(), null));
    }
    return differences;
  }

  /** Settles writes whose writer died, and says how many there were. */
  public synchronized int recover() {
    site.alone(view::discard);
    return new FileWrites(this).recoverAll();
  }

  /**
   * A tool ran: notes what its result means, quickly and durably. The disk is looked at later, by
   * {@link #drain}. Without a task it is the story's, if the story is one. False when it means
   * nothing here.
   */
  public boolean queue(String tool, JsonObject result, @Nullable TaskId task, Call call) {
    return queue(ToolCatalogue.read(tool, result), task, call);
  }

  /** The same for a result that was read already. */
  public boolean queue(ToolMeaning meaning, @Nullable TaskId task, Call call) {
    if (meaning.effect() == ToolMeaning.Effect.NOTHING) return false;
    Instant seenAt = Instant.now(); // as the files' times: by this host's clock
    JsonObject kept = RepoStates.redacted(meaning);
    JsonObject asked = JsonObject.of("workspace", site.id(), "meaning", kept, "task", task);
    return store()
        .inTransaction(
            Once.of(call, "repo.observe", asked, done -> JsonObject.EMPTY, json -> true),
            tx -> {
              Workspace now = workspace(tx);
              TaskId named = task == null ? now.story().task().orElse(null) : task;
              Optional<Task> of = Optional.ofNullable(named).flatMap(tx.tasks()::find);
              JsonObject noted =
                  Findings.noted(kept, now, of.map(each -> each.admits(call)).orElse(false));
              tx.observations()
                  .queue(
                      site.id(),
                      new Observation(0, of.map(Task::id).orElse(null), call, noted, seenAt));
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
    Looked total = Looked.NOTHING;
    while (true) {
      List<Observation> seen = waiting();
      if (seen.isEmpty()) return total;
      Attribution attribution = new Attribution(site.tree().root(), seen);
      ScanResult result =
          site.alone(
              () -> {
                ScanResult looked =
                    attribution.needsDisk() ? ledger.refresh() : ledger.look(attribution.paths());
                follow(attribution);
                return looked;
              });
      writeView();
      total = total.and(Looked.of(result));
    }
  }

  private List<Observation> waiting() {
    return store().reading(tx -> tx.observations().waiting(site.id(), OBSERVATIONS_AT_ONCE));
  }

  private void follow(Attribution seen) {
    ledger.follow(seen, Once.unkeyed(), tx -> true);
  }

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
              return new View.Read(now, RepoStates.of(tx, now, ledger.rows(tx, now)));
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
      site.alone(
          () -> {
            ledger.refresh();
            follow(Attribution.NONE);
            return true;
          });
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
    List<String> touched = store().reading(tx -> touched(tx, task));
    return new Snapshot(state, touched, RepoStateText.of(state, touched));
  }

  /**
   * What the story's task changed; where there is none, what any task changed or what was written
   * through Mainstay for no task, so that other files do not push it out.
   */
  private List<String> touched(Tx tx, Optional<TaskId> task) {
    List<String> own =
        task.stream()
            .flatMap(id -> tx.touches().of(site.id(), id, TOUCHED_MAX).stream())
            .map(Touch::path)
            .toList();
    if (!own.isEmpty()) return own;
    Set<String> paths = new LinkedHashSet<>(tx.touches().paths(site.id(), TOUCHED_MAX));
    for (JournalEntry entry : tx.journal().newest(Workspace.stream(site.id()), WRITES_MAX)) {
      if (!entry.content().kind().equals(WorkspaceEvent.FileWritten.KIND)) continue;
      paths.add(JsonText.object(entry.content().payload()).text("path"));
    }
    return List.copyOf(paths);
  }

  /** Notes how large a prompt about the story's task was; a story that is no task has none. */
  void promptGiven(PromptSize size, String source) {
    Optional<TaskId> task = workspace().story().task();
    if (task.isEmpty()) return;
    store()
        .inTransaction(
            Once.unkeyed(),
            tx -> {
              tx.promptsGiven().give(task.get(), size, source);
              return size;
            });
  }

  /** Whether the files that are shown have the content that is shown. */
  private boolean isTrue(Snapshot snapshot) {
    List<RepoPath> shown = snapshot.rendered().listed().stream().map(RepoPath::new).toList();
    return ledger.check(shown).isNothing();
  }

  /** Makes repostate.json say what the store says. */
  synchronized void writeView() {
    view.write(this::read);
  }

  /** Another story begins here: what became of files is counted from now. The same one goes on. */
  public synchronized void beginStory(String story, Call call) {
    Story wanted = new Story(Redactor.DEFAULT.redact(story), List.of());
    scan();
    store()
        .inTransaction(
            Once.unkeyed(),
            tx -> {
              Workspace before = tx.workspaces().lock(site.id());
              if (Objects.equals(wanted.id(), before.story().id())) return before;
              ledger.rebase(tx, before);
              tx.workspaces().setStory(site.id(), wanted);
              tx.journal()
                  .append(
                      Workspace.stream(site.id()),
                      call,
                      List.of(new WorkspaceEvent.StoryBegun(wanted.id())));
              return before;
            });
    writeView();
  }

  /** What a model or a person says remains to be done; the list before is replaced. */
  public synchronized void setTasks(List<OpenTask> tasks, Call call) {
    List<OpenTask> kept = RepoStates.redacted(tasks);
    scanIfNew();
    store()
        .inTransaction(
            Once.of(
                call,
                "repo.tasks",
                JsonObject.of("workspace", site.id(), "tasks", kept.toString()),
                done -> JsonObject.EMPTY,
                json -> true),
            tx -> {
              Workspace before = tx.workspaces().lock(site.id());
              tx.workspaces().setStory(site.id(), before.story().with(kept));
              return true;
            });
    writeView();
  }
}
