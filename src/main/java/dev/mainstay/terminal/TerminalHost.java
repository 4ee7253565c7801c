package dev.mainstay.terminal;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.LockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The machine we are on, as far as terminals are concerned: its tmux servers, and whose turn it is
 * at a terminal when several processes want something of it. tmux is reached on first use.
 */
public final class TerminalHost implements AutoCloseable {
  /** A tmux server that was reached. */
  record Tmux(TmuxServer server, Panes panes, Typing typing) {}

  private final String name;
  private final TmuxSocket socket;
  private final Path folder;
  private final boolean isTrusted;
  private final Map<String, Tmux> open = new HashMap<>();
  private boolean closed;

  /**
   * A host by its name.
   *
   * @param socket where new terminals are started
   * @param folder for files and locks that all processes of this host share
   */
  public TerminalHost(String name, TmuxSocket socket, Path folder) {
    this(name, socket, folder, true);
  }

  /**
   * A host whose store may have come from elsewhere.
   *
   * @param isTrusted whether terminals may name tmux sockets other than this one
   */
  public TerminalHost(String name, TmuxSocket socket, Path folder, boolean isTrusted) {
    this.name = name;
    this.socket = socket;
    this.folder = folder.toAbsolutePath().normalize();
    this.isTrusted = isTrusted;
  }

  public String name() {
    return name;
  }

  public TmuxSocket socket() {
    return socket;
  }

  /** The tmux of new terminals; started if need be, refused if it is not installed. */
  Tmux tmux() {
    return at(socket);
  }

  /** The tmux of a terminal, which must be on this host. */
  Tmux tmuxOf(Seat.Window window) {
    TmuxSocket wanted = TmuxSocket.parse(window.socket());
    if (isTrusted || wanted.equals(socket)) return at(wanted);
    throw Refusal.conflict(
        Phrase.of(
            "the tmux socket %s is not one of this store, whose folder was opened for its tasks and notes alone",
            wanted.text()));
  }

  private synchronized Tmux at(TmuxSocket wanted) {
    if (closed) throw Refusal.unavailable("the connection to tmux is closed", null);
    Tmux known = open.get(wanted.text());
    if (known != null) return known;
    if (wanted.equals(socket)) makeFolder();
    TmuxServer server = TmuxServer.open(wanted);
    Panes panes = new Panes(server, folder.resolve("tmux-" + wanted.slug()));
    Tmux made = new Tmux(server, panes, new Typing(panes));
    open.put(wanted.text(), made);
    return made;
  }

  /** A socket may lie in it; that of others is never made. */
  private void makeFolder() {
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException unusable) {
      throw Refusal.unavailable(
          "the folder for terminals at " + folder + " cannot be used; see that you may write there",
          unusable);
    }
  }

  boolean isHere(Terminal terminal) {
    return terminal.seat() != null && terminal.seat().window().host().equals(name);
  }

  /** A terminal's seat; refused when it is a machine elsewhere that has it. */
  Seat seatHere(Terminal terminal) {
    Seat seat = terminal.seated();
    if (isHere(terminal)) return seat;
    throw Refusal.conflict(
        Phrase.of(
            "%s runs on %s and this is %s; ask there", terminal.id(), seat.window().host(), name));
  }

  /** A folder for what an agent is given in files, readable for its owner alone. */
  Path agentFolder(String terminal) {
    return folder.resolve("agents").resolve(TmuxNames.check("window", terminal));
  }

  /** Does something while no other process or thread does anything to the same terminal. */
  <T> T inTurn(String terminal, Supplier<T> work) {
    try (LockFile lock = LockFile.open(lockFile("turn-" + TmuxNames.check("window", terminal)))) {
      lock.lock();
      try {
        return work.get();
      } finally {
        lock.unlock();
      }
    } catch (IOException unusable) {
      throw Refusal.unavailable(
          "the folder for terminals at " + folder + " cannot be used; see that you may write there",
          unusable);
    }
  }

  /** The lock of the one process that looks after the terminals of this host. */
  LockFile watch() throws IOException {
    return LockFile.open(lockFile("watch"));
  }

  private Path lockFile(String file) throws IOException {
    Path locks = folder.resolve("locks");
    if (!Files.isDirectory(locks)) {
      Files.createDirectories(locks);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    return locks.resolve(file);
  }

  /** Ends the connections; terminals go on. */
  @Override
  public synchronized void close() {
    closed = true;
    open.values().forEach(each -> each.server().close());
    open.clear();
  }
}
