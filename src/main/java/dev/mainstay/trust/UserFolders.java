package dev.mainstay.trust;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The user's own folders, as the XDG Base Directory Specification names them. Nothing in a
 * repository can change them.
 *
 * @param home the home folder
 * @param state {@code $XDG_STATE_HOME/mainstay}, else {@code ~/.local/state/mainstay}
 * @param config {@code $XDG_CONFIG_HOME/mainstay}, else {@code ~/.config/mainstay}; null where
 *     neither variable is set
 */
public record UserFolders(Path home, Path state, @Nullable Path config) {
  /** The state folder where the environment does not name one; the tests set it. */
  public static final String STATE_PROPERTY = "mainstay.state";

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Reads the folders from an environment; a relative path in it is ignored. */
  public static UserFolders of(Map<String, String> env) {
    Optional<Path> home = absolute(env, "HOME");
    Path own = home.orElseGet(() -> Path.of(System.getProperty("user.home", "/")));
    String property = System.getProperty(STATE_PROPERTY, "");
    Path state =
        absolute(env, "XDG_STATE_HOME")
            .map(folder -> folder.resolve("mainstay"))
            .orElseGet(
                () ->
                    property.isEmpty() ? own.resolve(".local/state/mainstay") : Path.of(property));
    Path config =
        absolute(env, "XDG_CONFIG_HOME")
            .or(() -> home.map(folder -> folder.resolve(".config")))
            .map(folder -> folder.resolve("mainstay"))
            .orElse(null);
    return new UserFolders(own, state, config);
  }

  private static Optional<Path> absolute(Map<String, String> env, String name) {
    String value = env.getOrDefault(name, "");
    if (value.isEmpty()) return Optional.empty();
    return Optional.of(Path.of(value)).filter(Path::isAbsolute);
  }

  /** Writes a file that is on the disk when this returns. */
  static void writeDurably(Path file, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) channel.write(bytes);
      channel.force(true);
    }
  }

  /** Makes the names in a folder durable. */
  static void syncFolder(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Makes a folder below the state folder, which only its owner may enter.
   *
   * @throws IOException if it cannot be made, as in a read-only home
   */
  public Path stateFolder(String name) throws IOException {
    Path folder = state.resolve(name);
    if (Files.isDirectory(folder)) return folder;
    Path parent = state.getParent();
    if (parent != null) Files.createDirectories(parent);
    return Files.createDirectories(folder, OWNER_ONLY);
  }
}
