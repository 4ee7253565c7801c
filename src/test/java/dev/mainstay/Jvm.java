package dev.mainstay;

import dev.mainstay.domain.Task;
import dev.mainstay.faults.ClassPath;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * How tests start processes of this build that are there at once: the product's classes in a jar,
 * an archive of those that are loaded, and the library of SQLite unpacked. All three are made once
 * a build. Where a bug was planted a process has the bug instead, and takes its time.
 */
public final class Jvm {
  /** For processes whose output is read by a test. */
  public static final List<String> QUIET =
      List.of(
          "-Dslf4j.internal.verbosity=WARN", "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider");

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** An archive that does not fit is said on standard error, or it would spoil what is read. */
  private static final List<String> QUICK =
      List.of(
          JAVA,
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Xlog:disable",
          "-Xlog:all=error:stderr");

  private static final long TRAINING_SECONDS_MAX = 300;

  private static final Path FOLDER = Path.of("target/jvm").toAbsolutePath();
  private static final Path PRODUCT = FOLDER.resolve("product.jar");
  private static final Path TESTS = FOLDER.resolve("tests.jar");
  private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
  private static final Path LIBRARY = FOLDER.resolve(LibraryLoaderUtil.getNativeLibName());

  private Jvm() {}

  /** The words that start a class of the product or of its tests. */
  public static List<String> words(List<String> options, Class<?> main, String... arguments) {
    return words(options, main.getName(), List.of(arguments));
  }

  public static List<String> words(List<String> options, String main, List<String> arguments) {
    List<String> words = new ArrayList<>(QUICK);
    words.add(StateOfTests.option());
    words.addAll(options);
    if (ClassPath.isPlanted()) {
      words.addAll(List.of("-cp", ClassPath.whole()));
    } else {
      words.addAll(archived());
      words.addAll(List.of("-cp", jars()));
    }
    words.add(main);
    words.addAll(arguments);
    return words;
  }

  /** The options with which a JVM like this one, and with these {@link #jars}, is there at once. */
  public static List<String> archived() {
    Made.once();
    List<String> options = new ArrayList<>(library());
    options.add("-XX:SharedArchiveFile=" + ARCHIVE);
    return options;
  }

  private static List<String> library() {
    return List.of(
        "-Dorg.sqlite.lib.path=" + FOLDER, "-Dorg.sqlite.lib.name=" + LIBRARY.getFileName());
  }

  /** The class path of this test as jars, of which alone an archive can be. */
  public static String jars() {
    Stream<String> others =
        Stream.of(ClassPath.whole().split(File.pathSeparator))
            .filter(each -> each.endsWith(".jar"));
    return Stream.concat(Stream.of(PRODUCT, TESTS).map(Path::toString), others)
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Makes what is missing, or older than a class, when the first process is started. */
  private static final class Made {
    static {
      try {
        if (!isCurrent(home(Task.class)) || !isCurrent(home(Jvm.class))) make();
      } catch (Exception fault) {
        throw new ExceptionInInitializerError(fault);
      }
    }

    static void once() {
      // Loading this class does it.
    }

    private static Path home(Class<?> of) throws Exception {
      return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static boolean isCurrent(Path classes) throws IOException {
      if (!Files.exists(ARCHIVE)) return false;
      FileTime made = Files.getLastModifiedTime(ARCHIVE);
      try (Stream<Path> all = Files.walk(classes)) {
        for (Path each : (Iterable<Path>) all::iterator) {
          if (Files.getLastModifiedTime(each).compareTo(made) > 0) return false;
        }
      }
      return true;
    }

    private static void make() throws Exception {
      Files.createDirectories(FOLDER);
      Files.deleteIfExists(ARCHIVE);
      pack(home(Task.class), PRODUCT);
      pack(home(Jvm.class), TESTS);
      String inside = "/org/sqlite/native/" + OSInfo.getNativeLibFolderPathForCurrentOS();
      try (InputStream in =
          OSInfo.class.getResourceAsStream(inside + "/" + LIBRARY.getFileName())) {
        if (in == null) throw new IllegalStateException("no library of SQLite in " + inside);
        Files.copy(in, LIBRARY, StandardCopyOption.REPLACE_EXISTING);
      }
      train();
    }

    private static void pack(Path classes, Path jar) {
      String[] content = {"--create", "--no-compress", "--file=" + jar, "-C", classes + "", "."};
      int code = ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, content);
      if (code != 0) throw new IllegalStateException("no jar of " + classes);
    }

    private static void train() throws Exception {
      Path work = Files.createTempDirectory(FOLDER, "training");
      Path half = FOLDER.resolve("half.jsa");
      List<String> words = new ArrayList<>(QUICK);
      words.addAll(library());
      words.addAll(List.of("-Djava.io.tmpdir=" + work, "-XX:ArchiveClassesAtExit=" + half));
      words.addAll(List.of("-cp", jars(), "dev.mainstay.app.Training", work.toString()));
      ProcessBuilder builder = new ProcessBuilder(words).directory(work.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("MAINSTAY_"));
      Path said = FOLDER.resolve("training.log");
      builder.redirectErrorStream(true).redirectOutput(said.toFile());
      Process training = builder.start();
      boolean ended = training.waitFor(TRAINING_SECONDS_MAX, TimeUnit.SECONDS);
      training.destroyForcibly();
      if (!ended || training.exitValue() != 0 || !Files.exists(half)) {
        throw new IllegalStateException("no archive of classes: " + Files.readString(said));
      }
      Files.move(half, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
