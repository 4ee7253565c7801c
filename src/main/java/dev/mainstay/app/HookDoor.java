package dev.mainstay.app;

import dev.mainstay.app.Configuration.Key;
import dev.mainstay.cli.Services.Heard;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.AgentName;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.hook.Answer;
import dev.mainstay.hook.Happening;
import dev.mainstay.hook.Hooks;
import dev.mainstay.hook.Told;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.trust.Standing;
import dev.mainstay.trust.UserFolders;
import dev.mainstay.upkeep.HookLog;
import dev.mainstay.upkeep.OnlineBackups;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where hooks come in. Whatever goes wrong here, the agent goes on: it reads nothing, the exit code
 * is 0, and the fault is a line in the log of hooks, which {@code mainstay doctor} shows.
 */
final class HookDoor {
  /** An agent waits for its hooks, so a store that cannot be written to is not waited for long. */
  private static final Duration PATIENCE_MAX = Duration.ofSeconds(3);

  /** What a hung process may have locked is not waited for: its launcher waited for it already. */
  static final Duration HUNG_PATIENCE_MAX = Duration.ofMillis(40);

  /**
   * The exit code of an event that lies in the spool and could not be kept: it stays there. A host
   * never sees it.
   */
  static final int LEFT = 75;

  private static final Heard NOTHING = new Heard("", "", 0);
  private static final Heard LATER = new Heard("", "", LEFT);

  private final Map<String, String> env;
  private final Path folder;
  private final Function<Project, Configuration> settings;
  private final BiFunction<Project, Configuration, Mainstay> opening;

  HookDoor(
      Map<String, String> env,
      Path folder,
      Function<Project, Configuration> settings,
      BiFunction<Project, Configuration, Mainstay> opening) {
    this.env = env;
    this.folder = folder;
    this.settings = settings;
    this.opening = opening;
  }

  /** The agent that was named, or the one in whose environment this runs. */
  private String agent(@Nullable String named) {
    if (named != null) return AgentName.of(named);
    List<String> around = AgentName.around(env);
    return around.isEmpty() ? AgentName.CLAUDE_CODE : around.get(0);
  }

  Heard hear(String event, @Nullable String named, byte[] payload) {
    UserFolders user = UserFolders.of(env);
    Project project = Project.around(folder, user);
    try {
      Told told = new Told(event, agent(named), text(payload), folder, env);
      Happening happening = Happening.of(told);
      if (!happening.isOfInterest()) return NOTHING;
      project = Project.around(happening.folder(), user);
      return hear(happening, project);
    } catch (RuntimeException | Error fault) {
      new HookLog(project.folder()).note(shown(event), fault);
      return isForLater(fault) ? LATER : NOTHING;
    }
  }

  /** What has a name in the spool may be heard again; nothing that was done is done twice. */
  private boolean isForLater(Throwable fault) {
    return env.containsKey(Told.RECEIPT)
        && fault instanceof Refusal refused
        && refused.code() == Refusal.Code.STORE_UNAVAILABLE;
  }

  private Heard hear(Happening happening, Project project) {
    Configuration configuration = settings.apply(project);
    Standing standing = configuration.standing();
    if (!standing.opens()) return heard(Hooks.notice(happening, standing.toAgent()));
    var backups = OnlineBackups.of(StoreAddress.parse(configuration.get(Key.DB).text()), env);
    var missing = backups.flatMap(OnlineBackups::ofMissingStore);
    if (missing.isPresent()) return queued(happening, backups.get().queue(), missing.get());
    if (!isSetUp(project, configuration)) return NOTHING;
    HookLog log = new HookLog(project.folder());
    var setting =
        new Hooks.Setting(
            configuration.remindsAtStop(), fault -> log.note(happening.told().event(), fault));
    try (Mainstay house = opening.apply(project, configuration)) {
      Heard heard = heard(house, new Hooks(house, setting), happening);
      if (happening.endsTurn()) saveOnline(house, log, happening);
      return heard;
    }
  }

  /** Where no process runs for long, the end of a turn is when the backup is made. */
  private static void saveOnline(Mainstay house, HookLog log, Happening happening) {
    try {
      house.saveOnline(OnlineBackups.TURN_AGE_MAX);
    } catch (RuntimeException fault) {
      // A home that is read-only, as in a sandbox, is the doctor's to show and no fault of a hook.
      boolean readOnly = fault instanceof Refusal no && no.code() == Refusal.Code.READ_ONLY;
      if (!readOnly) log.note(happening.told().event(), fault);
    }
  }

  /** Keeps an event outside of the project until a person has decided about its deleted store. */
  private Heard queued(Happening happening, Path folder, OnlineBackups.Saved backup) {
    Told told = happening.told();
    String jar = Build.current(Wiring.programVersion()).map(Build::jar).orElse("");
    var caller = new Request.Caller(jar, told.folder().toAbsolutePath(), false, told.env());
    List<String> args = List.of("hook", told.event(), "--agent", told.agent());
    byte[] input = told.payload().getBytes(StandardCharsets.UTF_8);
    String name = told.env().getOrDefault(Told.RECEIPT, "hook-" + UUID.randomUUID());
    String kept = "is kept";
    try {
      Spool queue = new Spool(folder);
      queue.put(name, Request.ofHook(caller, args, input));
      queue.tidy(Instant.now());
    } catch (IOException unwritable) {
      kept = "cannot be kept";
    }
    Answer answer =
        Hooks.say(
            happening,
            Phrase.of(
                "Mainstay: the store of this project was deleted; there is a backup of %s. What happens now %s until a person decides. Ask the person to run 'mainstay restore --latest', which brings the store back, or 'mainstay restore --decline', which begins a new one.",
                backup.shownAt(), kept));
    return new Heard(answer.out(), answer.err(), answer.exit());
  }

  private static Heard heard(Mainstay house, Hooks hooks, Happening happening) {
    try {
      return heard(hooks.hear(happening));
    } catch (Refusal refused) {
      var agent = Actor.agent(happening.host().agent());
      if (refused.isReserved()) house.noteRefused(Call.by(agent, "hook"), refused);
      throw refused;
    }
  }

  private static Heard heard(Answer answer) {
    return new Heard(answer.out(), answer.err(), answer.exit());
  }

  /** A hook makes no store where nobody wanted one. */
  private static boolean isSetUp(Project project, Configuration configuration) {
    StoreAddress address = StoreAddress.parse(configuration.get(Key.DB).text());
    return !(address instanceof StoreAddress.File file)
        || Files.exists(file.path())
        || Files.isDirectory(project.folder(), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * For how long a hook waits for its turn, in a process whose launcher found no hung owner or one.
   */
  static Duration patience(Duration usual) {
    Duration most = Boolean.getBoolean("mainstay.hung") ? HUNG_PATIENCE_MAX : PATIENCE_MAX;
    return usual.compareTo(most) < 0 ? usual : most;
  }

  private static String text(byte[] payload) {
    if (payload.length > JsonText.DOCUMENT_BYTES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "the payload is larger than %,d bytes; nothing was noted",
              JsonText.DOCUMENT_BYTES_MAX));
    }
    return new String(payload, StandardCharsets.UTF_8);
  }

  private static String shown(String event) {
    return event.length() > 64 ? event.substring(0, 64) : event;
  }
}
