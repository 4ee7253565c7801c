package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.cli.Io.Screen;
import dev.mainstay.trust.UserFolders;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the hot commands of others over a store that this process has open, as if they had been
 * called where their caller is. What might not be the same here is left to a process of its own.
 */
final class SharedStore implements Desk.Performer {
  /** Goes on until it is closed. */
  interface Answering extends AutoCloseable {
    @Override
    void close();
  }

  private static final int FAULT = 70;

  /** In its turn every process gets to write sooner, however many there are. */
  private static final Duration STUCK_AFTER = Duration.ofMillis(150);

  /** Any command of these nouns. */
  private static final Set<String> NOUNS = Set.of("hook", "prompt", "dump", "plan", "directive");

  /** Only these commands of these nouns: none of them waits, follows, or names a file. */
  private static final Map<String, Set<String>> COMMANDS =
      Map.of(
          "task",
          Set.of(
              "create",
              "show",
              "list",
              "ready",
              "claim",
              "start",
              "heartbeat",
              "complete",
              "fail",
              "release"),
          "state",
          Set.of("show", "merge"),
          "criteria",
          Set.of("list"),
          "inbox",
          Set.of("list", "send"),
          "checkpoint",
          Set.of("save", "list"));

  /** Options that name another store or a file, or wait. */
  private static final List<String> DECLINED_OPTIONS = List.of("--db", "--wait", "--from", "@");

  private final Mainstay mainstay;
  private final Project project;
  private final UserFolders user;
  private final Build build;

  private SharedStore(Mainstay mainstay, Project project, UserFolders user, Build build) {
    this.mainstay = mainstay;
    this.project = project;
    this.user = user;
    this.build = build;
  }

  /**
   * Answers the launchers of the project with this store for as long as it is open; closing it
   * comes before closing the store. Does nothing where the project's settings name another store.
   */
  static Answering answerLaunchers(Mainstay mainstay, Map<String, String> env) {
    Wiring wiring = new Wiring(env, mainstay.root());
    Optional<Build> build = Build.current(wiring.version());
    if (build.isEmpty() || !wiring.names(mainstay)) return () -> {};
    return answerLaunchers(mainstay, env, build.get());
  }

  static Answering answerLaunchers(Mainstay mainstay, Map<String, String> env, Build build) {
    UserFolders user = UserFolders.of(env);
    Project project = Project.around(mainstay.root(), user);
    var shared = new SharedStore(mainstay, project, user, build);
    return SocketOwner.start(project, env, build, shared);
  }

  @Override
  public boolean accepts(Request request) {
    return isHot(request.args())
        && request.caller().jar().equals(build.jar())
        && build.isStillThere()
        && project.isAround(request.place(), user)
        && new Wiring(request.caller().env(), request.place()).names(mainstay);
  }

  static boolean isHot(List<String> args) {
    if (args.size() < 2) return false;
    for (String arg : args) {
      if (DECLINED_OPTIONS.stream().anyMatch(arg::startsWith)) return false;
    }
    // A file of updates would be looked for in the wrong folder.
    if (args.get(0).equals("state") && args.get(1).equals("merge") && !args.contains("-")) {
      return false;
    }
    return NOUNS.contains(args.get(0))
        || COMMANDS.getOrDefault(args.get(0), Set.of()).contains(args.get(1));
  }

  @Override
  public boolean isStuck() {
    return mainstay.stalledFor().compareTo(STUCK_AFTER) > 0;
  }

  @Override
  public Desk.Done perform(Request request) {
    var caller = request.caller();
    return run(request, new Wiring(caller.env(), caller.folder()).sharing(mainstay));
  }

  /** Runs the command to its end as its caller would have. */
  static Desk.Done run(Request request, Wiring wiring) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var caller = request.caller();
    var io =
        new Io(
            request.input(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            caller.env(),
            Screen.PIPE.attended(caller.attended()));
    int exit;
    try {
      String[] args = request.args().toArray(String[]::new);
      exit = Door.run(args, io, wiring);
    } catch (RuntimeException | Error bug) {
      io.err().println("mainstay: an error that should not happen; please report it: " + bug);
      io.err().flush();
      exit = request.isHook() ? 0 : FAULT;
    }
    return new Desk.Done(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
