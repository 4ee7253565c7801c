package dev.mainstay.app;

import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.trust.Standing;
import dev.mainstay.trust.TrustedFolders;
import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was set: by flag, else in the environment, else in the project's config.toml, else in the
 * user's own, else the default. A project that is not trusted sets nothing that runs a program,
 * opens the server or names a store.
 */
final class Configuration {
  /** Every setting there is. A name in the file is one in capitals behind MAINSTAY_ outside. */
  enum Key {
    DB("", "the store: a file or postgresql://user@host/database"),
    KEY_LIFE("7d", "how long an idempotency key is remembered"),
    PATIENCE("30s", "how long a write waits for its turn or for a lost database"),
    COLOR("auto", "auto, always or never"),
    CONTEXT_USE_SNAPSHOT(
        "context.use_snapshot", "true", "whether agents are sent a snapshot, or the full history"),
    NOTIFY_COMMAND(
        "notify.command", "", "run with the message as its last argument when a person is asked"),
    HOOKS_STOP(
        "hooks.stop",
        "off",
        "off, or remind: an agent that stops with open items is told once what is left"),
    RETENTION_AGE(
        "retention.age",
        "",
        "how old what is over must be before a server archives it; never if empty"),
    TERMINALS_MAX("terminals.max", "10", "how many terminals may run at once; the rest waits"),
    SERVE_HOSTS("serve.hosts", "", "other names the server may be called by, separated by commas"),
    OTEL_ENDPOINT("otel.endpoint", "", "where spans of requests are sent, by OTLP over HTTP"),
    TRUST_FOLDERS(
        "trust.folders",
        "",
        "project folders whose .mainstay is believed without a question, separated by commas; never read from a project");

    private final String inFile;
    private final String fallback;
    private final String meaning;

    Key(String fallback, String meaning) {
      this.inFile = name().toLowerCase(Locale.ROOT);
      this.fallback = fallback;
      this.meaning = meaning;
    }

    /** One of a table of its own. */
    Key(String inFile, String fallback, String meaning) {
      this.inFile = inFile;
      this.fallback = fallback;
      this.meaning = meaning;
    }

    String inFile() {
      return inFile;
    }

    String inEnvironment() {
      return "MAINSTAY_" + name();
    }

    String meaning() {
      return meaning;
    }
  }

  /** What the launcher, the agents' doors and the server read themselves. */
  private static final List<String> OTHER_VARIABLES =
      List.of(
          "MAINSTAY_CACHE",
          "MAINSTAY_JAVA_HOME",
          "MAINSTAY_JAVA_OPTS",
          "MAINSTAY_PAGE",
          "MAINSTAY_TERMINAL");

  /** How many terminals may run at once unless something else is configured. */
  static final int TERMINALS_MAX = 10;

  private static final int TERMINALS_CONFIGURED_MAX = 1_000;
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  /** A value and where it came from. */
  record Value(String text, String origin) {}

  /** What a project's file sets only where the project is trusted: it runs or opens something. */
  private static final Set<Key> GUARDED =
      EnumSet.of(Key.DB, Key.NOTIFY_COMMAND, Key.SERVE_HOSTS, Key.OTEL_ENDPOINT, Key.TRUST_FOLDERS);

  private final Map<Key, Value> values = new LinkedHashMap<>();
  private final TrustedFolders folders;
  private final Standing standing;

  private Configuration(TrustedFolders folders, Standing standing) {
    this.folders = folders;
    this.standing = standing;
  }

  static Configuration load(@Nullable String dbFlag, Map<String, String> env, Project project) {
    UserFolders user = UserFolders.of(env);
    Path ownFile = ownFile(user);
    Map<String, String> own = ownSettings(user);
    TrustedFolders folders = new TrustedFolders(user, trusted(env, own, user));
    Standing standing = folders.settle(project.folder());
    Configuration configuration = new Configuration(folders, standing);
    Map<String, String> file = standing.opens() ? readFile(project.configFile()) : Map.of();
    refuseUnknownVariables(env);
    Sources sources = new Sources(env, standing.isTrusted() ? file : harmless(file), own, project);
    for (Key key : Key.values()) {
      String origin = ownFile == null ? "" : ownFile.toString();
      configuration.values.put(key, sources.find(key, dbFlag, origin));
    }
    configuration.check();
    configuration.refuseForeignStore(file, project);
    return configuration;
  }

  /**
   * The trusted folders of a user, with those that the environment or the user's own settings name.
   *
   * @throws Refusal if the user's own settings cannot be read
   */
  static TrustedFolders trustedFolders(Map<String, String> env) {
    UserFolders user = UserFolders.of(env);
    return new TrustedFolders(user, trusted(env, ownSettings(user), user));
  }

  private static Map<String, String> ownSettings(UserFolders user) {
    Path file = ownFile(user);
    return file == null ? Map.of() : readFile(file);
  }

  private static @Nullable Path ownFile(UserFolders user) {
    return user.config() == null ? null : user.config().resolve("config.toml");
  }

  private static List<Path> trusted(
      Map<String, String> env, Map<String, String> own, UserFolders user) {
    String given = env.getOrDefault(Key.TRUST_FOLDERS.inEnvironment(), "");
    String all = given.isBlank() ? own.getOrDefault(Key.TRUST_FOLDERS.inFile(), "") : given;
    return Arrays.stream(all.split(","))
        .map(String::strip)
        .filter(name -> name.startsWith("/") || name.startsWith("~/"))
        .map(name -> name.startsWith("~/") ? user.home().resolve(name.substring(2)) : Path.of(name))
        .toList();
  }

  private static Map<String, String> harmless(Map<String, String> file) {
    Map<String, String> rest = new LinkedHashMap<>(file);
    for (Key key : GUARDED) rest.remove(key.inFile());
    return rest;
  }

  /** Another store must not take the place of the one that a folder's own settings name. */
  private void refuseForeignStore(Map<String, String> file, Project project) {
    boolean ignored = !standing.isTrusted() && file.containsKey(Key.DB.inFile());
    if (!ignored || !get(Key.DB).origin().equals("default")) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s names another store, which counts only after 'mainstay trust --all'; run that, or name the store with --db",
            project.configFile()));
  }

  /** Whether this project's folder is believed. */
  Standing standing() {
    return standing;
  }

  TrustedFolders folders() {
    return folders;
  }

  /**
   * Whether tokens and orders in a store count. A store that lies in another {@code .mainstay} has
   * the standing of that folder.
   *
   * @throws Refusal if the store or this project's folder may not be opened
   */
  boolean mustOpen(StoreAddress address) {
    if (!standing.opens()) throw standing.refusal();
    Path folder = folderOf(address);
    if (folder == null) return true;
    Standing other = isSame(folder, standing.folder()) ? standing : folders.settle(folder);
    if (!other.opens()) throw other.refusal();
    return other.isTrusted();
  }

  private static @Nullable Path folderOf(StoreAddress address) {
    Path folder = address instanceof StoreAddress.File file ? file.path().getParent() : null;
    return folder != null && folder.endsWith(".mainstay") ? folder : null;
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return one.equals(other) || Files.isSameFile(one, other);
    } catch (IOException missing) {
      return false;
    }
  }

  /** A wrong value is refused at once, and not only where it is used. */
  private void check() {
    storeSettings();
    colour(false, Map.of());
    flag(Key.CONTEXT_USE_SNAPSHOT);
    retentionAge();
    terminalsMax();
    remindsAtStop();
    String notify = get(Key.NOTIFY_COMMAND).text();
    if (!notify.isBlank()) Argv.split(notify);
    if (get(Key.DB).text().isBlank()) {
      throw Refusal.invalid(
          Phrase.of("db (from %s) is empty; name a file or leave it out", get(Key.DB).origin()));
    }
  }

  /** Where values come from, the strongest first: environment, project, user. */
  private record Sources(
      Map<String, String> env, Map<String, String> file, Map<String, String> own, Project project) {
    Value find(Key key, @Nullable String dbFlag, String ownOrigin) {
      if (key == Key.DB && dbFlag != null) return new Value(dbFlag, "--db");
      String variable = env.getOrDefault(key.inEnvironment(), "");
      if (!variable.isBlank()) return new Value(variable, key.inEnvironment());
      String written = key == Key.TRUST_FOLDERS ? null : file.get(key.inFile());
      if (written != null) return named(key, written, project.configFile().toString());
      String usual = own.get(key.inFile());
      if (usual != null) return named(key, usual, ownOrigin);
      return new Value(key == Key.DB ? project.store().toString() : key.fallback, "default");
    }

    private Value named(Key key, String written, String origin) {
      return new Value(key == Key.DB ? fromProject(written, project) : written, origin);
    }
  }

  /** A file named in the project's configuration lies in the project, wherever one calls from. */
  private static String fromProject(String db, Project project) {
    if (db.isBlank() || db.contains("://")) return db;
    String home = System.getProperty("user.home", "");
    Path file = db.startsWith("~/") ? Path.of(home, db.substring(2)) : project.root().resolve(db);
    return file.normalize().toString();
  }

  private static Map<String, String> readFile(Path file) {
    if (!Files.exists(file))
      return Map.of(); // most projects have none, and a TOML reader costs time
    Map<String, String> settings = TomlFile.read(file);
    List<String> known = List.of(Key.values()).stream().map(Key::inFile).toList();
    for (String name : settings.keySet()) {
      if (!known.contains(name)) throw unknown(name, file.toString(), Nearest.guess(name, known));
    }
    return settings;
  }

  private static void refuseUnknownVariables(Map<String, String> env) {
    List<String> known = new ArrayList<>(OTHER_VARIABLES);
    for (Key key : Key.values()) known.add(key.inEnvironment());
    for (String name : env.keySet()) {
      if (name.startsWith("MAINSTAY_") && !known.contains(name)) {
        throw unknown(name, "the environment", Nearest.guess(name, known));
      }
    }
  }

  private static Refusal unknown(String name, String where, String guess) {
    return Refusal.invalid(Phrase.of("there is no setting \"%s\" (in %s); %s", name, where, guess));
  }

  Value get(Key key) {
    Value value = values.get(key);
    if (value == null) throw new IllegalStateException("no value for " + key);
    return value;
  }

  StoreSettings storeSettings() {
    return StoreSettings.DEFAULT
        .withKeyLife(duration(Key.KEY_LIFE))
        .withPatience(duration(Key.PATIENCE));
  }

  /** How old what is over must be before a server archives it; none when it never does. */
  Optional<Duration> retentionAge() {
    if (get(Key.RETENTION_AGE).text().isBlank()) return Optional.empty();
    return Optional.of(duration(Key.RETENTION_AGE));
  }

  /** How many terminals may run at once. */
  int terminalsMax() {
    Value value = get(Key.TERMINALS_MAX);
    String typed = value.text().strip();
    int most = typed.matches("\\d{1,9}") ? Integer.parseInt(typed) : 0;
    if (most >= 1 && most <= TERMINALS_CONFIGURED_MAX) return most;
    throw Refusal.invalid(
        Phrase.of(
            "terminals.max (from %s) must be a number from 1 to %,d, not \"%s\"",
            value.origin(), TERMINALS_CONFIGURED_MAX, value.text()));
  }

  /** Whether an agent that stops is told what is left. */
  boolean remindsAtStop() {
    Value value = get(Key.HOOKS_STOP);
    return switch (value.text().strip().toLowerCase(Locale.ROOT)) {
      case "remind" -> true;
      case "off" -> false;
      default ->
          throw Refusal.invalid(
              Phrase.of(
                  "hooks.stop (from %s) must be off or remind, not \"%s\"",
                  value.origin(), value.text()));
    };
  }

  boolean flag(Key key) {
    Value value = get(key);
    return switch (value.text().strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw Refusal.invalid(
              Phrase.of(
                  "%s (from %s) must be true or false, not \"%s\"",
                  key.inFile(), value.origin(), value.text()));
    };
  }

  private Duration duration(Key key) {
    Value value = get(key);
    Matcher matcher = DURATION.matcher(value.text().strip());
    if (!matcher.matches()) {
      throw Refusal.invalid(
          Phrase.of(
              "%s (from %s) must be a time such as 500ms, 30s, 10m, 12h or 7d, not \"%s\"",
              key.inFile(), value.origin(), value.text()));
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }

  /** Whether to use colour, where a terminal would show it. */
  boolean colour(boolean onTerminal, Map<String, String> env) {
    boolean plain = !env.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(env.get("TERM"));
    return switch (get(Key.COLOR).text()) {
      case "always" -> !plain;
      case "never" -> false;
      case "auto" -> onTerminal && !plain;
      default ->
          throw Refusal.invalid(
              Phrase.of("color (from %s) must be auto, always or never", get(Key.COLOR).origin()));
    };
  }
}
