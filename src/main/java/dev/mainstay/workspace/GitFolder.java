package dev.mainstay.workspace;

import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.Folder.Around;
import dev.mainstay.workspace.Folder.Read;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What git keeps about the workspace and a scan must know: the rules in info/exclude, and which
 * files are tracked though ignored. Git itself never runs, for the configuration of a strange
 * repository could make it run anything.
 */
final class GitFolder {
  private static final String GIT = ".git";
  private static final String GIT_FOLDER = "gitdir:";
  private static final int POINTER_BYTES_MAX = 8_192;

  private final SafeTree tree;
  private final Clock clock;
  private @Nullable Read exclude;
  private @Nullable Read index;
  private Around around = new Around(null, Tracked.NONE);

  GitFolder(SafeTree tree, Clock clock) {
    this.tree = tree;
    this.clock = clock;
  }

  /** A folder of git's; for a worktree it lies outside of the workspace. */
  private record Spot(SafeTree tree, List<String> names) {
    SecureDirectoryStream<Path> open() throws IOException {
      return tree.open(names);
    }
  }

  /** Reads again what changed; what did not is the same object as before. */
  Around read() {
    Spot own = own();
    IgnoreRules rules = own == null ? null : readExclude(common(own));
    if (rules == null) exclude = null;
    Tracked tracked = own == null ? Tracked.NONE : readIndex(own);
    if (rules != around.rules() || tracked != around.tracked()) around = new Around(rules, tracked);
    return around;
  }

  private @Nullable IgnoreRules readExclude(Spot common) {
    Spot info = new Spot(common.tree, concat(common.names, "info"));
    try (SecureDirectoryStream<Path> folder = info.open()) {
      BasicFileAttributes now = stat(folder, "exclude");
      if (exclude != null && exclude.isCurrent(now)) return around.rules();
      long readMicros = Entry.micros(clock.instant());
      byte[] content = content(folder, "exclude", IgnoreRules.FILE_BYTES_MAX);
      if (content == null) return null; // absent, no file, or far too large
      exclude = new Read(Stamp.of(now), readMicros);
      return IgnoreRules.of(null, "", content, around.rules());
    } catch (IOException missing) {
      return null;
    }
  }

  private Tracked readIndex(Spot own) {
    try (SecureDirectoryStream<Path> folder = own.open()) {
      BasicFileAttributes now = stat(folder, "index");
      if (index != null && index.isCurrent(now)) return around.tracked();
      boolean readable = now.isRegularFile() && now.size() <= Tracked.INDEX_BYTES_MAX;
      if (!readable) return Tracked.NONE;
      long readMicros = Entry.micros(clock.instant());
      Tracked tracked = Tracked.read(() -> open(folder, "index"));
      index = new Read(Stamp.of(now), readMicros);
      return tracked.isSame(around.tracked()) ? around.tracked() : tracked;
    } catch (IOException missing) {
      index = null;
      return Tracked.NONE;
    }
  }

  /** The folder with this workspace's index, if it is git's at all. */
  private @Nullable Spot own() {
    try (SecureDirectoryStream<Path> root = tree.open(List.of())) {
      BasicFileAttributes git = stat(root, GIT);
      if (git.isDirectory()) return new Spot(tree, List.of(GIT));
      byte[] pointer = content(root, GIT, POINTER_BYTES_MAX);
      if (pointer == null) return null;
      String text = new String(pointer, StandardCharsets.UTF_8).strip();
      if (!text.startsWith(GIT_FOLDER)) return null;
      return pointedTo(tree.root(), text.substring(GIT_FOLDER.length()).strip());
    } catch (IOException missing) {
      return null;
    }
  }

  /** A worktree shares all but its index and a few more with the repository it is of. */
  private static Spot common(Spot own) {
    try (SecureDirectoryStream<Path> folder = own.open()) {
      byte[] pointer = content(folder, "commondir", POINTER_BYTES_MAX);
      if (pointer == null) return own;
      Path base = own.tree.root();
      for (String name : own.names) base = base.resolve(name);
      String text = new String(pointer, StandardCharsets.UTF_8).strip();
      return Objects.requireNonNullElse(pointedTo(base, text), own);
    } catch (IOException missing) {
      return own;
    }
  }

  private static @Nullable Spot pointedTo(Path from, String to) {
    try {
      return new Spot(SafeTree.at(from.resolve(to)), List.of());
    } catch (Refusal | IllegalArgumentException nowhere) { // an invalid path is among the latter
      return null;
    }
  }

  private static List<String> concat(List<String> names, String last) {
    return Stream.concat(names.stream(), Stream.of(last)).toList();
  }

  private static BasicFileAttributes stat(SecureDirectoryStream<Path> folder, String name)
      throws IOException {
    return folder
        .getFileAttributeView(
            Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  /** The content of a small regular file; null when it is none. */
  static byte @Nullable [] content(SecureDirectoryStream<Path> folder, String name, int bytesMax)
      throws IOException {
    BasicFileAttributes file;
    try {
      file = stat(folder, name);
    } catch (IOException missing) {
      return null;
    }
    if (!file.isRegularFile() || file.size() > bytesMax) return null;
    try (InputStream in = open(folder, name)) {
      return in.readNBytes(bytesMax);
    }
  }

  private static InputStream open(SecureDirectoryStream<Path> folder, String name)
      throws IOException {
    return Channels.newInputStream(
        folder.newByteChannel(
            Path.of(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }
}
