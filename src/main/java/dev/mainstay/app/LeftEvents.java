package dev.mainstay.app;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/** The events of hooks that an owner of the socket should have taken, and did not. */
final class LeftEvents implements Desk.Performer {
  /** What must know them before it answers. */
  private static final Set<String> NEEDED_BY = Set.of("hook", "prompt");

  private final Project project;

  private LeftEvents(Project project) {
    this.project = project;
  }

  /** Hears them now, in their order, if the command needs what they tell. */
  static void hearBefore(String[] args, Map<String, String> env, Path folder) {
    if (args.length == 0 || !NEEDED_BY.contains(args[0])) return;
    Project project = Project.around(Request.place(args[0], env, folder));
    Spool spool = Spool.of(project);
    if (!spool.isThere()) return;
    spool.tidy(Instant.now());
    try (Desk desk = new Desk(spool, new LeftEvents(project))) {
      desk.drain();
    }
  }

  @Override
  public boolean accepts(Request request) {
    return request.isHook() && project.isAround(request.place());
  }

  @Override
  public Desk.Done perform(Request request) {
    return SharedStore.run(request, new Wiring(request.caller().env(), request.caller().folder()));
  }
}
