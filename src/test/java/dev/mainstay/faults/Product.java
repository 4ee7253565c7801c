package dev.mainstay.faults;

import dev.mainstay.domain.Task;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * The product as this build made it, in processes of its own that start quickly: its classes in a
 * jar, an archive of the loaded ones, and the library of SQLite unpacked once.
 */
final class Product {
  /** Nobody's environment but this one, so that a repetition comes from the same agent. */
  static final Map<String, String> ENV =
      Map.of("PATH", System.getenv("PATH"), "CODEX_SANDBOX", "1", "LC_ALL", "C.UTF-8");

  static final String MAIN = "dev.mainstay.app.Main";
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final long PATIENCE_SECONDS = 120;

  private final Path folder;
  private final Path jar;
  private final Path archive;

  private Product(Path folder) {
    this.folder = folder;
    this.jar = folder.resolve("product.jar");
    this.archive = folder.resolve("product.jsa");
  }

  /** How a process ended, and what it said. */
  record Ended(int exit, String out, String err) {}

  static Product make(Path folder) throws Exception {
    Product product = new Product(folder);
    Path classes = Path.of(Task.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(classes)) {
      int made =
          ToolProvider.findFirst("jar")
              .orElseThrow()
              .run(
                  System.out,
                  System.err,
                  "--create",
                  "--no-compress",
                  "--file=" + product.jar,
                  "-C",
                  classes.toString(),
                  ".");
      if (made != 0) throw new IllegalStateException("no jar of " + classes);
    } else {
      Files.copy(classes, product.jar);
    }
    product.unpackLibrary();
    Path project = Files.createDirectories(folder.resolve("first/.git")).getParent();
    String making = "-XX:ArchiveClassesAtExit=" + product.archive;
    List<String> command = product.java(making, product.jars());
    command.addAll(List.of(MAIN, "task", "create", "one"));
    Ended ended = run(command, project, "");
    if (ended.exit() != 0 || !Files.exists(product.archive)) {
      throw new IllegalStateException("the product does not start: " + ended);
    }
    return product;
  }

  private void unpackLibrary() throws IOException {
    String name = LibraryLoaderUtil.getNativeLibName();
    String resource =
        "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS() + "/" + name;
    try (InputStream in = OSInfo.class.getResourceAsStream(resource)) {
      if (in == null) throw new IllegalStateException("no " + resource);
      Files.copy(in, folder.resolve(name));
    }
  }

  /** The words that start a class of the product, or of the tests, with arguments. */
  List<String> command(String main, List<String> args) {
    String classes = main.equals(MAIN) ? jars() : jars() + ":" + CLASS_PATH;
    List<String> command = java("-XX:SharedArchiveFile=" + archive, classes);
    command.add(main);
    command.addAll(args);
    return command;
  }

  /** The product's own classes first; an archive is of jars alone. */
  private String jars() {
    Stream<String> others = Stream.of(CLASS_PATH.split(":")).filter(each -> each.endsWith(".jar"));
    return Stream.concat(Stream.of(jar.toString()), others).collect(Collectors.joining(":"));
  }

  private List<String> java(String archiving, String classes) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Xmx128m",
            "-Djava.io.tmpdir=" + folder,
            "-Dorg.sqlite.lib.path=" + folder,
            "-Dorg.sqlite.lib.name=" + LibraryLoaderUtil.getNativeLibName(),
            "-Dorg.sqlite.tmpdir=" + folder,
            "-Dslf4j.internal.verbosity=WARN",
            "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider"));
    command.addAll(List.of(archiving, "-cp", classes));
    return command;
  }

  /** Runs a command to its end. */
  static Ended run(List<String> command, Path project, String input) throws Exception {
    Path err = Files.createTempFile("mainstay-faults", ".err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(project.toFile());
    builder.environment().clear();
    builder.environment().putAll(ENV);
    Process process = builder.redirectError(err.toFile()).start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().close();
    } catch (IOException itDidNotReadOn) {
      process.getOutputStream();
    }
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(command + " does not end");
      }
      return new Ended(process.exitValue(), out, Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(err);
    }
  }
}
