package dev.mainstay.app;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.terminal.Agents;
import dev.mainstay.terminal.Launches;
import dev.mainstay.terminal.Places;
import dev.mainstay.terminal.TerminalHost;
import dev.mainstay.terminal.TmuxSocket;
import dev.mainstay.trust.TrustedFolders;
import dev.mainstay.trust.UserFolders;
import dev.mainstay.workspace.Host;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What terminals need to know of the world around them. All processes of one host and user that use
 * the same store find the same tmux.
 *
 * @param root of the project, in which agents work unless they are told otherwise
 * @param db the store as it was named
 * @param isTrusted whether the project's own profiles and providers are used
 * @param folders tells which {@code .mainstay} folders are trusted
 */
record TerminalSetup(
    Path root,
    Map<String, String> env,
    int liveMax,
    String db,
    boolean isTrusted,
    TrustedFolders folders) {
  private static final int SOCKET_CODE_CHARS = 8;

  TerminalSetup(Path root, Map<String, String> env, int liveMax, String db) {
    this(root, env, liveMax, db, true, new TrustedFolders(UserFolders.of(env), List.of()));
  }

  TerminalSetup {
    env = Map.copyOf(env);
  }

  /** For a program that uses Mainstay as a library. */
  static TerminalSetup usual() {
    return new TerminalSetup(Path.of(""), System.getenv(), Launches.Settings.LIVE_MAX, "");
  }

  /** Makes the folder of a store and marks it as made here, if it is one of Mainstay's own. */
  void makeFolder(StoreAddress address) {
    missingFolder(address).ifPresent(folders::make);
  }

  /** Makes the folder again for a backup; it is trusted no more than the one that was there. */
  void makeFolderAgain(StoreAddress address) {
    missingFolder(address).ifPresent(folders::makeAgain);
  }

  private static Optional<Path> missingFolder(StoreAddress address) {
    return address instanceof StoreAddress.File file
        ? Optional.ofNullable(file.path().getParent())
            .filter(folder -> folder.endsWith(".mainstay") && !Files.exists(folder))
        : Optional.empty();
  }

  /** Makes the folder for the view of a workspace, marked as made here, if there is none. */
  void makeFolderIn(Path workspace) {
    Path folder = workspace.toAbsolutePath().normalize().resolve(".mainstay");
    boolean isMissing = !Files.exists(folder, LinkOption.NOFOLLOW_LINKS);
    if (isMissing && Files.isWritable(workspace)) {
      folders.make(folder);
    }
  }

  Agents agents() {
    return Agents.of(Places.of(root.resolve(".mainstay"), env, isTrusted));
  }

  TerminalHost host(StoreAddress address) {
    String code = JournalEntry.sha256(address.shown()).substring(0, SOCKET_CODE_CHARS);
    String name = TmuxSocket.USUAL + "-" + code;
    Path own = folder().toAbsolutePath().normalize().resolve(name);
    return new TerminalHost(Host.current(), socket(own.resolve("s"), name), own, isTrusted);
  }

  /**
   * Where its owner alone may go, so that nobody else finds another tmux under the same name and
   * takes the terminals for gone; a path that is too long for a socket is left to tmux.
   */
  private static TmuxSocket socket(Path path, String name) {
    try {
      return TmuxSocket.at(path);
    } catch (Refusal tooLong) {
      return TmuxSocket.named(name);
    }
  }

  /** Where programs keep what they need again after a restart, as others do. */
  private Path folder() {
    String state = env.getOrDefault("XDG_STATE_HOME", "");
    if (!state.isEmpty() && Path.of(state).isAbsolute()) return Path.of(state, "mainstay");
    String home = env.getOrDefault("HOME", "");
    return home.isEmpty()
        ? root.resolve(".mainstay").resolve("terminals")
        : Path.of(home, ".local", "state", "mainstay");
  }

  /** An agent finds the same store and the same programs as whoever starts it, and Mainstay. */
  Launches.Settings settings(StoreAddress address) {
    Map<String, String> environment = new HashMap<>();
    String path = env.getOrDefault("PATH", "");
    String launcher = System.getProperty("mainstay.launcher", "");
    Path bin = launcher.isEmpty() ? null : Path.of(launcher).toAbsolutePath().getParent();
    if (bin != null) path = path.isEmpty() ? bin.toString() : path + File.pathSeparator + bin;
    if (!path.isEmpty()) environment.put("PATH", path);
    if (address instanceof StoreAddress.File file) {
      environment.put("MAINSTAY_DB", file.path().toAbsolutePath().toString());
    } else if (!db.isEmpty()) {
      environment.put("MAINSTAY_DB", db);
    }
    return new Launches.Settings(liveMax, environment);
  }
}
