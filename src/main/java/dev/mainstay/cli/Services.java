package dev.mainstay.cli;

import dev.mainstay.access.LocalToken;
import dev.mainstay.upkeep.Doctor;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the command line needs of the rest of the product; {@code db} is the --db flag. */
public interface Services {
  /** Opens the store, and makes it when there is none. */
  House open(@Nullable String db);

  /** Opens a store that must be there; looking around makes no files. */
  House openExisting(@Nullable String db);

  void restore(Path backup, @Nullable String db);

  List<Doctor.Finding> examine(@Nullable String db);

  /** The root of the worktree in which the command was called. */
  Path workDir();

  /** The root of the repository, whose store all its worktrees share. */
  Path root();

  /** Whether agents are sent a snapshot in place of the full history. */
  boolean useSnapshot();

  /**
   * Tells a person who may be elsewhere, by the command of the settings, if there is one; false
   * when that went wrong.
   */
  boolean notifyPerson(String message);

  /** Runs a program on the person's own terminal until it ends; whether it ended well. */
  boolean show(List<String> argv);

  /** Every setting, its value, and where that came from. */
  List<Setting> settings(@Nullable String db);

  record Setting(String key, String value, String origin) {}

  /** Starts the server over the store. */
  Serving serve(@Nullable String db, Serving.Wanted wanted);

  /** Speaks MCP on standard input and output until the input ends; the exit code. */
  int mcp(@Nullable String db);

  /** Hears an event of an agent's host. No fault of ours gets through to the agent. */
  Heard hear(@Nullable String db, String event, @Nullable String agent, byte[] payload);

  /** What the host is answered. */
  record Heard(String out, String err, int exit) {}

  /** The token of the person whose project this is. */
  LocalToken localToken();

  String version();
}
