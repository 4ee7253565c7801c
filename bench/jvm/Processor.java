import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processor time that this process and its PostgreSQL have used so far, which a busy machine
 * changes less than what everybody waits for. Linux counts it in ticks of 10 ms.
 */
final class Processor {
  private static final double TICK_MS = 10;
  private static final int PARENT = 1;
  private static final int OWN = 11;
  private static final int OF_CHILDREN = 13;

  private final long server;

  /** Of this process, and of the server if there is one. */
  Processor(OwnPostgres server) throws Exception {
    this.server = server == null ? 0 : parent(server);
  }

  /** Whoever started the process that answers us has started all of them. */
  private static long parent(OwnPostgres server) throws Exception {
    try (Connection connection = DriverManager.getConnection(server.jdbc());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return fields(row.getLong(1)).get(PARENT);
    }
  }

  double millis() throws IOException {
    long ticks = times(fields(ProcessHandle.current().pid()), OWN);
    if (server == 0) return ticks * TICK_MS;
    List<Long> first = fields(server);
    ticks += times(first, OWN) + times(first, OF_CHILDREN);
    try (Stream<ProcessHandle> all = ProcessHandle.of(server).orElseThrow().children()) {
      for (ProcessHandle each : all.toList()) ticks += times(fields(each.pid()), OWN);
    }
    return ticks * TICK_MS;
  }

  private static long times(List<Long> fields, int from) {
    return fields.isEmpty() ? 0 : fields.get(from) + fields.get(from + 1);
  }

  /** Those after the name, which may hold blanks; none of a process that has ended. */
  private static List<Long> fields(long pid) throws IOException {
    String text;
    try {
      text = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
    } catch (NoSuchFileException ended) {
      return List.of();
    }
    List<Long> fields = new ArrayList<>();
    for (String each : text.substring(text.lastIndexOf(')') + 2).split(" ")) {
      fields.add(each.matches("\\d{1,18}") ? Long.parseLong(each) : -1);
    }
    return fields;
  }
}
