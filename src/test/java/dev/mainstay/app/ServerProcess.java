package dev.mainstay.app;

import dev.mainstay.Jvm;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.StoreAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code mainstay serve} in a process of its own, with a project folder and a token of its own. */
final class ServerProcess {
  static final long PATIENCE_SECONDS = 60;
  private static final int LOG_LINES_SHOWN = 40;

  private final Process process;
  private final Path log;
  private String address = "";

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Begins; {@link #listening} waits until it answers. */
  static ServerProcess start(Path folder, StoreAddress db) {
    try {
      Files.createDirectories(folder.resolve(".git")); // or it would look further up for a project
      Path log = folder.resolve("server.log");
      ProcessBuilder builder =
          new ProcessBuilder(
              Jvm.words(
                  // A killed process leaves its files there.
                  List.of("-Xmx256m", "-Djava.io.tmpdir=" + folder),
                  Main.class,
                  "serve",
                  "--port",
                  "0",
                  "--json",
                  "--db",
                  url(db)));
      builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
      builder.environment().put("USER", "ada");
      builder
          .directory(folder.toFile())
          .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      return new ServerProcess(builder.start(), log);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static String url(StoreAddress db) {
    if (!(db instanceof StoreAddress.Server server)) return db.shown();
    String user = server.login().getProperty("user");
    return db.shown().replaceFirst("//", "//" + user + "@")
        + (db.shown().contains("?") ? "&" : "?")
        + "sslmode=disable";
  }

  /** Waits until it has said where it listens. */
  ServerProcess listening() {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    try {
      String line =
          CompletableFuture.supplyAsync(() -> first(out), task -> new Thread(task).start())
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (line == null) throw new IllegalStateException("the server ended at once: " + log());
      address = JsonText.object(line).text("address");
      return this;
    } catch (Exception late) {
      kill();
      throw new IllegalStateException("the server does not listen: " + log(), late);
    }
  }

  private static String first(BufferedReader out) {
    try {
      return out.readLine();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  String address() {
    return address;
  }

  long pid() {
    return process.pid();
  }

  /** The secret of this server's own person. */
  String token() {
    try {
      Path folder = log.resolveSibling(".mainstay");
      return Files.readString(folder.resolve("token")).strip();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** SIGKILL: it cannot do anything about it. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** SIGTERM: it ends as it wants to. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Its exit code, once it has ended. */
  int ended() {
    try {
      if (process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) return process.exitValue();
      throw new IllegalStateException("the server does not end: " + log());
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** The lines of its log that tell of a bug; one that was killed may have left half a line. */
  List<String> errors() {
    try (var lines = Files.lines(log)) {
      return lines.filter(line -> line.contains("\"level\":\"ERROR\"")).toList();
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  /** How many of its threads are in a method now. */
  long threadsIn(String method) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      Process asking =
          new ProcessBuilder(jcmd, Long.toString(process.pid()), "Thread.print")
              .redirectErrorStream(true)
              .start();
      try (BufferedReader lines = asking.inputReader(StandardCharsets.UTF_8)) {
        return lines.lines().filter(line -> line.contains(method + "(")).count();
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  String log() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    } catch (IOException fault) {
      return fault.toString();
    }
  }
}
