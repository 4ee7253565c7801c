package dev.mainstay.faults;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What processes are started with that belong to a test. */
public final class ClassPath {
  private ClassPath() {}

  /**
   * The class path of this test, the same from any folder. Where a bug was planted the test was
   * loaded from folders of its own, and those go first, so that its processes have the bug as well.
   */
  public static String whole() {
    String usual =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(each -> Path.of(each).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    if (!(ClassPath.class.getClassLoader() instanceof URLClassLoader bed)) return usual;
    return Stream.concat(Stream.of(bed.getURLs()).map(ClassPath::folder), Stream.of(usual))
        .collect(Collectors.joining(File.pathSeparator));
  }

  public static boolean isPlanted() {
    return ClassPath.class.getClassLoader() instanceof URLClassLoader;
  }

  private static String folder(URL url) {
    return Path.of(URI.create(url.toString())).toString();
  }
}
