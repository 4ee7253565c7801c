package dev.mainstay.setup;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.SafeFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where the traces of a folder's files are kept until they are undone. */
final class Notes {
  private static final String FILE = "init.json";
  private static final String IGNORE = ".gitignore";

  private final Path folder;

  Notes(Path folder) {
    this.folder = folder;
  }

  /** None where there are no notes; undoing works without them, only less exactly. */
  Map<String, Trace> read() {
    if (!Files.isDirectory(folder)) return Map.of();
    return SafeFolder.open(folder)
        .read(FILE, FolderDisk.FILE_BYTES_MAX)
        .map(bytes -> traces(new String(bytes, StandardCharsets.UTF_8)))
        .orElse(Map.of());
  }

  private Map<String, Trace> traces(String text) {
    try {
      return Trace.read(text);
    } catch (Refusal spoilt) {
      throw Refusal.invalid(
          Phrase.of(
              "%s cannot be read (%s); move it away and repeat, which only makes undoing less exact",
              folder.resolve(FILE), spoilt.sentence()));
    }
  }

  void write(Map<String, Trace> traces) {
    if (traces.equals(read())) return;
    SafeFolder notes = SafeFolder.make(folder);
    if (traces.isEmpty()) {
      notes.remove(FILE);
      return;
    }
    if (folder.endsWith(".mainstay") && notes.read(IGNORE, FolderDisk.FILE_BYTES_MAX).isEmpty()) {
      notes.replace(IGNORE, "*\n".getBytes(StandardCharsets.UTF_8));
    }
    notes.replace(FILE, Trace.write(traces).getBytes(StandardCharsets.UTF_8));
  }
}
