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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** What a copy of a running server must not have: the standby makes its own, or streams it. */
  private static final Set<String> NOT_COPIED =
      Set.of(
          "pg_wal",
          "pg_replslot",
          "pg_dynshmem",
          "pg_notify",
          "pg_serial",
          "pg_snapshots",
          "pg_subtrans",
          "pg_stat_tmp",
          "postmaster.pid",
          "postmaster.opts",
          "standby.signal");

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

  private KillablePostgres(Path folder, String program) {
    this.folder = folder;
    this.port = freePort();
    this.program = program;
  }

  /** Another server that copies this one and then follows it under the given name. */
  public KillablePostgres standby(Path place, String name) {
    KillablePostgres standby = new KillablePostgres(place, program);
    standby.follow(this, name);
    return standby;
  }

  /** Begins again as a copy of another server, which it then follows; it must not be running. */
  public void follow(KillablePostgres primary, String name) {
    try (var connection = DriverManager.getConnection(primary.jdbcUrl());
        Statement statement = connection.createStatement()) {
      remove(folder);
      statement.execute("SELECT pg_backup_start('copy', true)");
      copy(primary.folder, folder);
      try (ResultSet stopped =
          statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        stopped.next();
        Files.writeString(folder.resolve("backup_label"), stopped.getString(1));
      }
      Files.createDirectories(folder.resolve("pg_wal/archive_status"));
      Files.createFile(folder.resolve("standby.signal"));
      Files.writeString(
          folder.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=localhost user=postgres port="
              + primary.port
              + " application_name="
              + name
              + "'\n");
    } catch (SQLException | IOException fault) {
      throw new IllegalStateException(fault);
    }
    start(Map.of());
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }

  /** Files may appear and vanish during the copy; the log that follows has those changes. */
  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(
        to, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    List<Path> parts;
    try (Stream<Path> all = Files.list(from)) {
      parts = all.toList();
    }
    for (Path part : parts) {
      Path target = to.resolve(part.getFileName().toString());
      boolean skipped = NOT_COPIED.contains(part.getFileName().toString());
      if (Files.isDirectory(part)) {
        if (skipped) Files.createDirectory(target);
        else copy(part, target);
      } else if (!skipped) {
        try {
          Files.copy(part, target);
        } catch (NoSuchFileException gone) {
          continue;
        }
      }
    }
  }

  /** Ends following and accepts writes when this returns. */
  public void promote() {
    run("SELECT pg_promote(true, 60)");
  }

  /** Runs one statement, as an administrator would. */
  public void run(String sql) {
    try (var connection = DriverManager.getConnection(jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException fault) {
      throw new IllegalStateException(sql, fault);
    }
  }

  /** The first column of the first row. */
  public long number(String sql) {
    try (var connection = DriverManager.getConnection(jdbcUrl());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException fault) {
      throw new IllegalStateException(sql, fault);
    }
  }

  /** Changes a setting of the running server; every process of it knows when this returns. */
  public void set(String name, String value) {
    run("ALTER SYSTEM SET " + name + " = '" + value + "'");
    run("SELECT pg_reload_conf()");
    await(
        name + " is " + value,
        () ->
            number(
                    "SELECT count(*) FROM pg_settings WHERE name = '"
                        + name
                        + "' AND setting = '"
                        + value
                        + "'")
                == 1);
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
        List.of(
            "fsync=on",
            "synchronous_commit=on",
            "full_page_writes=on",
            "max_connections=100",
            "wal_keep_size=1GB")) command.addAll(List.of("-c", each));
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

  /** What a test waits for. */
  public interface Condition {
    boolean holds();
  }

  public static void await(String what, Condition condition) {
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
