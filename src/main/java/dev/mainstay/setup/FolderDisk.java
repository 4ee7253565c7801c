package dev.mainstay.setup;

import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.SafeFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The files of a folder that may not be there yet. Links are told, and never followed. */
final class FolderDisk implements Draft.Disk {
  static final int FILE_BYTES_MAX = 4 * 1024 * 1024;

  private final Path folder;

  FolderDisk(Path folder) {
    this.folder = folder;
  }

  @Override
  public Optional<String> text(String path) {
    if (!Files.isDirectory(folder)) return Optional.empty();
    return SafeFolder.open(folder).read(path, FILE_BYTES_MAX).map(bytes -> text(path, bytes));
  }

  private static String text(String path, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      throw Refusal.invalid(
          path + " is not valid UTF-8; convert it, for example with iconv, and repeat");
    }
  }

  @Override
  public Optional<String> link(String path) {
    Path file = folder.resolve(path);
    if (!Files.isSymbolicLink(file)) return Optional.empty();
    try {
      Path target = file.toRealPath();
      boolean here = target.startsWith(folder.toRealPath()) && Files.isRegularFile(target);
      return Optional.of(here ? folder.toRealPath().relativize(target).toString() : "");
    } catch (IOException leadsNowhere) {
      return Optional.of("");
    }
  }

  /** Puts the text there, or removes the file if there is none. */
  void put(String path, Optional<String> text) {
    if (text.isPresent()) {
      SafeFolder.make(folder).replace(path, text.get().getBytes(StandardCharsets.UTF_8));
    } else if (Files.isDirectory(folder)) {
      SafeFolder.open(folder).remove(path);
    }
  }
}
