package dev.mainstay.terminal;

import dev.mainstay.trust.UserFolders;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where people keep their profiles and providers: in the project, and in a folder of their own. */
public record Places(Path project, @Nullable Path user, boolean isTrusted) {
  public Places(Path project, @Nullable Path user) {
    this(project, user, true);
  }

  /**
   * The project's {@code .mainstay}, and {@code $XDG_CONFIG_HOME/mainstay} or else {@code
   * ~/.config/mainstay}. Files of a project that is not trusted are not read.
   */
  public static Places of(Path projectFolder, Map<String, String> env, boolean isTrusted) {
    return new Places(projectFolder, UserFolders.of(env).config(), isTrusted);
  }
}
