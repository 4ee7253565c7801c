package dev.mainstay.directory;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.Outcome;
import dev.mainstay.store.LockFile;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.SafeFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The folders with the five files: made, brought into step with the store both ways, read back. One
 * process at a time works on a folder; each file is replaced whole, by itself.
 */
public final class StateDirectories {
  /** Somebody may save a file while we look; then we look again, but not for ever. */
  static final int LOOKS_MAX = 8;

  private final Store store;

  public StateDirectories(Store store) {
    this.store = store;
  }

  /** What bringing a folder and the store together came to. */
  public record Report(
      StateDirectory directory,
      List<Outcome> outcomes,
      List<String> written,
      List<Finding> findings) {
    public boolean hasProblems() {
      return findings.stream().anyMatch(Finding::isProblem);
    }

    /** What followed by rules and limits, in the order in which it happened. */
    public List<String> notices() {
      return outcomes.stream().flatMap(outcome -> outcome.notices().stream()).toList();
    }

    public boolean review() {
      return outcomes.stream().anyMatch(Outcome::review);
    }

    /** Entries that the files added to the journal. */
    public int taken() {
      return outcomes.stream().mapToInt(Outcome::entries).sum();
    }
  }

  /** Whether an execution was begun, or one that was there is gone on with. */
  public record Made(Report report, boolean resumed) {}

  /**
   * Begins an execution in a folder. A folder that shows one under way is gone on with; one with
   * files that the store does not know, or of an execution that is over, is refused untouched.
   */
  public Made init(Path folder, Beginning asked, Call call) {
    boolean there = Files.isDirectory(folder);
    Optional<StateDirectory> known = find(folder);
    if (known.isPresent() && resumes(known.get(), asked)) {
      SafeFolder.make(folder);
      return new Made(sync(folder, call), true);
    }
    if (there) refuseFiles(folder, known);
    SafeFolder safe = SafeFolder.make(folder);
    if (!there) ignoreInGit(safe);
    String path = safe.path().toString();
    new Executions(store)
        .begin(
            asked,
            call,
            (tx, begun) ->
                tx.stateDirectories()
                    .put(
                        new StateDirectory(
                            SafeFolder.host(), path, begun.task(), begun.execution())));
    return new Made(sync(folder, call.withKey(null)), false);
  }

  /** Keeps a folder made in a repository out of commits until a person deletes this file. */
  private static void ignoreInGit(SafeFolder folder) {
    for (Path at = folder.path(); at != null; at = at.getParent()) {
      if (!Files.exists(at.resolve(".git"))) continue;
      String ignored = "# delete this file to let git track the state\n*\n";
      folder.replace(".gitignore", ignored.getBytes(StandardCharsets.UTF_8));
      return;
    }
  }

  private boolean isLive(StateDirectory known) {
    var execution = store.reading(tx -> tx.dossiers().get(known.task())).dossier().execution();
    return execution.isLive() && execution.id().equals(known.execution());
  }

  private boolean resumes(StateDirectory known, Beginning asked) {
    var dossier = store.reading(tx -> tx.dossiers().get(known.task())).dossier();
    boolean live =
        dossier.execution().isLive() && dossier.execution().id().equals(known.execution());
    if (!live) return false;
    String goal = asked.goal();
    boolean same =
        (goal == null || goal.strip().equals(dossier.state().run().goal()))
            && (asked.task() == null || asked.task().equals(known.task()));
    var identity = dossier.execution().head().identity();
    boolean alike =
        (asked.mode() == null || asked.mode() == identity.mode())
            && (asked.type() == null || asked.type() == identity.type());
    if (!same || !alike) {
      throw Refusal.conflict(
          Phrase.of(
              "%s shows %s (%s, %s) with another %s, which is under way: \"%s\"; choose another --dir, or finish that one",
              known.folder(),
              known.task(),
              known.execution(),
              identity.mode(),
              same ? "mode or type" : "goal",
              dossier.state().run().goal()));
    }
    return true;
  }

  private void refuseFiles(Path folder, Optional<StateDirectory> known) {
    boolean live = known.map(this::isLive).orElse(false);
    for (PageName page : PageName.values()) {
      if (!Files.exists(folder.resolve(page.file()), LinkOption.NOFOLLOW_LINKS)) continue;
      throw Refusal.conflict(
          known
              .map(
                  over ->
                      Phrase.of(
                          "%s shows the execution %s of %s, which %s; choose another --dir, or move its files away",
                          folder, over.execution(), over.task(), live ? "goes on" : "is over"))
              .orElse(
                  Phrase.of(
                      "%s has a %s that this store does not know; 'mainstay exec import %s' takes it in, or choose another --dir",
                      folder, page.file(), folder)));
    }
  }

  /** The folder as this store knows it, also when it is gone. */
  public Optional<StateDirectory> find(Path folder) {
    String id =
        Files.isDirectory(folder)
            ? id(SafeFolder.open(folder))
            : StateDirectory.id(SafeFolder.host(), folder.toAbsolutePath().normalize().toString());
    return store.reading(tx -> tx.stateDirectories().find(id));
  }

  private static String id(SafeFolder folder) {
    return StateDirectory.id(SafeFolder.host(), folder.path().toString());
  }

  /** The same; one that the store does not know is refused. */
  public StateDirectory get(Path folder) {
    Optional<StateDirectory> known = find(folder);
    if (known.isPresent() && !Files.isDirectory(folder)) {
      throw Refusal.notFound(
          Phrase.of(
              "the folder %s, which showed %s, is gone; 'mainstay exec resume' writes it again from the store",
              folder, known.get().task()));
    }
    return known.orElseThrow(
        () ->
            Refusal.notFound(
                Phrase.of(
                    "%s is no state directory of this store; 'mainstay exec init --goal GOAL --dir %s' makes one, 'mainstay exec import %s' takes one in",
                    folder, folder, folder)));
  }

  /** The task whose execution a folder showed, also when the folder itself is gone. */
  public TaskId shownAt(Path folder) {
    return find(folder)
        .map(StateDirectory::task)
        .orElseThrow(
            () ->
                Refusal.notFound(
                    Phrase.of("no execution was shown in %s; name one with --task", folder)));
  }

  /** The folder in which a task's execution is shown on this machine, if there is one. */
  public Optional<Path> folder(TaskId task) {
    return store.reading(tx -> tx.stateDirectories().ofTask(task)).stream()
        .filter(directory -> directory.host().equals(SafeFolder.host()))
        .map(directory -> Path.of(directory.folder()))
        .findFirst();
  }

  /** Takes the files' changes into the store and writes the store's into the files. */
  public Report sync(Path folder, Call call) {
    StateDirectory directory = get(folder);
    SafeFolder safe = SafeFolder.open(folder);
    return alone(safe, () -> synced(directory, safe, call));
  }

  private Report synced(StateDirectory directory, SafeFolder folder, Call call) {
    folder.sweep();
    List<Outcome> outcomes = new ArrayList<>();
    List<String> written = new ArrayList<>();
    List<Finding> told = new ArrayList<>();
    for (int look = 1; ; look++) {
      Disk disk = Disk.read(folder);
      Reconciliation.Result result =
          store.inTransaction(
              Once.unkeyed(), tx -> new Reconciliation(tx, directory, disk, call).run());
      if (result.outcome().isChange()) outcomes.add(result.outcome());
      told.removeIf(Finding::isProblem); // what is still wrong is told by the last look
      for (Finding finding : result.findings()) if (!told.contains(finding)) told.add(finding);
      boolean settled = write(directory, folder, disk, result, written);
      if (settled) return new Report(directory, outcomes, written, told);
      if (look == LOOKS_MAX) {
        throw Refusal.conflict(
            Phrase.of(
                "the files in %s change all the time; try again when nobody saves them",
                directory.folder()));
      }
    }
  }

  /**
   * Writes what differs; a file that somebody saved meanwhile is not touched, but looked at again.
   */
  private boolean write(
      StateDirectory directory,
      SafeFolder folder,
      Disk disk,
      Reconciliation.Result result,
      List<String> written) {
    boolean settled = true;
    String aside = result.aside();
    String edited = disk.get(PageName.HISTORY).text();
    if (aside != null && edited != null) {
      folder.replace(aside, edited.getBytes(StandardCharsets.UTF_8));
    }
    for (Map.Entry<PageName, String> each : result.texts().entrySet()) {
      PageName page = each.getKey();
      if (!disk.isSame(folder, page)) {
        settled = false;
        continue;
      }
      folder.replace(page.file(), each.getValue().getBytes(StandardCharsets.UTF_8));
      if (!written.contains(page.file())) written.add(page.file());
      store.inTransaction(
          Once.unkeyed(),
          tx -> {
            tx.stateDirectories().written(directory.id(), page.file(), each.getValue());
            return true;
          });
    }
    return settled;
  }

  /** Does something that one process at a time may do with a folder. */
  private static <T> T alone(SafeFolder folder, Supplier<T> work) {
    Path file = folder.path().resolve(StateDirectory.LOCK);
    if (Files.isSymbolicLink(file)) throw Refusal.invalid(file + " is a link; remove it first");
    try (LockFile lock = LockFile.open(file)) {
      lock.lock();
      try {
        return work.get();
      } finally {
        lock.unlock();
      }
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("the folder %s cannot be locked: %s", folder.path(), fault.getMessage()),
          fault);
    }
  }

  /** What a use case came to, and what the folder had to say before and after it. */
  public record Worked<T>(T answer, Report before, Report after) {
    public List<Finding> findings() {
      List<Finding> all = new ArrayList<>(before.findings());
      for (Finding finding : after.findings()) if (!all.contains(finding)) all.add(finding);
      return all;
    }

    public boolean review() {
      return before.review() || after.review();
    }
  }

  /** Does something to the execution of a folder: its files are heard first and told after. */
  public <T> Worked<T> working(Path folder, Call call, Function<TaskId, T> useCase) {
    Call plain = call.withKey(null);
    Report before = sync(folder, plain);
    T answer = useCase.apply(before.directory().task());
    return new Worked<>(answer, before, sync(folder, plain));
  }

  /**
   * Asks something about the execution of a folder. Its files are heard first; who may not write
   * because somebody holds the task is answered from the store, and told so.
   */
  public <T> Worked<T> looking(Path folder, Call call, Function<TaskId, T> question) {
    Report heard = heard(folder, call.withKey(null));
    return new Worked<>(question.apply(heard.directory().task()), heard, heard);
  }

  private Report heard(Path folder, Call call) {
    try {
      return sync(folder, call);
    } catch (Refusal refused) {
      if (!refused.isAboutHolder()) throw refused;
      StateDirectory directory = get(folder);
      String now =
          store.reading(tx -> tx.dossiers().get(directory.task())).dossier().execution().id();
      // Nothing of another execution is said in the name of the one that the folder shows.
      if (!now.equals(directory.execution())) throw refused;
      String sentence =
          "the files were not brought into step with the store: " + refused.sentence();
      Finding note = new Finding(directory.folder(), null, Finding.Kind.NOTE, sentence);
      return new Report(directory, List.of(), List.of(), List.of(note));
    }
  }

  /** All folders on this host. */
  public List<StateDirectory> here() {
    return store.reading(tx -> tx.stateDirectories().ofHost(SafeFolder.host()));
  }

  /** Follows both sides until it is closed. */
  public DirectoryWatch watch(Path folder, Call call) {
    return new DirectoryWatch(store, folder, call);
  }

  /** What is wrong or odd in a folder, known to this store or not; nothing is changed. */
  public List<Finding> check(Path folder) {
    return Inspection.of(store, SafeFolder.open(folder));
  }

  /**
   * Files on this host that are not as they were last in step, whoever or whatever changed them.
   */
  public List<Finding> changedFiles() {
    return ChangedFiles.of(store, here());
  }

  /** The same where there is no store: the files by themselves. */
  public static List<Finding> checkFiles(Path folder) {
    return Inspection.of(null, SafeFolder.open(folder));
  }

  /** Shows a task's execution in a folder from now on, in place of wherever it was shown. */
  public Report show(TaskId task, Path folder, Call call) {
    Optional<StateDirectory> known = find(folder);
    SafeFolder safe = SafeFolder.make(folder);
    if (known.isPresent() && known.get().task().equals(task)) return sync(folder, call);
    if (!moved(task, safe)) refuseFiles(folder, known);
    store.inTransaction(
        Once.unkeyed(),
        tx -> {
          String execution = Executions.view(tx, task).execution().id();
          tx.stateDirectories()
              .put(new StateDirectory(SafeFolder.host(), safe.path().toString(), task, execution));
          return true;
        });
    return sync(folder, call);
  }

  /** Whether the files in a folder are those of the task, which somebody moved or copied there. */
  private boolean moved(TaskId task, SafeFolder folder) {
    Reading plan = Disk.read(folder).get(PageName.PLAN).reading();
    if (plan == null) return false;
    String id = store.reading(tx -> tx.dossiers().get(task)).dossier().execution().id();
    return id.equals(plan.items().text("meta/execution_id"));
  }

  /** Takes in an execution from its files alone; one that this store has already is refused. */
  public Report importFrom(Path folder, Call call) {
    SafeFolder safe = SafeFolder.open(folder);
    if (find(folder).isPresent()) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is known already; 'mainstay exec sync' brings it and the store together",
              folder));
    }
    return alone(
        safe,
        () -> {
          StateDirectory directory = Import.take(store, safe, Disk.read(safe), call);
          return synced(directory, safe, call);
        });
  }
}
