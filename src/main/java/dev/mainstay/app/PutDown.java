package dev.mainstay.app;

import dev.mainstay.app.Spool.Taken;
import dev.mainstay.hook.Told;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Standard input, or what the launcher put down in its place for an owner that did not take it. An
 * owner that takes it at the last moment has it, and nothing is done twice.
 */
record PutDown(@Nullable Spool spool, @Nullable Taken taken) implements AutoCloseable {
  private static final int UNAVAILABLE = 5;

  /** Opens what lies at the path; standard input itself if the path is empty. */
  static PutDown open(String path) {
    if (path.isEmpty()) return new PutDown(null, null);
    Path file = Path.of(path);
    Path folder = file.toAbsolutePath().getParent();
    Spool spool = new Spool(folder == null ? Path.of("/") : folder);
    return new PutDown(spool, spool.take(String.valueOf(file.getFileName())).orElse(null));
  }

  boolean isOurs() {
    return spool == null || taken != null;
  }

  InputStream in() {
    return taken == null ? System.in : taken.request().input();
  }

  /**
   * The environment, with the name of what was put down, by which it may be heard again, and with
   * what only the launcher says.
   */
  Map<String, String> env(Map<String, String> own) {
    if (taken == null) return own;
    Map<String, String> env = new HashMap<>(own);
    for (String each : List.of(Told.RECEIPT, Told.STARTER)) {
      String told = taken.request().caller().env().get(each);
      if (told == null) env.remove(each);
      else env.put(each, told);
    }
    return env;
  }

  /** Says that somebody else has it; an agent is not disturbed by that. */
  int exit(PrintStream err, String[] args) {
    if (args.length > 0 && args[0].equals("hook")) return 0;
    err.println(
        "mainstay: the process that has the store open took the command; look whether it was done");
    return UNAVAILABLE;
  }

  /** The exit code for the caller; an event that could not be kept now waits in the spool again. */
  int settled(int exit) {
    if (exit != HookDoor.LEFT) return exit;
    if (spool != null && taken != null) spool.putBack(taken);
    return 0;
  }

  @Override
  public void close() {
    if (spool != null && taken != null) spool.remove(taken);
  }
}
