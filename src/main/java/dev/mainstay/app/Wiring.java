package dev.mainstay.app;

import dev.mainstay.access.LocalToken;
import dev.mainstay.app.Configuration.Key;
import dev.mainstay.cli.House;
import dev.mainstay.cli.Services;
import dev.mainstay.cli.Serving;
import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.upkeep.Doctor;
import dev.mainstay.upkeep.Upkeep;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Introduces the rooms to the command line: configuration in, open store out. */
final class Wiring implements Services {
  private static final Duration NOTIFY_LIMIT = Duration.ofSeconds(10);

  private final Map<String, String> env;
  private final Project project;

  Wiring(Map<String, String> env, Path folder) {
    this.env = env;
    this.project = Project.around(folder);
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
    return Mainstay.open(address(configuration), configuration, project.root());
  }

  @Override
  public House openExisting(@Nullable String db) {
    Configuration configuration = configuration(db);
    StoreAddress address = address(configuration);
    if (address instanceof StoreAddress.File file && !Files.exists(file.path())) {
      throw Refusal.notFound(
          Phrase.of(
              "there is no store at %s yet; 'mainstay task create TITLE' and 'mainstay exec init --goal GOAL' make one, or name another with --db",
              file.path()));
    }
    return Mainstay.open(address, configuration, project.root());
  }

  @Override
  public void restore(Path backup, @Nullable String db) {
    Configuration configuration = configuration(db);
    Upkeep.restore(backup, address(configuration), configuration.storeSettings());
  }

  @Override
  public List<Doctor.Finding> examine(@Nullable String db) {
    Configuration configuration = configuration(db);
    return Doctor.examine(address(configuration), configuration.storeSettings(), project.root());
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
    return RunningServer.start(
        configuration, address(configuration), project.root(), localToken(), wanted);
  }

  @Override
  public LocalToken localToken() {
    String user = env.getOrDefault("USER", System.getProperty("user.name", "somebody"));
    return new LocalToken(project.root().resolve(".mainstay"), user);
  }

  boolean colour(boolean onTerminal) {
    return configuration(null).colour(onTerminal, env);
  }

  @Override
  public String version() {
    try (InputStream in = Wiring.class.getResourceAsStream("version")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
