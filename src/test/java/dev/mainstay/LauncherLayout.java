package dev.mainstay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The launcher in a folder of its own with a tiny jar, an environment, and JDKs to choose from. */
final class LauncherLayout {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String MAIN_CLASS = "MAIN_CLASS=dev.mainstay.app.Main";

  final Path root;
  final Path lib;
  final Map<String, String> environment = new HashMap<>();

  /** What a finished run of the launcher left. */
  record Run(int exit, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  /** Lays the launcher out as it is when unpacked from the archive, without a cache. */
  LauncherLayout(Path root) throws IOException {
    this.root = root;
    this.lib = Files.createDirectories(root.resolve("unpacked"));
    var sources = Files.createDirectories(lib.resolve("sh"));
    String launcher = Files.readString(Path.of("mainstay"));
    assertThat(launcher).contains(MAIN_CLASS);
    String itsOwn = "MAIN_CLASS=" + LauncherEcho.class.getName();
    Files.writeString(lib.resolve("mainstay"), launcher.replace(MAIN_CLASS, itsOwn));
    try (Stream<Path> parts = Files.list(Path.of("src/main/sh"))) {
      for (Path part : parts.toList()) {
        Files.copy(part, sources.resolve(part.getFileName()));
      }
    }
    executable(lib.resolve("mainstay"));
    Files.writeString(lib.resolve("LICENSE"), "a licence\n");
    Files.writeString(
        Files.createDirectories(lib.resolve("completion")).resolve("mainstay"), "# completion\n");
    writeJar(jar(), "first");
    environment.put("HOME", Files.createDirectories(root.resolve("home")).toString());
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("LANG", "C.UTF-8");
    environment.put("MAINSTAY_CACHE", "off");
  }

  Path jar() {
    return lib.resolve("mainstay.jar");
  }

  Path cache() {
    return root.resolve("cache");
  }

  /** Turns the cache on. */
  LauncherLayout withCache() {
    environment.put("MAINSTAY_CACHE", cache().toString());
    return this;
  }

  LauncherLayout with(String variable, Object value) {
    environment.put(variable, value.toString());
    return this;
  }

  /** Writes a jar that runs {@link LauncherEcho}; another word makes it another jar. */
  static void writeJar(Path jar, String word) throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, LauncherEcho.class.getName());
    var path = LauncherEcho.class.getName().replace('.', '/') + ".class";
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream code = LauncherEcho.class.getResourceAsStream("/" + path)) {
      out.putNextEntry(new JarEntry(path));
      code.transferTo(out);
      out.putNextEntry(new JarEntry("word"));
      out.write(word.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Makes a folder that looks like a JDK. Its {@code java} prints its own version and arguments,
   * and writes the archive it is asked for.
   */
  Path fakeJdk(String version) throws IOException {
    var home = root.resolve("jdk-" + version);
    var java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        home.resolve("release"),
        "IMPLEMENTOR=\"Nobody\"\nJAVA_RUNTIME_VERSION=\"%1$s+1\"\nJAVA_VERSION=\"%1$s\"\n"
            .formatted(version));
    Files.writeString(
        java,
        """
        #!/bin/sh
        echo "java %s"
        for argument; do
          echo "$argument"
          case $argument in -XX:AOTCacheOutput=*) echo made >"${argument#*=}" ;; esac
        done
        """
            .formatted(version));
    executable(java);
    return home;
  }

  static void executable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Run run(String... arguments) throws Exception {
    return runAs(lib.resolve("mainstay"), arguments);
  }

  Run runAs(Path launcher, String... arguments) throws Exception {
    return finish(start(launcher, arguments));
  }

  Process start(Path launcher, String... arguments) throws IOException {
    var command =
        Stream.concat(Stream.of(launcher.toString()), Stream.of(arguments)).toArray(String[]::new);
    var builder = new ProcessBuilder(command).directory(root.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectError(Files.createTempFile(root, "err", ".txt").toFile());
    return builder.start();
  }

  Run finish(Process process) throws Exception {
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("the launcher ends")
        .isTrue();
    return new Run(process.exitValue(), out, newestError());
  }

  /** What the processes so far said on standard error; forgotten once read. */
  private String newestError() throws IOException {
    var said = new StringBuilder();
    try (Stream<Path> files = Files.list(root)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("err")).toList()) {
        said.append(Files.readString(file));
        Files.delete(file);
      }
    }
    return said.toString();
  }

  /** The files in the cache whose names end so. */
  List<Path> cached(String ending) throws IOException {
    if (!Files.isDirectory(cache())) return List.of();
    try (Stream<Path> files = Files.walk(cache())) {
      return files.filter(f -> f.getFileName().toString().endsWith(ending)).toList();
    }
  }

  /** Waits until the background process that makes the archive has ended its work. */
  Path awaitArchive(String ending) throws Exception {
    await(() -> cached(ending).size() == 1 && cached(".made").size() == 1);
    await(() -> cached("making").isEmpty());
    return cached(ending).get(0);
  }

  /**
   * Waits until nothing that the launcher left in the background lives on. Such a process names the
   * launcher in its command line from the moment it is forked, long before it shows in the cache.
   */
  void awaitQuiet() throws Exception {
    await(() -> ProcessHandle.allProcesses().noneMatch(this::isOurs));
  }

  private boolean isOurs(ProcessHandle process) {
    return process.info().commandLine().filter(line -> line.contains(root.toString())).isPresent();
  }

  static void await(Callable<Boolean> condition) throws Exception {
    var deadline = Instant.now().plus(PATIENCE);
    while (!holds(condition)) {
      assertThat(Instant.now()).as("waited for too long").isBefore(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** A file that goes away while it is looked at is no answer yet. */
  private static boolean holds(Callable<Boolean> condition) throws Exception {
    try {
      return condition.call();
    } catch (IOException | UncheckedIOException goneMeanwhile) {
      return false;
    }
  }
}
