package dev.mainstay.faults;

import dev.mainstay.store.PostgresPrograms;
import dev.mainstay.store.StoreAddress;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A PostgreSQL server of a test's own that keeps its promises to the disk. It can be killed with
 * all of its processes, and started again on the same folder and port.
 */
public final class KillablePostgres implements AutoCloseable {
  /** Below the ports that clients get, or one who knocks in vain may be connected to himself. */
  private static final int PORT_MIN = 18_000;

  private static final int PORT_MAX = 30_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long LOOK_AGAIN_NANOS = 5_000_000;

  private final Path folder;
  private final int port;
  private final String program;
  private Process postmaster;

  /** Begins in a new folder and accepts connections. */
  public KillablePostgres(Path folder) {
    this.folder = folder;
    this.port = freePort();
    this.program = program();
    start(Map.of());
  }

  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException taken) {
        continue;
      }
    }
  }

  /** The server program, found by making the folder with it and stopping it in good order. */
  private String program() {
    PostgresPrograms.tidy();
    try (EmbeddedPostgres first =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder)
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setPort(port)
            .start()) {
      if (first.getPort() != port) throw new IllegalStateException("it listens elsewhere");
      long pid = Long.parseLong(Files.readAllLines(folder.resolve("postmaster.pid")).get(0));
      return Path.of("/proc", Long.toString(pid), "exe").toRealPath().toString();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** Starts it and waits until it has recovered; the environment is what it runs in besides. */
  public void start(Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    if (LinuxUtils.isUnshareAvailable()) command.addAll(List.of("unshare", "-U")); // never as root
    command.addAll(List.of(program, "-D", folder.toString(), "-p", Integer.toString(port)));
    for (String each :
        List.of("fsync=on", "synchronous_commit=on", "full_page_writes=on", "max_connections=100"))
      command.addAll(List.of("-c", each));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(folder.resolveSibling("server.log").toFile()));
    try {
      postmaster = builder.start();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    await("it accepts connections: " + folder.resolveSibling("server.log"), this::answers);
  }

  private boolean answers() {
    if (!postmaster.isAlive()) throw new IllegalStateException("PostgreSQL ended: " + log());
    try (var connection = DriverManager.getConnection(jdbcUrl())) {
      return connection.isValid(1);
    } catch (SQLException notYet) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolveSibling("server.log"));
    } catch (IOException fault) {
      return fault.toString();
    }
  }

  private String jdbcUrl() {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres&sslmode=disable";
  }

  public int port() {
    return port;
  }

  /** As a store is opened with it. */
  public StoreAddress address() {
    return StoreAddress.parse(
        "postgresql://postgres@localhost:" + port + "/postgres?sslmode=disable");
  }

  /** SIGKILL for every process of the server; none is left when this returns. */
  public void kill() {
    signal("STOP", postmaster.pid()); // from here on it has no new children
    await("the postmaster stands still", () -> isStopped(postmaster.pid()));
    List<ProcessHandle> all;
    try (Stream<ProcessHandle> children = postmaster.toHandle().descendants()) {
      all = new ArrayList<>(children.toList());
    }
    all.add(postmaster.toHandle());
    for (ProcessHandle each : all) each.destroyForcibly();
    await("all are gone", () -> all.stream().noneMatch(KillablePostgres::isThere));
    try {
      postmaster.waitFor(); // while nobody has collected it, the next one takes it for alive
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  static void signal(String name, long pid) {
    try {
      int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
      if (code != 0) throw new IllegalStateException("no process " + pid + " for " + name);
    } catch (IOException | InterruptedException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Stopped by a signal, as its third field says; the second is its name in parentheses. */
  static boolean isStopped(long pid) {
    return state(pid) == 'T';
  }

  /** One that has ended and waits to be collected is not there any more. */
  private static boolean isThere(ProcessHandle process) {
    char state = process.isAlive() ? state(process.pid()) : 'X';
    return state != 'X' && state != 'Z';
  }

  private static char state(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException gone) {
      return 'X';
    }
  }

  interface Condition {
    boolean holds();
  }

  static void await(String what, Condition condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.holds()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("not in time: " + what);
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  @Override
  public void close() {
    if (postmaster.isAlive()) kill();
  }
}
