package dev.mainstay.app;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers the launchers of a project on a Unix socket for as long as it is open, if nobody else
 * does. Of all that are open one is the owner, by a lock that a dead process gives up; the others
 * stand by and take over.
 */
final class SocketOwner implements SharedStore.Answering {
  static final Duration STAND_BY = Duration.ofSeconds(2);

  /** As long as those who were heard have for their answers, and a little more. */
  static final Duration CLOSE_LIMIT = Duration.ofSeconds(8);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /** A lock belongs to a process, and is lost when any channel of the file is closed in it. */
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Project project;
  private final Map<String, String> env;
  private final Build build;
  private final Desk.Performer performer;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);

  private SocketOwner(
      Project project, Map<String, String> env, Build build, Desk.Performer performer) {
    this.project = project;
    this.env = Map.copyOf(env);
    this.build = build;
    this.performer = performer;
    this.thread = new Thread(this::run, "mainstay-socket");
    thread.setDaemon(true);
  }

  static SocketOwner start(
      Project project, Map<String, String> env, Build build, Desk.Performer performer) {
    SocketOwner owner = new SocketOwner(project, env, build, performer);
    owner.thread.start();
    return owner;
  }

  private Path lockFile() {
    return project.folder().resolve("socket.lock");
  }

  private void run() {
    while (!isClosed(Duration.ZERO) && build.isStillThere()) {
      try {
        own();
      } catch (IOException | UnsupportedOperationException unfit) {
        // Without a socket everything works as well; the next turn tries again.
      }
      if (isClosed(STAND_BY)) return;
    }
  }

  private boolean isClosed(Duration within) {
    try {
      return closed.await(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException told) {
      return true;
    }
  }

  /** Owns the socket until this is closed, if nobody else owns it. */
  private void own() throws IOException {
    Path file = lockFile().toAbsolutePath().normalize();
    if (!HELD_HERE.add(file)) return;
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      FileLock lock = lock(channel);
      if (lock != null) listen();
    } finally {
      HELD_HERE.remove(file);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldHere) {
      return null;
    }
  }

  @SuppressWarnings("try") // the watch is only to be closed
  private void listen() throws IOException {
    Spool spool = Spool.of(project);
    spool.prepare();
    Path socket = SocketPlace.of(project.folder(), env);
    try (Desk desk = new Desk(spool, performer);
        SocketDoor door = SocketDoor.open(socket, desk);
        SpoolWatch watch = SpoolWatch.start(spool, desk)) {
      // The first answer takes long in a young JVM, so it is not given to a hook.
      SocketQuestion.isAnswered(socket, STAND_BY);
      write(socket);
      do {
        spool.tidy(Instant.now());
        desk.drain();
      } while (door.isOpen() && !isClosed(STAND_BY) && build.isStillThere());
      Files.deleteIfExists(SocketState.file(project)); // first, so that nobody comes any more
    } finally {
      Files.deleteIfExists(socket);
    }
  }

  private void write(Path socket) throws IOException {
    String version = build.version();
    long process = ProcessHandle.current().pid();
    String lines = new SocketState(socket, build.jar(), process, version).lines();
    Path fresh = project.folder().resolve(".socket.new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    Files.write(fresh, lines.getBytes(StandardCharsets.UTF_8));
    Files.move(
        fresh,
        SocketState.file(project),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Gives the socket up, once those who were heard have their answers; somebody who is still not
   * done after {@link #CLOSE_LIMIT} is not waited for.
   */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(CLOSE_LIMIT.toMillis());
      if (!thread.isAlive()) return;
      withdraw();
      thread.interrupt();
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
  }

  private void withdraw() {
    long process = ProcessHandle.current().pid();
    if (SocketState.read(project).filter(note -> note.process() == process).isEmpty()) return;
    try {
      Files.deleteIfExists(SocketState.file(project));
    } catch (IOException left) {
      // Launchers see by themselves that the process it names is gone.
    }
  }
}
