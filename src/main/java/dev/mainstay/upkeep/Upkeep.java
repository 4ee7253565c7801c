package dev.mainstay.upkeep;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.Backups;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.store.Tx;
import dev.mainstay.upkeep.Verification.Report;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a person does to know that a store is whole, and to make it whole again. */
public final class Upkeep {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

  private final Store store;
  private final StoreAddress address;

  public Upkeep(Store store, StoreAddress address) {
    this.store = store;
    this.address = address;
  }

  /** How people are told where the store is. */
  public String where() {
    return store.shown();
  }

  public Report verify() {
    return Verification.of(store);
  }

  /** What a rebuild found and made, and where. */
  public record Rebuilt(String where, Rebuild.Result result) {}

  /** Makes a new store of the journal and says what differed; beside the old one unless told. */
  public Rebuilt rebuild(@Nullable String into) {
    StoreAddress target = into == null ? besideTheOld() : StoreAddress.parse(into);
    if (target instanceof StoreAddress.File file && Files.exists(file.path())) {
      throw Refusal.conflict(
          Phrase.of("the file %s exists already; name one that does not with --into", file.path()));
    }
    return new Rebuilt(target.shown(), Rebuild.into(store, target));
  }

  private StoreAddress besideTheOld() {
    String stamp = STAMP.format(store.reading(Tx::now));
    if (address instanceof StoreAddress.Server server) {
      return server.withSchema("mainstay_rebuilt_" + stamp.replace('T', '_'));
    }
    Path file = ((StoreAddress.File) address).path();
    String name = file.getFileName().toString().replaceFirst("\\.sqlite3$", "");
    return new StoreAddress.File(file.resolveSibling(name + ".rebuilt-" + stamp + ".sqlite3"));
  }

  /** A consistent, checked copy in one file while others go on writing. */
  public void backup(Path file) {
    try {
      store.seal();
    } catch (Refusal readOnly) {
      if (readOnly.code() != Refusal.Code.READ_ONLY)
        throw readOnly; // what cannot be sealed can be copied
    }
    Backups.backup(store, file, Upkeep::mustBeWhole);
  }

  /** Makes a store of a backup, where none is. */
  public static void restore(Path backup, StoreAddress address, StoreSettings settings) {
    Backups.restore(backup, address, settings, Upkeep::mustBeWhole);
  }

  /** Writes one moment of the store to a new file. */
  public StoreExport.Written export(Path file) {
    return StoreExport.toFile(store, file);
  }

  /** Writes one moment of the store to a stream. */
  public StoreExport.Written export(OutputStream out) {
    return StoreExport.to(store, out);
  }

  /** The same, where a store without any entry is replaced. */
  static void restoreOverEmpty(Path backup, StoreAddress address, StoreSettings settings) {
    Backups.restoreOverEmpty(backup, address, settings, Upkeep::mustBeWhole);
  }

  /** Makes a backup of a project's store in the user's state folder, when one is due. */
  public boolean saveOnline(OnlineBackups backups, Duration age) {
    return backups.save(store, age);
  }

  /**
   * The same of a backup that may come from elsewhere: what would be believed is taken out, unless
   * a person wants all of it.
   *
   * @return what would be believed
   */
  public static List<ForeignContent.Item> restore(
      Path backup, StoreAddress address, StoreSettings settings, boolean all) {
    List<ForeignContent.Item> found = new ArrayList<>();
    Backups.restore(backup, address, settings, copy -> found.addAll(entering(copy, all)));
    return found;
  }

  /**
   * Makes a store of an export, where none is or one without any row; of what would be believed the
   * same holds as of a backup.
   *
   * @return what would be believed
   * @throws Refusal where the export is not whole, or the store has something in it; then nothing
   *     was imported
   */
  public static List<ForeignContent.Item> importFrom(
      Path export, StoreAddress address, StoreSettings settings, boolean all) {
    List<ForeignContent.Item> found = new ArrayList<>();
    Backups.takeIn(
        export,
        file -> StoreImport.read(export, file),
        address,
        settings,
        copy -> found.addAll(entering(copy, all)));
    return found;
  }

  private static List<ForeignContent.Item> entering(Store copy, boolean all) {
    mustBeWhole(copy);
    return all ? ForeignContent.list(copy) : ForeignContent.strip(copy);
  }

  /** What the store has that counts only if it is trusted. */
  public List<ForeignContent.Item> foreignContent() {
    return ForeignContent.list(store);
  }

  private static void mustBeWhole(Store copy) {
    Report report = Verification.of(copy);
    // A copy of a store with a foreign trigger is as good as the store; 'verify' tells of it.
    var findings =
        report.findings().stream().filter(f -> !f.where().equals(Verification.SCHEMA)).toList();
    if (findings.isEmpty()) return;
    var first = findings.get(0);
    throw Refusal.conflict(
        Phrase.of(
            "the copy is not whole (%s: %s; %d findings) and was not kept; 'mainstay verify' lists all",
            first.where(), first.problem(), findings.size() + report.more()));
  }
}
