package dev.mainstay.app;

import dev.mainstay.domain.Refusal;
import dev.mainstay.trust.UserFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** The events of hooks that an owner of the socket should have taken, and did not. */
final class LeftEvents implements Desk.Performer {
  /** What must know them before it answers. */
  private static final Set<String> NEEDED_BY = Set.of("hook", "prompt");

  /** An agent waits for its hook: what is not heard by then is heard by the next ones. */
  private static final Duration HOOK_LIMIT = Duration.ofMillis(250);

  private static final Duration PROMPT_LIMIT = Duration.ofSeconds(30);

  private final Project project;
  private final UserFolders user;
  private final long deadline;

  private LeftEvents(Project project, UserFolders user, Duration limit) {
    this.project = project;
    this.user = user;
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /** Hears them now, in their order, if the command needs what they tell. */
  static void hearBefore(String[] args, Map<String, String> env, Path folder) {
    if (args.length == 0 || !NEEDED_BY.contains(args[0])) return;
    UserFolders user = UserFolders.of(env);
    Project project = Project.around(Request.place(args[0], env, folder), user);
    Spool spool = Spool.of(project);
    if (!spool.isThere()) return;
    // What waits in a folder that came from elsewhere was not said here.
    if (!opens(project, env)) return;
    spool.tidy(Instant.now());
    Duration limit = args[0].equals("hook") ? HOOK_LIMIT : PROMPT_LIMIT;
    try (Desk desk = new Desk(spool, new LeftEvents(project, user, limit))) {
      desk.drain();
    }
  }

  private static boolean opens(Project project, Map<String, String> env) {
    try {
      return Configuration.trustedFolders(env).settle(project.folder()).opens();
    } catch (Refusal unreadableSettings) {
      return false; // the command itself reports it
    }
  }

  @Override
  public boolean accepts(Request request) {
    return request.isHook()
        && project.isAround(request.place(), user)
        && System.nanoTime() < deadline;
  }

  @Override
  public Desk.Done perform(Request request) {
    return SharedStore.run(request, new Wiring(request.caller().env(), request.caller().folder()));
  }
}
