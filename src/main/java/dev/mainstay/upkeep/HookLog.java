package dev.mainstay.upkeep;

import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Faults of hooks, a line each and without secrets: an agent is never told of them, so they are
 * kept here for a person. The file has a limit, at which it is put aside in place of the one
 * before.
 */
public final class HookLog {
  public static final int FILE_BYTES_MAX = 256 * 1024;
  private static final int LINE_CHARS_MAX = 1_000;
  private static final int CAUSES_MAX = 10;

  private final Path folder;

  /** The log below Mainstay's own folder in a project. */
  public HookLog(Path ownFolder) {
    this.folder = ownFolder.resolve("log");
  }

  private Path file() {
    return folder.resolve("hooks.log");
  }

  /** One fault: when it was, and what went wrong at which event. */
  public record Fault(String at, String what) {}

  /** Notes a fault. Where Mainstay has no folder, or none it may write to, nothing is noted. */
  public void note(String event, Throwable fault) {
    String plain =
        Redactor.DEFAULT.redact(event + ": " + why(fault)).replaceAll("\\p{Cntrl}+", " ").strip();
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    try {
      append(now + " " + Graphemes.cut(plain, LINE_CHARS_MAX) + "\n");
    } catch (IOException | RuntimeException unwritable) {
      return; // nobody is left who could be told
    }
  }

  /** A refusal says it all; of any other fault its cause and place are told. */
  private static String why(Throwable fault) {
    if (fault instanceof Refusal refusal) return refusal.sentence();
    Throwable cause = fault;
    for (int i = 0; i < CAUSES_MAX && cause.getCause() != null; i++) cause = cause.getCause();
    StackTraceElement[] places = cause.getStackTrace();
    return cause + (places.length == 0 ? "" : " at " + places[0]);
  }

  private void append(String line) throws IOException {
    Path own = folder.getParent();
    if (own == null || !Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) return;
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    boolean full = Files.exists(file()) && Files.size(file()) + bytes.length > FILE_BYTES_MAX;
    if (full) {
      Files.move(file(), folder.resolve("hooks.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
    var options =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND,
            LinkOption.NOFOLLOW_LINKS);
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (FileChannel channel = FileChannel.open(file(), options, mode)) {
      channel.write(ByteBuffer.wrap(bytes)); // one write, so lines of two hooks never mix
    }
  }

  /** The newest fault, if there was one. */
  public Optional<Fault> last() {
    try {
      if (!Files.isRegularFile(file(), LinkOption.NOFOLLOW_LINKS)) return Optional.empty();
      List<String> lines = Files.readAllLines(file());
      if (lines.isEmpty()) return Optional.empty();
      String[] parts = lines.get(lines.size() - 1).split(" ", 2);
      return Optional.of(new Fault(parts[0], parts.length < 2 ? "" : parts[1]));
    } catch (IOException unreadable) {
      return Optional.of(new Fault("now", "the log cannot be read: " + unreadable.getMessage()));
    }
  }
}
