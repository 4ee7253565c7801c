package dev.mainstay;

import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Gives the tests, and the processes they start, a state folder beside the user's own. */
public final class StateOfTests implements LauncherSessionListener {
  /** Once in a JVM: tests open sessions of their own while others run. */
  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (System.getProperty(UserFolders.STATE_PROPERTY) != null) return;
    try {
      Path folder = Files.createTempDirectory("mainstay-state");
      System.setProperty(UserFolders.STATE_PROPERTY, folder.resolve("mainstay").toString());
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
    } catch (IOException leftBehind) {
      return;
    }
  }

  /** The same folder as a variable of an environment names it. */
  public static String home() {
    return String.valueOf(Path.of(System.getProperty(UserFolders.STATE_PROPERTY)).getParent());
  }

  /** The option that gives a JVM the same state folder. */
  public static String option() {
    return "-D"
        + UserFolders.STATE_PROPERTY
        + "="
        + System.getProperty(UserFolders.STATE_PROPERTY, "");
  }
}
