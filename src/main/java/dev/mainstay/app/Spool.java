package dev.mainstay.app;

import dev.mainstay.store.Durable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder {@code .mainstay/spool}, in which launchers put their requests down. Whoever renames a
 * request has taken it, so each is performed by one process; events of hooks that nobody took wait
 * there in the order in which they came.
 */
final class Spool {
  /** As much as a door takes, and what stands before it. */
  static final int FILE_BYTES_MAX = 4 * 1024 * 1024 + 256 * 1024;

  /** The launcher counts the same; what comes on top is left out, the oldest first. */
  static final int FILES_MAX = 256;

  static final long ALL_BYTES_MAX = 64L * 1024 * 1024;

  /** A launcher that has not asked by then never will. */
  static final Duration UNASKED_MAX = Duration.ofMinutes(1);

  /** What nobody heard in all this time is no news any more. */
  static final Duration EVENT_AGE_MAX = Duration.ofDays(7);

  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private static final Pattern NAME = Pattern.compile("(hook|run)-[0-9A-Za-z-]{1,64}");
  private static final Pattern TAKEN = Pattern.compile("(" + NAME.pattern() + ")\\.(\\d{1,18})");

  private final Path folder;

  Spool(Path folder) {
    this.folder = folder;
  }

  static Spool of(Project project) {
    return new Spool(project.folder().resolve("spool"));
  }

  /** A request that is this process's alone, until it is removed. */
  record Taken(Path file, Request request) {}

  /** A file that waits, as it was seen. */
  record Waiting(String name, Instant since, long bytes) {}

  Path folder() {
    return folder;
  }

  boolean isThere() {
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
  }

  /** Makes the folder, which only its owner may enter. */
  void prepare() throws IOException {
    Path home = folder.getParent();
    if (home != null) Files.createDirectories(home);
    if (!isThere()) {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    }
    Files.setPosixFilePermissions(folder, OWNER_ONLY);
  }

  /** Whether something lies there under the name. */
  boolean has(String name) {
    return NAME.matcher(name).matches()
        && Files.isRegularFile(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
  }

  /** What was put down under the name, without taking it; none if it is not there or not whole. */
  Optional<Request> peek(String name) {
    if (!NAME.matcher(name).matches()) return Optional.empty();
    return read(folder.resolve(name)).map(request -> request.named(name));
  }

  /**
   * Whether this is an event that was put down whole after the moment, that tells something and
   * asks nothing, and before which none waits.
   */
  boolean isNext(String name, Instant moment) {
    Path file = folder.resolve(name);
    if (!NAME.matcher(name).matches() || !Request.isWhole(file)) return false;
    if (seen(file).filter(found -> found.since().isAfter(moment)).isEmpty()) return false;
    if (peek(name).filter(Request::onlyTells).isEmpty()) return false;
    List<Waiting> events = waiting();
    return events.isEmpty() || events.get(0).name().equals(name);
  }

  /** Takes the request; none if somebody else has it. */
  Optional<Taken> take(String name) {
    Optional<Request> request = peek(name);
    if (request.isEmpty()) return Optional.empty();
    Path mine = folder.resolve(name + "." + ProcessHandle.current().pid());
    try {
      Files.move(folder.resolve(name), mine, StandardCopyOption.ATOMIC_MOVE);
      return Optional.of(new Taken(mine, request.get()));
    } catch (AtomicMoveNotSupportedException never) {
      throw new IllegalStateException("a folder has one file system", never);
    } catch (IOException somebodyElseHasIt) {
      return Optional.empty();
    }
  }

  void remove(Taken taken) {
    removeFile(taken.file());
  }

  /** Gives up what was taken and could not be heard; it waits again where it waited before. */
  void putBack(Taken taken) {
    Matcher name = TAKEN.matcher(taken.file().getFileName().toString());
    if (name.matches()) giveBack(name.group(), name.group(1));
  }

  private static Optional<Request> read(Path file) {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return Optional.empty();
      try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
        byte[] bytes = in.readNBytes(FILE_BYTES_MAX + 1);
        return bytes.length > FILE_BYTES_MAX ? Optional.empty() : Request.parse(bytes);
      }
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** The events of hooks that nobody took yet, oldest first. */
  List<Waiting> waiting() {
    return files().stream()
        .filter(file -> file.name().startsWith("hook-") && NAME.matcher(file.name()).matches())
        .sorted(Comparator.comparing(Waiting::since).thenComparing(Waiting::name))
        .toList();
  }

  private List<Waiting> files() {
    List<Waiting> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path file : all) seen(file).ifPresent(files::add);
    } catch (NoSuchFileException none) {
      return List.of();
    } catch (IOException | DirectoryIteratorException unreadable) {
      return files;
    }
    return files;
  }

  private static Optional<Waiting> seen(Path file) {
    try {
      var found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!found.isRegularFile()) return Optional.empty();
      Instant since = found.lastModifiedTime().toInstant();
      return Optional.of(new Waiting(file.getFileName().toString(), since, found.size()));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /**
   * Puts back the events that a dead process had taken, and removes what nobody will ask for:
   * commands whose caller has gone, what was never finished, and what is too much.
   */
  void tidy(Instant now) {
    for (Waiting file : files()) {
      Matcher taken = TAKEN.matcher(file.name());
      if (taken.matches()) {
        boolean settled = !movedSince(file.name(), now.minus(UNASKED_MAX));
        if (settled && !lives(Long.parseLong(taken.group(3)))) {
          giveBack(file.name(), taken.group(1));
        }
      } else if (isOver(file, now)) {
        removeFile(folder.resolve(file.name()));
      }
    }
    bound();
  }

  /** A process in another container looks dead from here, so what it has just taken is left. */
  private boolean movedSince(String name, Instant moment) {
    try {
      Path file = folder.resolve(name);
      return Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
              instanceof FileTime changed
          && changed.toInstant().isAfter(moment);
    } catch (IOException gone) {
      return true;
    }
  }

  private boolean isOver(Waiting file, Instant now) {
    Duration age = isWholeEvent(file.name()) ? EVENT_AGE_MAX : UNASKED_MAX;
    return file.since().isBefore(now.minus(age));
  }

  private void bound() {
    List<Waiting> waiting = waiting();
    long bytes = waiting.stream().mapToLong(Waiting::bytes).sum();
    int count = waiting.size();
    for (Waiting file : waiting) {
      if (count <= FILES_MAX && bytes <= ALL_BYTES_MAX) return;
      removeFile(folder.resolve(file.name()));
      count--;
      bytes -= file.bytes();
    }
  }

  private boolean isWholeEvent(String name) {
    return peek(name).filter(Request::isHook).isPresent();
  }

  /** An event is heard again; a command is not, because its caller may have been told something. */
  private void giveBack(String taken, String name) {
    Path file = folder.resolve(taken);
    if (!name.startsWith("hook-")) {
      removeFile(file);
      return;
    }
    try {
      Files.move(file, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException gone) {
      // Somebody else has put it back.
    }
  }

  private static boolean lives(long process) {
    return ProcessHandle.of(process).filter(ProcessHandle::isAlive).isPresent();
  }

  /** Queues an event for a process that handles it later. */
  void put(String name, byte[] request) throws IOException {
    if (!NAME.matcher(name).matches()) throw new IOException("not a name: " + name);
    prepare();
    Path unfinished = Files.createTempFile(folder, "event", ".part");
    Files.write(unfinished, request);
    Durable.publish(unfinished, folder.resolve(name));
  }

  /** Moves the events of another spool here, in whichever file systems both lie. */
  void takeOver(Spool other) {
    for (Waiting event : other.waiting()) {
      Path from = other.folder.resolve(event.name());
      try {
        prepare();
        Files.copy(from, folder.resolve(event.name()), StandardCopyOption.COPY_ATTRIBUTES);
        Files.delete(from);
      } catch (IOException later) {
        return; // they wait where they are
      }
    }
  }

  private static void removeFile(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException later) {
      // It is removed by whoever tidies next.
    }
  }
}
