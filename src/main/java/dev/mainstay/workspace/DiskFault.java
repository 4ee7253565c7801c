package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;

/** What the disk said, as a sentence that says what to do. */
final class DiskFault {
  /** Less than one block is left: whatever the words, the disk is full. */
  private static final long ROOM_BYTES_MIN = 4_096;

  private DiskFault() {}

  static Refusal reading(String path, IOException fault) {
    if (fault instanceof AccessDeniedException) {
      return Refusal.unavailable(
          path + " may not be read by the user Mainstay runs as; give that user the right", fault);
    }
    return other(path, "read", fault);
  }

  static Refusal writing(Path root, String path, IOException fault) {
    if (fault instanceof AccessDeniedException || says(fault, "operation not permitted")) {
      return Refusal.readOnly(
          path
              + " cannot be written: its folder is read-only or closed to the user Mainstay runs as",
          fault);
    }
    if (isInterrupted(fault) || isMoved(fault)) return other(path, "written", fault);
    // The system's words may be in any language, so the disk itself is asked, too.
    if (says(fault, "read-only file system") || asked(root, FileStore::isReadOnly)) {
      return Refusal.readOnly(path + " cannot be written: the disk is read-only", fault);
    }
    boolean full = says(fault, "no space left") || says(fault, "quota exceeded");
    if (full || asked(root, disk -> disk.getUsableSpace() < ROOM_BYTES_MIN)) {
      return Refusal.full(path + " was not written: the disk is full; make room and repeat", fault);
    }
    return other(path, "written", fault);
  }

  static Refusal changed(String path) {
    return Refusal.conflict(path + " changed while it was looked at; look at it again");
  }

  private static Refusal other(String path, String done, IOException fault) {
    if (isInterrupted(fault)) {
      return Refusal.unavailable(
          Phrase.of("%s was not %s: the work was interrupted; repeat it", path, done), fault);
    }
    if (isMoved(fault)) return changed(path);
    return Refusal.unavailable(Phrase.of("%s cannot be %s: %s", path, done, reason(fault)), fault);
  }

  private static boolean isInterrupted(IOException fault) {
    return fault instanceof ClosedByInterruptException;
  }

  private static boolean isMoved(IOException fault) {
    return fault instanceof NoSuchFileException
        || fault instanceof NotDirectoryException
        || says(fault, "levels of symbolic links")
        || says(fault, "not a directory");
  }

  private static boolean says(IOException fault, String words) {
    return reason(fault).toLowerCase(Locale.ROOT).contains(words);
  }

  private static String reason(IOException fault) {
    String reason =
        fault instanceof FileSystemException known ? known.getReason() : fault.getMessage();
    return reason == null ? fault.getClass().getSimpleName() : reason;
  }

  private interface Question {
    boolean of(FileStore disk) throws IOException;
  }

  private static boolean asked(Path root, Question question) {
    try {
      return question.of(Files.getFileStore(root));
    } catch (IOException unknown) {
      return false;
    }
  }
}
