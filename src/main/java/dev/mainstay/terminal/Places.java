package dev.mainstay.terminal;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where people keep their profiles and providers: in the project, and in a folder of their own. */
public record Places(Path project, @Nullable Path user) {
  /**
   * The project's {@code .mainstay}, and {@code $XDG_CONFIG_HOME/mainstay} or else {@code
   * ~/.config/mainstay}.
   */
  public static Places of(Path projectFolder, Map<String, String> env) {
    return new Places(projectFolder, userFolder(env));
  }

  private static @Nullable Path userFolder(Map<String, String> env) {
    String config = env.getOrDefault("XDG_CONFIG_HOME", "");
    // The convention says that a path which is not absolute is to be ignored.
    if (!config.isEmpty() && Path.of(config).isAbsolute()) return Path.of(config, "mainstay");
    String home = env.getOrDefault("HOME", "");
    return home.isEmpty() ? null : Path.of(home, ".config", "mainstay");
  }
}
