package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Backups;
import dev.mainstay.store.Durable;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The online backup of a project's store in the user's state folder, which survives {@code git
 * clean -fdx}. Each path of a store has a folder of its own there; a file in it belongs to one
 * store, by its epoch, and only that store's next backup replaces it.
 */
public final class OnlineBackups {
  /** A process that runs for long makes one when the last is as old as this. */
  public static final Duration AGE_MAX = Duration.ofMinutes(4);

  /** The hook at the end of a turn waits for its backup, so it makes fewer. */
  public static final Duration TURN_AGE_MAX = Duration.ofMinutes(5);

  private static final Duration DECLINED_AGE_MAX = Duration.ofDays(30);
  private static final Duration PROJECT_GONE_AGE_MAX = Duration.ofDays(90);
  private static final Duration UNFINISHED_AGE_MAX = Duration.ofHours(1);

  private static final String FOLDER = "backups";
  private static final String STORE_FILE = "state.sqlite3";
  private static final String DECLINED = ".declined";
  private static final int CODE_CHARS = 16;
  private static final Pattern NAME =
      Pattern.compile("([0-9a-zA-Z-]{1,64})\\.(\\d{1,18})\\.sqlite3(\\.declined)?");
  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

  private final UserFolders user;
  private final Path store;

  /** A backup as its name and time tell it. */
  public record Saved(Path file, String epoch, long commits, Instant at) {
    private boolean isDeclined() {
      return file.toString().endsWith(DECLINED);
    }

    /** When it was made, for people. */
    public String shownAt() {
      return SHOWN.format(at);
    }
  }

  private OnlineBackups(UserFolders user, Path store) {
    this.user = user;
    this.store = store;
  }

  private Path folder() {
    String code = JournalEntry.sha256(store.toString()).substring(0, CODE_CHARS);
    return user.state().resolve(FOLDER).resolve(code);
  }

  /**
   * The backups of a project's own store. None for PostgreSQL, for a file that {@code --db} names
   * elsewhere, and where the environment names no home.
   */
  public static Optional<OnlineBackups> of(StoreAddress address, Map<String, String> env) {
    boolean hasHome =
        !env.getOrDefault("HOME", "").isEmpty()
            || !env.getOrDefault("XDG_STATE_HOME", "").isEmpty()
            || !System.getProperty(UserFolders.STATE_PROPERTY, "").isEmpty();
    if (!hasHome || !(address instanceof StoreAddress.File file)) return Optional.empty();
    Path parent = file.path().getParent();
    boolean isProjects =
        file.path().endsWith(STORE_FILE) && parent != null && parent.endsWith(".mainstay");
    if (!isProjects) return Optional.empty();
    return Optional.of(new OnlineBackups(UserFolders.of(env), file.path()));
  }

  /** The newest backup that no person has declined. */
  public Optional<Saved> latest() {
    return saved(folder()).stream().filter(each -> !each.isDeclined()).findFirst();
  }

  /** The backup of a store that is gone, which a person restores or declines. */
  public Optional<Saved> ofMissingStore() {
    return Files.exists(store, LinkOption.NOFOLLOW_LINKS) ? Optional.empty() : latest();
  }

  /** Refuses to make an empty store where a backup of a deleted one waits for a person. */
  public void refuseIfStoreIsMissing() {
    ofMissingStore()
        .ifPresent(
            backup -> {
              throw Refusal.unavailable(
                  Phrase.of(
                      "the store %s was deleted, and there is a backup of %s; a person decides: 'mainstay restore --latest' brings it back, 'mainstay restore --decline' begins a new store",
                      store, backup.shownAt()),
                  null);
            });
  }

  /** Where hooks put their events while the store is missing. */
  public Path queue() {
    return folder().resolve("spool");
  }

  private static List<Saved> saved(Path folder) {
    List<Saved> saved = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (!name.matches() || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) continue;
        Instant at = Files.getLastModifiedTime(file).toInstant();
        saved.add(new Saved(file, name.group(1), Long.parseLong(name.group(2)), at));
      }
    } catch (IOException | DirectoryIteratorException none) {
      return List.of();
    }
    saved.sort(Comparator.comparing(Saved::at).thenComparing(Saved::commits).reversed());
    return saved;
  }

  /**
   * Makes a backup unless nothing changed since the last one, or that is younger than the given
   * age, or another process is making one; whether one was made. Writers are not held up.
   *
   * @throws Refusal if it cannot be written, or the store has lost commits that the last backup has
   */
  public boolean save(Store from, Duration age) {
    Moment now = from.reading(tx -> new Moment(tx.meta().epoch(), tx.meta().commits()));
    Optional<Saved> last =
        saved(folder()).stream().filter(each -> each.epoch().equals(now.epoch())).findFirst();
    if (last.isPresent()) {
      if (last.get().commits() == now.commits()) return false;
      if (last.get().at().isAfter(Instant.now().minus(age))) return false;
      if (last.get().commits() > now.commits()) throw lostCommits(last.get());
    }
    try {
      prepare();
      return alone(false, () -> save(from, now)).orElse(false);
    } catch (IOException fault) {
      throw unwritable(fault);
    }
  }

  /** Which store it is, and how many commits it has. */
  private record Moment(String epoch, long commits) {}

  private boolean save(Store from, Moment now) throws IOException {
    String name = now.epoch() + "." + now.commits() + ".sqlite3";
    Path target = folder().resolve(name);
    if (Files.exists(target)) return false; // another process was faster
    Backups.backup(from, target, copy -> mustHaveAll(copy, now));
    for (Saved each : saved(folder())) {
      boolean older = each.epoch().equals(now.epoch()) && each.commits() < now.commits();
      if (older) Files.deleteIfExists(each.file());
    }
    tidy(now.epoch());
    return true;
  }

  private static void mustHaveAll(Store copy, Moment wanted) {
    Moment made = copy.reading(tx -> new Moment(tx.meta().epoch(), tx.meta().commits()));
    if (made.epoch().equals(wanted.epoch()) && made.commits() >= wanted.commits()) return;
    throw Refusal.conflict("the copy is not of this store; repeat the backup");
  }

  private Refusal lostCommits(Saved last) {
    return Refusal.conflict(
        Phrase.of(
            "the store %s has fewer commits than its backup of %s, which is kept as it is; 'mainstay verify' says what was lost",
            store, last.shownAt()));
  }

  private Refusal unwritable(IOException fault) {
    return Refusal.readOnly(
        Phrase.of(
            "no backup can be written below %s (%s); make it writable or set XDG_STATE_HOME",
            user.state(), fault.getMessage()),
        fault);
  }

  /** Makes the folder, with a note of the store's path for people and for {@link #tidy}. */
  private void prepare() throws IOException {
    user.stateFolder(FOLDER + "/" + folder().getFileName());
    Path note = folder().resolve("path");
    if (!Files.exists(note)) {
      Path unfinished = Files.createTempFile(folder(), "path", ".part");
      Files.writeString(unfinished, store + "\n");
      Durable.publish(unfinished, note);
    }
  }

  private interface Step<T> {
    T run() throws IOException;
  }

  /** Does something while no other process makes or removes backups of this store. */
  private <T> Optional<T> alone(boolean waits, Step<T> step) throws IOException {
    synchronized (OnlineBackups.class) { // the file's lock belongs to the whole process
      try (FileChannel channel =
              FileChannel.open(
                  folder().resolve("lock"),
                  Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                  PosixFilePermissions.asFileAttribute(
                      PosixFilePermissions.fromString("rw-------")));
          FileLock lock = waits ? channel.lock() : channel.tryLock()) {
        return lock == null ? Optional.empty() : Optional.of(step.run());
      } catch (OverlappingFileLockException another) {
        return Optional.empty();
      }
    }
  }

  /**
   * Removes copies that will not be restored: unfinished copies, declined ones after a month, this
   * store's own under a path that it was moved from, and those of projects that are gone for long.
   */
  private void tidy(String epoch) throws IOException {
    Instant now = Instant.now();
    Path parent = user.state().resolve(FOLDER);
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
      for (Path each : folders) {
        removeUnfinished(each, now.minus(UNFINISHED_AGE_MAX));
        Path of = pathOf(each);
        if (of == null) continue;
        boolean gone = !Files.exists(of);
        for (Saved saved : saved(each)) {
          boolean moved = gone && saved.epoch().equals(epoch) && !each.equals(folder());
          Duration most = saved.isDeclined() ? DECLINED_AGE_MAX : PROJECT_GONE_AGE_MAX;
          boolean old = saved.at().isBefore(now.minus(most));
          boolean unwanted = saved.isDeclined() || (gone && !hasProject(of));
          if (moved || (old && unwanted)) Files.deleteIfExists(saved.file());
        }
      }
    }
  }

  private static boolean hasProject(Path store) {
    Path folder = store.getParent();
    Path project = folder == null ? null : folder.getParent();
    return project != null && Files.isDirectory(project);
  }

  private static @Nullable Path pathOf(Path folder) {
    try {
      return Path.of(Files.readString(folder.resolve("path")).strip());
    } catch (IOException | InvalidPathException unknown) {
      return null;
    }
  }

  private static void removeUnfinished(Path folder, Instant before) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.part*")) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(before)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (NotDirectoryException another) {
      return;
    }
  }

  /**
   * Makes the store of its latest backup where none is, or an empty one; it is another history then
   * and its backups go on from here.
   */
  public Saved restoreLatest(StoreSettings settings) {
    Saved latest =
        latest()
            .orElseThrow(
                () ->
                    Refusal.notFound(
                        Phrase.of(
                            "there is no backup of %s below %s; 'mainstay restore FILE' takes one that you made",
                            store, user.state())));
    var address = new StoreAddress.File(store);
    Upkeep.restoreOverEmpty(latest.file(), address, settings);
    try (Store made = Store.open(address, settings)) {
      String epoch = made.reading(tx -> tx.meta().epoch());
      Path renamed = folder().resolve(epoch + "." + latest.commits() + ".sqlite3");
      Files.move(latest.file(), renamed, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException fault) {
      throw unwritable(fault);
    }
    return latest;
  }

  /** Sets the backups of a deleted store aside, so that a new store may be made; how many. */
  public int decline() {
    int declined = 0;
    try {
      for (Saved each : saved(folder())) {
        if (each.isDeclined()) continue;
        Path aside = each.file().resolveSibling(each.file().getFileName() + DECLINED);
        Files.move(each.file(), aside, StandardCopyOption.ATOMIC_MOVE);
        declined++;
      }
    } catch (IOException fault) {
      throw unwritable(fault);
    }
    return declined;
  }

  /** How many backups there are of this store, declined ones and those of another path included. */
  public int count(Store of) {
    return all(of.reading(tx -> tx.meta().epoch())).size();
  }

  /** Removes all backups of this store and path; one that is being made is waited for. */
  public int removeAll(Store of) {
    if (!Files.isDirectory(folder())) return 0;
    String epoch = of.reading(tx -> tx.meta().epoch());
    try {
      return alone(
              true,
              () -> {
                removeUnfinished(folder(), Instant.MAX);
                List<Saved> all = all(epoch);
                for (Saved each : all) Files.deleteIfExists(each.file());
                return all.size();
              })
          .orElseThrow(() -> new IOException("another backup is being made"));
    } catch (IOException fault) {
      throw unwritable(fault);
    }
  }

  private List<Saved> all(String epoch) {
    List<Saved> all = new ArrayList<>(saved(folder()));
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(user.state().resolve(FOLDER))) {
      for (Path each : folders) {
        if (each.equals(folder())) continue;
        Path of = pathOf(each);
        if (of != null && Files.exists(of)) continue; // a copy of the project that is in use
        saved(each).stream().filter(saved -> saved.epoch().equals(epoch)).forEach(all::add);
      }
    } catch (IOException none) {
      return all;
    }
    return all;
  }

  /** What the doctor says about it. */
  public Doctor.Finding examine() {
    String what = "Backup";
    Optional<Saved> missing = ofMissingStore();
    if (missing.isPresent()) {
      return new Doctor.Finding(
          what,
          Doctor.Health.BROKEN,
          Phrase.of("the store was deleted; there is a backup of %s", missing.get().shownAt()),
          "a person runs 'mainstay restore --latest' or 'mainstay restore --decline'");
    }
    try {
      prepare();
    } catch (IOException fault) {
      return new Doctor.Finding(
          what, Doctor.Health.ADVICE, unwritable(fault).sentence(), "there is no online backup");
    }
    String found =
        latest()
            .map(saved -> Phrase.of("made %s: %s", saved.shownAt(), saved.file()))
            .orElse("none yet; a server, MCP or the end of a turn makes it in " + folder());
    return new Doctor.Finding(what, Doctor.Health.OK, found, "");
  }
}
