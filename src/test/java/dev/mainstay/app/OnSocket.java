package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.OwnFolder;
import dev.mainstay.StateOfTests;
import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real launcher with real curl in a project, beside owners of its socket. What would be a JVM
 * prints {@code jvm} and its arguments, so a test sees who answered.
 */
abstract class OnSocket {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path temp;
  Path root;
  Path lib;
  Path folder;
  final Map<String, String> env = new HashMap<>();
  ServerSocketChannel server;
  private final List<AutoCloseable> open = new ArrayList<>();

  /** What a finished run of the launcher left. */
  record Run(int exit, String out, String err) {
    boolean wasJvm() {
      return out.startsWith("jvm\n");
    }
  }

  /** Answers with everything that it was asked. */
  static class Echo implements Desk.Performer {
    final List<Request> performed = new ArrayList<>();
    private final String word;

    Echo(String word) {
      this.word = word;
    }

    @Override
    public boolean accepts(Request request) {
      return true;
    }

    @Override
    public Desk.Done perform(Request request) {
      synchronized (performed) {
        performed.add(request);
      }
      return new Desk.Done(0, word + request.args(), "");
    }

    List<List<String>> args() {
      synchronized (performed) {
        return performed.stream().map(Request::args).toList();
      }
    }
  }

  @BeforeEach
  void lay_out() throws IOException {
    assumeThat(Files.isExecutable(Path.of("/usr/bin/curl"))).as("curl is installed").isTrue();
    root = temp.toRealPath();
    lib = Files.createDirectories(root.resolve("lib"));
    Path parts = Files.createDirectories(lib.resolve("sh"));
    Files.copy(Path.of("mainstay"), lib.resolve("mainstay"));
    try (Stream<Path> sources = Files.list(Path.of("src/main/sh"))) {
      for (Path part : sources.toList()) Files.copy(part, parts.resolve(part.getFileName()));
    }
    Files.writeString(lib.resolve("mainstay.jar"), "a jar");
    folder = Files.createDirectories(root.resolve("project"));
    Files.createDirectories(folder.resolve(".git"));
    Path runtime = Files.createDirectories(root.resolve("run"));
    env.put("XDG_RUNTIME_DIR", runtime.toString());
    env.put("HOME", Files.createDirectories(root.resolve("home")).toString());
    env.put("XDG_STATE_HOME", StateOfTests.home());
    OwnFolder.in(folder);
    env.put("PATH", "/usr/bin:/bin");
    env.put("LANG", "C.UTF-8");
    env.put("MAINSTAY_CACHE", "off");
    env.put("MAINSTAY_JAVA_HOME", jdk("echo jvm; for a; do echo \"$a\"; done").toString());
    script(lib.resolve("mainstay"), Files.readString(lib.resolve("mainstay")));
  }

  @AfterEach
  void give_up() throws Exception {
    for (AutoCloseable one : open) one.close();
  }

  <T extends AutoCloseable> T closing(T one) {
    open.add(one);
    return one;
  }

  /** A folder that looks like a JDK, whose {@code java} is a script. */
  Path jdk(String body) throws IOException {
    Path home = root.resolve("jdk");
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"99.0.1\"\n");
    script(home.resolve("bin/java"), "#!/bin/sh\n" + body + "\n");
    return home;
  }

  static void script(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Build build() {
    return Build.of(lib.resolve("mainstay.jar").toString(), "1.2.3");
  }

  Project project() {
    return Project.around(folder, UserFolders.of(env));
  }

  Spool spool() {
    return Spool.of(project());
  }

  /** An owner of the socket in this process, once it listens. */
  SocketOwner own(Desk.Performer performer) throws Exception {
    beAsPatientAsTests();
    SocketOwner owner = closing(SocketOwner.start(project(), env, build(), performer));
    await(() -> SocketState.read(project()).isPresent());
    return owner;
  }

  /** An owner that is slow because the machine is busy is no owner that hangs. */
  private void beAsPatientAsTests() throws IOException {
    bePatient(30);
  }

  /** For how many seconds launchers wait for a sign of life. */
  void bePatient(int seconds) throws IOException {
    Path part = lib.resolve("sh/ask.sh");
    String text = Files.readString(part);
    assertThat(text).contains("_SECONDS_MAX=");
    Files.writeString(part, text.replaceAll("_SECONDS_MAX=[0-9.]+", "_SECONDS_MAX=" + seconds));
  }

  /** Somebody who listens and never answers; the process is this one, so it lives. */
  void hang() throws Exception {
    spool().prepare();
    for (String left : spooled()) Files.delete(folder.resolve(".mainstay/spool").resolve(left));
    Path socket = SocketPlace.of(project().folder(), env);
    Files.deleteIfExists(socket);
    server = closing(ServerSocketChannel.open(StandardProtocolFamily.UNIX));
    server.bind(UnixDomainSocketAddress.of(socket));
    note(socket, ProcessHandle.current().pid());
  }

  void note(Path socket, long process) throws Exception {
    String lines = new SocketState(socket, build().jar(), process, "1").lines();
    Files.writeString(SocketState.file(project()), lines);
  }

  /** As if it had come some time ago. */
  void age(String name) throws Exception {
    Files.setLastModifiedTime(
        folder.resolve(".mainstay/spool").resolve(name),
        FileTime.from(Instant.now().minusSeconds(30)));
  }

  Run run(String... args) throws Exception {
    return run(folder, "", args);
  }

  Run run(Path from, String input, String... args) throws Exception {
    return finish(start(from, input, args));
  }

  Process start(Path from, String input, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(lib.resolve("mainstay").toString()));
    command.addAll(List.of(args));
    return start(from, input, command);
  }

  Process start(Path from, String input, List<String> command) throws IOException {
    Path in = Files.createTempFile(root, "in", "");
    Files.writeString(in, input);
    ProcessBuilder builder = new ProcessBuilder(command).directory(from.toFile());
    builder.environment().clear();
    builder.environment().putAll(env);
    builder.redirectInput(in.toFile());
    return builder.start();
  }

  static Run finish(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("ends").isTrue();
    return new Run(process.exitValue(), out, err);
  }

  /** What lies in the spool under any name. */
  List<String> spooled() throws IOException {
    Path spool = folder.resolve(".mainstay/spool");
    if (!Files.isDirectory(spool)) return List.of();
    try (Stream<Path> files = Files.list(spool)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  static void await(Callable<Boolean> condition) throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!condition.call()) {
      assertThat(Instant.now()).as("waited for too long").isBefore(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
