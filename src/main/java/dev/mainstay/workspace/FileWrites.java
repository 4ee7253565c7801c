package dev.mainstay.workspace;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.FileWrite;
import dev.mainstay.domain.FileWrite.Asked;
import dev.mainstay.domain.FileWrite.Change;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.WorkspaceEvent;
import dev.mainstay.store.Once;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreFiles;
import dev.mainstay.store.Tx;
import dev.mainstay.workspace.SafeFiles.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes files so that doing it twice does nothing twice. A write is noted in the store, made on
 * the disk, and confirmed; whoever dies in between leaves the old file or the new one, and the next
 * one to come finds out which.
 */
public final class FileWrites {
  /** What is given as the hash that is expected where no file is expected. */
  public static final String ABSENT = "absent";

  /** So many digits of a hash are shown, and so many are needed to tell a version. */
  public static final int HASH_DIGITS_MIN = 6;

  private final Tracker tracker;
  private final Site site;
  private final SafeFiles files;

  public FileWrites(Tracker tracker) {
    this.tracker = tracker;
    this.site = tracker.site();
    this.files = new SafeFiles(site.tree());
  }

  /**
   * What is to be written where. The hash is the version the writer has seen, {@link #ABSENT} for
   * no file, null when it does not matter; the task is the one it is written for, if any.
   */
  public record Wanted(
      RepoPath path, byte[] content, @Nullable String expected, @Nullable TaskId task) {}

  /** What became of a write. Nothing changed when the content was there already. */
  public record Written(RepoPath path, boolean changed, @Nullable String oldHash, String hash) {
    public String message() {
      if (changed) return Phrase.of("%s was %s", path, oldHash == null ? "created" : "replaced");
      return Phrase.of(
          "nothing changed: %s has this very content already; do not write it again, take the next step",
          path);
    }

    public JsonObject toJson() {
      return JsonObject.of("success", true, "noop", !changed, "changed", changed)
          .with("message", message())
          .with("path", path.value())
          .with("old_hash", oldHash)
          .with("hash", hash);
    }

    static Written fromJson(JsonObject json) {
      return new Written(
          new RepoPath(json.text("path")),
          Boolean.TRUE.equals(json.get("changed")),
          json.textOrNull("old_hash"),
          json.text("hash"));
    }
  }

  /** Makes the file have this content, or says that it has, or refuses and leaves it alone. */
  public Written write(Wanted wanted, Call call) {
    if (wanted.content().length > SafeFiles.CONTENT_BYTES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "a file is written with at most %,d bytes; this content has %,d",
              SafeFiles.CONTENT_BYTES_MAX, wanted.content().length));
    }
    refuseConfiguration(wanted.path(), call);
    String hash = HexFormat.of().formatHex(Hasher.sha256().digest(wanted.content()));
    TaskId task = wanted.task();
    JsonObject asked =
        JsonObject.of("workspace", site.id(), "path", wanted.path().value(), "hash", hash)
            .with("expected", wanted.expected())
            .with("task", task == null ? null : task.value());
    Once<Written> once = Once.of(call, "repo.write", asked, Written::toJson, Written::fromJson);
    Optional<Written> answered = store().answered(once);
    if (answered.isPresent()) return answered.get();
    refuseStore(wanted.path());
    synchronized (tracker) { // before the workspace's lock, as whoever looks takes them, too
      tracker.scanIfNew();
      Written written = site.alone(() -> writeAlone(wanted, hash, once, call));
      if (written.changed()) show();
      return written;
    }
  }

  /** An agent asks for such a change through its host, which shows it to the person. */
  private static void refuseConfiguration(RepoPath path, Call call) {
    if (!call.actor().isAgent() || !path.isConfiguration()) return;
    throw Refusal.invalid(
            Phrase.of(
                "%s configures programs that run with the person's rights, so agents do not write it here; use the host's own file tool, which asks the person",
                path))
        .reserved();
  }

  /** A database may lie in the workspace; to open it here would already cost its locks. */
  private void refuseStore(RepoPath path) {
    Path root = site.tree().root();
    Object key = null;
    try {
      key =
          Files.readAttributes(
                  root.resolve(path.value()), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey();
    } catch (IOException notThere) {
      // Then only its name can tell.
    }
    if (new StoreFiles(root, store().ownFiles()).contains(path.value(), key)) {
      throw Refusal.invalid(path + " belongs to Mainstay's own store; name another file");
    }
  }

  /** The file is written whether or not the view can be; the next one to come writes that. */
  private void show() {
    try {
      tracker.writeView();
    } catch (Refusal later) {
      return;
    }
  }

  private Store store() {
    return site.store();
  }

  private Written writeAlone(Wanted wanted, String hash, Once<Written> once, Call call) {
    recover();
    // Whoever had the lock before may have done this very request, dead or alive.
    Optional<Written> answered = store().answered(once);
    if (answered.isPresent()) return answered.get();
    RepoPath path = wanted.path();
    String before = files.look(path).map(Seen::hash).orElse(null);
    boolean same = hash.equals(before);
    FileWrite write =
        new FileWrite(
            path,
            SafeFiles.newTempName(),
            new Change(before, hash),
            new Asked(wanted.task(), call, once.fingerprint()));
    store()
        .inTransaction(
            Once.unkeyed(),
            tx -> {
              admit(tx, wanted, before, same, call);
              if (!same) tx.fileWrites().put(site.id(), write);
              return write;
            });
    if (!same) replace(write, wanted.content());
    return confirm(write, wanted, once);
  }

  /** Everything that may speak against a write is asked before the disk is touched. */
  private void admit(Tx tx, Wanted wanted, @Nullable String before, boolean same, Call call) {
    tx.workspaces().lock(site.id());
    TaskId task = wanted.task();
    if (task != null) tx.tasks().lock(task).admit(call);
    Reservations.admit(tx, site.id(), wanted.path(), task);
    String expected = wanted.expected();
    if (same || expected == null) return;
    String there = before == null ? ABSENT : before;
    if (!fits(expected, there)) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is not the version you have seen: expected %s, found %s; nothing was written: read it again and repeat the change",
              wanted.path(), expected, there));
    }
  }

  /** The beginning of a hash is enough, as a snapshot shows it. */
  private static boolean fits(String expected, String there) {
    String digits = expected.toLowerCase(Locale.ROOT);
    if (there.equals(ABSENT) || digits.equals(ABSENT)) return digits.equals(there);
    return digits.length() >= HASH_DIGITS_MIN && there.startsWith(digits);
  }

  private void replace(FileWrite write, byte[] content) {
    try {
      files.replace(write.path(), content, write.tempName());
    } catch (RuntimeException refused) {
      afterwards(write, refused);
      throw refused;
    }
  }

  /** A write may fail when the file is in its place already, so the disk is asked here, too. */
  private void afterwards(FileWrite write, RuntimeException refused) {
    try {
      settle(write);
    } catch (RuntimeException later) {
      refused.addSuppressed(later); // the next one to come settles it
    }
  }

  private void withdraw(FileWrite write) {
    store().inTransaction(Once.unkeyed(), tx -> tx.fileWrites().remove(site.id(), write));
  }

  private Written confirm(FileWrite write, Wanted wanted, Once<Written> once) {
    Change change = write.change();
    boolean changed = !change.newHash().equals(change.oldHash());
    Written written = new Written(write.path(), changed, change.oldHash(), change.newHash());
    if (!changed) return store().inTransaction(once, tx -> counted(tx, written));
    tracker.ledger().look(Set.of(write.path()));
    return tracker
        .ledger()
        .follow(
            Attribution.NONE,
            once,
            tx -> {
              settle(tx, write, wanted.content().length);
              Findings.wrote(tx, site.id(), write, wanted.expected() != null);
              return counted(tx, written);
            });
  }

  private Written counted(Tx tx, Written written) {
    tx.writeCounts().count(site.id(), written.changed());
    return written;
  }

  private void settle(Tx tx, FileWrite write, long size) {
    if (!tx.fileWrites().remove(site.id(), write)) return;
    Change change = write.change();
    var event =
        new WorkspaceEvent.FileWritten(
            write.path(), change.oldHash(), change.newHash(), size, write.task());
    tx.journal().append(Workspace.stream(site.id()), write.by(), List.of(event));
  }

  /** Settles what writers who died have left, and says how many writes that were. */
  int recoverAll() {
    return site.alone(this::recover);
  }

  private int recover() {
    List<FileWrite> begun = store().reading(tx -> tx.fileWrites().list(site.id()));
    begun.forEach(this::settle);
    return begun.size();
  }

  /** The disk says whether a write was made. */
  private void settle(FileWrite write) {
    discard(write);
    Optional<Seen> there = there(write.path());
    boolean made = there.map(Seen::hash).filter(write.change().newHash()::equals).isPresent();
    if (made) made(write, there.get().size());
    else withdraw(write);
  }

  /** Where a link or a file has taken the place of a folder, nothing of ours is left to remove. */
  private void discard(FileWrite write) {
    try {
      files.discard(write.path(), write.tempName());
    } catch (Refusal noFolder) {
      if (noFolder.code() != Refusal.Code.INVALID) throw noFolder;
    }
  }

  /**
   * A dead writer's request is answered for it, so that repeating it does nothing. Whether it had
   * seen the version before is not known; nobody is blamed for it.
   */
  private void made(FileWrite write, long size) {
    Change change = write.change();
    Written written = new Written(write.path(), true, change.oldHash(), change.newHash());
    store()
        .inTransaction(
            once(write),
            tx -> {
              tx.workspaces().lock(site.id());
              settle(tx, write, size);
              Findings.wrote(tx, site.id(), write, true);
              return written;
            });
  }

  private static Once<Written> once(FileWrite write) {
    if (write.by().key() == null) return Once.unkeyed();
    String asked = write.asked().fingerprint();
    return Once.known(write.by(), asked, Written::toJson, Written::fromJson);
  }

  /** What has become of the path since may be no file any more; then the write was overtaken. */
  private Optional<Seen> there(RepoPath path) {
    try {
      return files.look(path);
    } catch (Refusal noFile) {
      return Optional.empty();
    }
  }
}
