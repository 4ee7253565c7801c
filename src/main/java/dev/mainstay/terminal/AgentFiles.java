package dev.mainstay.terminal;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** What an agent is given in files, such as its system prompt; for the eyes of its owner alone. */
final class AgentFiles {
  private AgentFiles() {}

  static void write(Path folder, Map<String, String> texts) {
    if (texts.isEmpty()) return;
    try {
      var ownerOnly = PosixFilePermissions.fromString("rwx------");
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
      for (Map.Entry<String, String> each : texts.entrySet()) replace(each);
    } catch (IOException unusable) {
      throw Refusal.unavailable(
          "the files of the agent in " + folder + " cannot be written; see that you may", unusable);
    }
  }

  private static void replace(Map.Entry<String, String> text) throws IOException {
    Path file = Path.of(text.getKey());
    Files.deleteIfExists(file);
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    var mode = PosixFilePermissions.fromString("rw-------");
    Files.newByteChannel(file, options, PosixFilePermissions.asFileAttribute(mode)).close();
    Files.writeString(file, text.getValue());
  }
}
