package dev.mainstay.upkeep;

import dev.mainstay.domain.Erasure;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.StoreFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What Mainstay itself wrote into its folders beside the store: logs and views, which can be
 * rewritten, and archives, copies and settings, of which it is only told what they hold. Bytes are
 * written over in place, as long as they were: whoever has a log open goes on writing to it.
 */
public final class OwnFiles {
  /** Folders of which each file is a log, or waits to be heard. */
  private static final Set<String> LOGS = Set.of("log", "spool", "terminals");

  private static final String VIEW = "repostate.json";

  /** Files of the project itself, and what was unpacked for the virtual machine. */
  private static final Set<String> PASSED_OVER = Set.of("worktrees", "cache");

  private static final int BUFFER_BYTES = 1 << 20;
  private static final long FILE_BYTES_MAX = 256L * 1024 * 1024;

  private final Supplier<Set<Path>> folders;
  private final Set<Path> untouchable;

  /**
   * @param folders each {@code .mainstay} that may be there
   * @param untouchable files of a database that is open, whose locks would be lost
   */
  public OwnFiles(Supplier<Set<Path>> folders, Set<Path> untouchable) {
    this.folders = folders;
    this.untouchable = Set.copyOf(untouchable);
  }

  /** How many files have it that can be rewritten. */
  long holding(Erasure erasure) {
    return held(true, erasure, new TreeSet<>()).size();
  }

  /** Those that have it and are not ours to rewrite, and those of which nobody can tell. */
  Set<String> beyondReach(Erasure erasure) {
    Set<String> beyond = new TreeSet<>();
    held(true, erasure, beyond);
    for (Path file : held(false, erasure, beyond)) beyond.add(file.toString());
    return beyond;
  }

  /** Writes over it wherever it stands; in how many files. */
  long erase(Erasure erasure) {
    List<Path> held = held(true, erasure, new TreeSet<>());
    for (Path file : held) overwrite(file, erasure);
    return held.size();
  }

  private List<Path> held(boolean ours, Erasure erasure, Set<String> untold) {
    List<Path> held = new ArrayList<>();
    for (Path folder : folders.get()) {
      for (Path file : files(folder, ours, untold)) {
        try {
          if (holds(file, erasure)) held.add(file);
        } catch (IOException fault) {
          untold(file, fault, untold);
        }
      }
    }
    return held;
  }

  /** A log that was put aside meanwhile is found under its other name; else nobody knows. */
  private static void untold(Path file, IOException fault, Set<String> untold) {
    if (fault instanceof NoSuchFileException) return;
    untold.add(Phrase.of("%s (perhaps, as it cannot be read: %s)", file, fault.getMessage()));
  }

  private Set<Path> files(Path folder, boolean ours, Set<String> untold) {
    Set<Path> found = new TreeSet<>();
    if (Files.notExists(folder)) return found;
    try {
      StoreFiles store = new StoreFiles(folder.toRealPath(), untouchable);
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes seen) {
              boolean passed =
                  folder.equals(at.getParent())
                      && PASSED_OVER.contains(at.getFileName().toString());
              return passed ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes seen) {
              String inside = folder.relativize(file).toString();
              if (inside.endsWith(".lock") || store.contains(inside, key(file))) {
                return FileVisitResult.CONTINUE;
              }
              if (seen.isSymbolicLink()) {
                untold.add(file + " (perhaps, as it is a link, which is not followed)");
              } else if (seen.isRegularFile() && isOurs(folder, file) == ours) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException fault) {
              untold(file, fault, untold);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException fault) {
      untold(folder, fault, untold);
    }
    return found;
  }

  /** Of what a link leads to, as that may be the store. */
  private static @Nullable Object key(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (IOException gone) {
      return null;
    }
  }

  private static boolean isOurs(Path folder, Path file) {
    Path inside = folder.relativize(file);
    return inside.getNameCount() > 1
        ? LOGS.contains(inside.getName(0).toString())
        : inside.toString().startsWith(VIEW);
  }

  private static boolean holds(Path file, Erasure erasure) throws IOException {
    List<byte[]> forms = bytes(erasure);
    int longest = forms.stream().mapToInt(form -> form.length).max().orElse(1);
    try (InputStream in = unpacked(file)) {
      byte[] window = new byte[BUFFER_BYTES + longest];
      int kept = 0;
      while (true) {
        int more = in.readNBytes(window, kept, BUFFER_BYTES);
        int length = kept + more;
        for (byte[] form : forms) if (indexOf(window, length, form, 0) >= 0) return true;
        if (more < BUFFER_BYTES) return false;
        kept = Math.min(longest, length);
        System.arraycopy(window, length - kept, window, 0, kept);
      }
    }
  }

  /** Archives are packed, and looked into nevertheless. */
  private static InputStream unpacked(Path file) throws IOException {
    InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in, BUFFER_BYTES) : in;
  }

  private static void overwrite(Path file, Erasure erasure) {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.size() > FILE_BYTES_MAX) throw new IOException("it is too large");
      byte[] all = new byte[(int) channel.size()];
      ByteBuffer whole = ByteBuffer.wrap(all);
      while (whole.hasRemaining() && channel.read(whole, whole.position()) >= 0) {}
      byte[] mark = erasure.mark().getBytes(StandardCharsets.UTF_8);
      for (byte[] form : bytes(erasure)) {
        byte[] instead = new byte[form.length];
        Arrays.fill(instead, (byte) '*');
        System.arraycopy(mark, 0, instead, 0, Math.min(mark.length, instead.length));
        for (int at = indexOf(all, all.length, form, 0); at >= 0; ) {
          System.arraycopy(instead, 0, all, at, instead.length);
          ByteBuffer part = ByteBuffer.wrap(instead);
          while (part.hasRemaining()) channel.write(part, at + part.position());
          at = indexOf(all, all.length, form, at + instead.length);
        }
      }
      channel.force(true);
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of(
              "%s has it and cannot be rewritten (%s); make it writable and repeat",
              file, fault.getMessage()),
          fault);
    }
  }

  private static List<byte[]> bytes(Erasure erasure) {
    List<byte[]> forms = new ArrayList<>();
    for (String form : erasure.forms()) forms.add(form.getBytes(StandardCharsets.UTF_8));
    return forms;
  }

  private static int indexOf(byte[] in, int length, byte[] form, int from) {
    for (int at = from; at <= length - form.length; at++) {
      if (in[at] == form[0] && Arrays.equals(in, at, at + form.length, form, 0, form.length))
        return at;
    }
    return -1;
  }
}
