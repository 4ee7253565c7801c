package dev.mainstay.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are still there after a power cut: content, name and folder all reach the disk. */
public final class Durable {
  private Durable() {}

  /** Gives a finished file its final name; neither half a file nor no file can be seen then. */
  public static void publish(Path finished, Path name) throws IOException {
    sync(finished);
    Files.move(finished, name, StandardCopyOption.ATOMIC_MOVE);
    syncFolder(name);
  }

  /** The same, but a file that has the name already stays and the caller is told. */
  public static void publishNew(Path finished, Path name) throws IOException {
    sync(finished);
    try {
      Files.createLink(name, finished); // unlike a move it never replaces anything
      Files.delete(finished);
    } catch (FileAlreadyExistsException taken) {
      throw taken;
    } catch (UnsupportedOperationException | FileSystemException noLinks) {
      if (Files.exists(name)) throw new FileAlreadyExistsException(name.toString());
      Files.move(finished, name, StandardCopyOption.ATOMIC_MOVE);
    }
    syncFolder(name);
  }

  static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  static void syncFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) return;
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
