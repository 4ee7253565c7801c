package dev.mainstay.app;

import dev.mainstay.access.LocalToken;
import dev.mainstay.app.Configuration.Key;
import dev.mainstay.cli.House;
import dev.mainstay.cli.Services;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.mcp.Noticed;
import dev.mainstay.mcp.Offer;
import dev.mainstay.mcp.Origin;
import dev.mainstay.mcp.Registry;
import dev.mainstay.mcp.Rooms;
import dev.mainstay.process.Programs;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.terminal.Places;
import dev.mainstay.trust.Standing;
import dev.mainstay.trust.UserFolders;
import dev.mainstay.upkeep.Doctor;
import dev.mainstay.upkeep.ForeignContent;
import dev.mainstay.upkeep.OnlineBackups;
import dev.mainstay.upkeep.Upkeep;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Introduces the rooms to the command line: configuration in, open store out. */
final class Wiring implements Services {
  private static final Duration NOTIFY_LIMIT = Duration.ofSeconds(10);

  private final Map<String, String> env;
  private final Path folder;
  private final Project project;
  private final Function<Rooms, Registry> offer;
  private final @Nullable Mainstay shared;

  Wiring(Map<String, String> env, Path folder) {
    this(env, folder, Offer::new, null);
  }

  /** The same with something else to offer over MCP. */
  Wiring(Map<String, String> env, Path folder, Function<Rooms, Registry> offer) {
    this(env, folder, offer, null);
  }

  /** With a store that is open already, and stays open when a command is done with it. */
  Wiring sharing(Mainstay open) {
    return new Wiring(env, folder, offer, open);
  }

  private Wiring(
      Map<String, String> env,
      Path folder,
      Function<Rooms, Registry> offer,
      @Nullable Mainstay shared) {
    this.env = env;
    this.folder = folder;
    this.project = Project.around(folder, UserFolders.of(env));
    this.offer = offer;
    this.shared = shared;
  }

  /** Whether commands called here use the store that is open there. */
  boolean names(Mainstay mainstay) {
    try {
      Configuration configuration = configuration(null);
      String db = configuration.get(Key.DB).text();
      // Elsewhere a relative path is another one.
      boolean fixed = db.contains("://") || Path.of(db).isAbsolute();
      return fixed && mainstay.isAt(address(configuration));
    } catch (Refusal | InvalidPathException unusable) {
      return false; // a process of its own says what is wrong
    }
  }

  private Configuration configuration(@Nullable String db) {
    return Configuration.load(db, env, project);
  }

  private static StoreAddress address(Configuration configuration) {
    return StoreAddress.parse(configuration.get(Key.DB).text());
  }

  @Override
  public House open(@Nullable String db) {
    Configuration configuration = configuration(db);
    return open(configuration);
  }

  private Mainstay open(Configuration configuration) {
    StoreAddress address = address(configuration);
    boolean trusted = configuration.mustOpen(address);
    if (shared != null) return shared.borrowed();
    refuseIfMissing(configuration);
    return Mainstay.open(
        address, configuration.storeSettings().trusted(trusted), setup(configuration));
  }

  private void refuseIfMissing(Configuration configuration) {
    backups(configuration).ifPresent(OnlineBackups::refuseIfStoreIsMissing);
  }

  private Optional<OnlineBackups> backups(Configuration configuration) {
    return OnlineBackups.of(address(configuration), env);
  }

  private TerminalSetup setup(Configuration configuration) {
    String db = configuration.get(Key.DB).text();
    boolean trusted = configuration.standing().isTrusted();
    int most = configuration.terminalsMax();
    return new TerminalSetup(project.root(), env, most, db, trusted, configuration.folders());
  }

  @Override
  public House openExisting(@Nullable String db) {
    Configuration configuration = configuration(db);
    StoreAddress address = address(configuration);
    configuration.mustOpen(address);
    refuseIfMissing(configuration);
    if (address instanceof StoreAddress.File file && !Files.exists(file.path())) {
      throw Refusal.notFound(
          Phrase.of(
              "there is no store at %s yet; 'mainstay task create TITLE' and 'mainstay exec init --goal GOAL' make one, or name another with --db",
              file.path()));
    }
    return open(configuration);
  }

  @Override
  public List<ForeignContent.Item> restore(Path backup, @Nullable String db, boolean all) {
    Configuration configuration = configuration(db);
    StoreAddress address = address(configuration);
    configuration.mustOpen(address);
    setup(configuration).makeFolder(address);
    return Upkeep.restore(backup, address, configuration.storeSettings(), all);
  }

  @Override
  public List<ForeignContent.Item> importFrom(Path export, @Nullable String db, boolean all) {
    Configuration configuration = configuration(db);
    StoreAddress address = address(configuration);
    configuration.mustOpen(address);
    setup(configuration).makeFolder(address);
    return Upkeep.importFrom(export, address, configuration.storeSettings(), all);
  }

  @Override
  public OnlineBackups.Saved restoreLatest(@Nullable String db) {
    Configuration configuration = configuration(db);
    StoreAddress address = address(configuration);
    configuration.mustOpen(address);
    OnlineBackups backups = mustHaveBackups(configuration);
    if (backups.latest().isPresent()) setup(configuration).makeFolderAgain(address);
    var restored = backups.restoreLatest(configuration.storeSettings());
    takeOverEvents(backups);
    return restored;
  }

  @Override
  public int declineBackups(@Nullable String db) {
    Configuration configuration = configuration(db);
    OnlineBackups backups = mustHaveBackups(configuration);
    if (backups.ofMissingStore().isEmpty()) {
      throw Refusal.conflict(
          Phrase.of(
              "nothing is to be declined: %s is there, or it has no backup",
              address(configuration).shown()));
    }
    int declined = backups.decline();
    open(configuration).close();
    takeOverEvents(backups);
    return declined;
  }

  private OnlineBackups mustHaveBackups(Configuration configuration) {
    return backups(configuration)
        .orElseThrow(
            () ->
                Refusal.invalid(
                    Phrase.of(
                        "%s has no online backup: only a project's .mainstay/state.sqlite3 has; use 'mainstay restore FILE'",
                        address(configuration).shown())));
  }

  /** What hooks queued while the store was missing is heard by the next hook or prompt. */
  private void takeOverEvents(OnlineBackups backups) {
    Spool.of(project).takeOver(new Spool(backups.queue()));
  }

  @Override
  public List<Doctor.Finding> examine(@Nullable String db) {
    Configuration configuration = configuration(db);
    List<Doctor.Finding> findings = new ArrayList<>();
    if (configuration.standing().opens()) {
      findings.addAll(
          Doctor.examine(address(configuration), configuration.storeSettings(), project.root()));
    }
    findings.add(FolderTrust.finding(configuration.standing()));
    findings.addAll(SocketState.examine(project));
    backups(configuration).ifPresent(backups -> findings.add(backups.examine()));
    return findings;
  }

  @Override
  public Standing standing() {
    return configuration(null).standing();
  }

  @Override
  public List<ForeignContent.Item> foreignContent() {
    return FolderTrust.list(project, configuration(null).storeSettings());
  }

  @Override
  public void trust(boolean all) {
    configuration(null).folders().open(project.folder(), all);
  }

  @Override
  public Places places() {
    Standing standing = standing();
    if (!standing.opens()) throw standing.refusal();
    return Places.of(project.folder(), env, standing.isTrusted());
  }

  @Override
  public Path workDir() {
    return project.workDir();
  }

  @Override
  public Path root() {
    return project.root();
  }

  @Override
  public boolean useSnapshot() {
    return configuration(null).flag(Key.CONTEXT_USE_SNAPSHOT);
  }

  @Override
  public boolean notifyPerson(String message) {
    String command = configuration(null).get(Key.NOTIFY_COMMAND).text().strip();
    if (command.isEmpty()) return true;
    List<String> argv = new ArrayList<>(Argv.split(command));
    argv.add(message);
    return Programs.run(argv, NOTIFY_LIMIT).filter(ended -> ended.exit() == 0).isPresent();
  }

  @Override
  public boolean show(List<String> argv) {
    return Programs.runHere(argv).filter(exit -> exit == 0).isPresent();
  }

  @Override
  public List<Setting> settings(@Nullable String db) {
    Configuration configuration = configuration(db);
    List<Setting> settings = new ArrayList<>();
    for (Key key : Key.values()) {
      String value = key == Key.DB ? address(configuration).shown() : configuration.get(key).text();
      settings.add(new Setting(key.inFile(), value, configuration.get(key).origin()));
    }
    return settings;
  }

  @Override
  public Serving serve(@Nullable String db, Serving.Wanted wanted) {
    Configuration configuration = configuration(db);
    StoreAddress address = address(configuration);
    configuration.mustOpen(address);
    refuseIfMissing(configuration);
    var offered = new RunningServer.Offered(offer, setup(configuration), address);
    return RunningServer.start(configuration, offered, localToken(), wanted);
  }

  @Override
  public int mcp(@Nullable String db) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err); // what else is printed must not come between the answers
    return mcp(db, System.in, out);
  }

  int mcp(@Nullable String db, InputStream in, OutputStream out) {
    var running =
        new RunningMcp(
            () -> openForAgent(db),
            mainstay -> SharedStore.answerLaunchers(mainstay, env),
            this::offered);
    Origin origin = new Origin(env.get("MAINSTAY_TERMINAL"), project.workDir(), true);
    return running.run(in, out, origin, version());
  }

  /** The refusal of a folder that is not trusted is in words for the agent. */
  private Mainstay openForAgent(@Nullable String db) {
    Configuration configuration = configuration(db);
    Standing standing = configuration.standing();
    if (!standing.opens()) throw Refusal.conflict(standing.toAgent());
    return open(configuration);
  }

  private Registry offered(Rooms rooms) {
    Registry registry = offer.apply(rooms);
    Standing standing = standingOrTrusted();
    return standing.opens() ? registry : new Noticed(standing.toAgent(), registry);
  }

  /** Settings that cannot be read are refused where the store is opened. */
  private Standing standingOrTrusted() {
    try {
      return standing();
    } catch (Refusal unreadable) {
      return Standing.absent(project.folder());
    }
  }

  @Override
  public Heard hear(@Nullable String db, String event, @Nullable String agent, byte[] payload) {
    return new HookDoor(
            env, folder, at -> Configuration.load(db, env, at), (at, known) -> quickly(at, known))
        .hear(event, agent, payload);
  }

  /** For a hook, which does not wait long for its turn. */
  private Mainstay quickly(Project at, Configuration known) {
    boolean trusted = known.mustOpen(address(known));
    if (shared != null && shared.isAt(address(known))) return shared.borrowed();
    var settings = known.storeSettings();
    var terminals =
        new TerminalSetup(
            at.root(),
            env,
            known.terminalsMax(),
            known.get(Key.DB).text(),
            known.standing().isTrusted(),
            known.folders());
    return Mainstay.open(
        address(known),
        settings.withPatience(HookDoor.patience(settings.patience())).trusted(trusted),
        terminals);
  }

  @Override
  public LocalToken localToken() {
    String user = env.getOrDefault("USER", System.getProperty("user.name", "somebody"));
    Configuration configuration = configuration(null);
    if (!configuration.standing().opens()) throw configuration.standing().refusal();
    if (!Files.exists(project.folder())) configuration.folders().make(project.folder());
    return new LocalToken(project.folder(), user);
  }

  boolean colour(boolean onTerminal) {
    return configuration(null).colour(onTerminal, env);
  }

  @Override
  public String version() {
    return programVersion();
  }

  static String programVersion() {
    try (InputStream in = Wiring.class.getResourceAsStream("version")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
