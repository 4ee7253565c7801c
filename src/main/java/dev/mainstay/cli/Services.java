package dev.mainstay.cli;

import dev.mainstay.access.LocalToken;
import dev.mainstay.terminal.Places;
import dev.mainstay.trust.Standing;
import dev.mainstay.upkeep.Doctor;
import dev.mainstay.upkeep.ForeignContent;
import dev.mainstay.upkeep.OnlineBackups;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the command line needs of the rest of the product; {@code db} is the --db flag. */
public interface Services {
  /** Opens the store, and makes it when there is none. */
  House open(@Nullable String db);

  /** Opens a store that must be there; looking around makes no files. */
  House openExisting(@Nullable String db);

  /**
   * Makes a store of a backup; what it would make Mainstay believe enters only if all of it is
   * wanted, and is returned.
   */
  List<ForeignContent.Item> restore(Path backup, @Nullable String db, boolean all);

  /** The same of an export, where there is no store or an empty one. */
  List<ForeignContent.Item> importFrom(Path export, @Nullable String db, boolean all);

  /** Brings a deleted store back from its online backup; which one it was. */
  OnlineBackups.Saved restoreLatest(@Nullable String db);

  /** Sets the online backups of a deleted store aside and makes a new one; how many there were. */
  int declineBackups(@Nullable String db);

  List<Doctor.Finding> examine(@Nullable String db);

  /** The root of the worktree in which the command was called. */
  Path workDir();

  /** The root of the repository, whose store all its worktrees share. */
  Path root();

  /** Where profiles and providers are read from. */
  Places places();

  /** Whether this project's {@code .mainstay} is believed. */
  Standing standing();

  /** What the project's folder makes Mainstay believe if it is trusted; nothing is changed. */
  List<ForeignContent.Item> foreignContent();

  /** Opens the project's folder as a person decided: its tasks and notes, or everything in it. */
  void trust(boolean all);

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
