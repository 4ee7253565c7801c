package dev.mainstay.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Which program runs: the jar as the launcher names it, and its state when this process began.
 * After an upgrade an old process answers no more, because its code is not what the caller has.
 */
record Build(String jar, String stamp, String version) {
  /** The jar this process was started from by the launcher; none in any other case. */
  static Optional<Build> current(String version) {
    String home = System.getProperty("mainstay.home", "");
    return home.isEmpty() ? Optional.empty() : Optional.of(of(home + "/mainstay.jar", version));
  }

  static Build of(String jar, String version) {
    return new Build(jar, stampOf(jar), version);
  }

  boolean isStillThere() {
    return !stamp.isEmpty() && stamp.equals(stampOf(jar));
  }

  private static String stampOf(String jar) {
    try {
      var found = Files.readAttributes(Path.of(jar), BasicFileAttributes.class);
      return found.fileKey() + " " + found.size() + " " + found.lastModifiedTime();
    } catch (IOException gone) {
      return "";
    }
  }
}
