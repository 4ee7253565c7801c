package dev.mainstay.directory;

import dev.mainstay.directory.Finding.Kind;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.store.StateDirectoryTable.Known;
import dev.mainstay.store.Store;
import dev.mainstay.workspace.SafeFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which files of state directories are not as they were last in step with the store, whoever or
 * whatever changed them. What they say is not asked; nothing is changed.
 */
final class ChangedFiles {
  static final int FOLDERS_MAX = 1_000;

  private final Store store;
  private final List<Finding> found = new ArrayList<>();

  private ChangedFiles(Store store) {
    this.store = store;
  }

  static List<Finding> of(Store store, List<StateDirectory> directories) {
    ChangedFiles changed = new ChangedFiles(store);
    directories.stream().limit(FOLDERS_MAX).forEach(changed::look);
    int more = directories.size() - FOLDERS_MAX;
    if (more > 0) {
      changed.note("state directories", Phrase.of("%,d more were not looked at", more));
    }
    return changed.found;
  }

  private void look(StateDirectory directory) {
    Map<String, Known> files = store.reading(tx -> tx.stateDirectories().files(directory.id()));
    SafeFolder folder;
    try {
      folder = SafeFolder.open(Path.of(directory.folder()));
    } catch (Refusal gone) {
      note(directory.folder(), gone.sentence());
      return;
    }
    files.forEach((name, known) -> look(folder, name, known));
  }

  private void look(SafeFolder folder, String name, Known known) {
    String file = folder.path().resolve(name).toString();
    try {
      byte[] bytes = folder.read(name, Page.TEXT_BYTES_MAX).orElse(null);
      if (bytes == null) {
        note(file, "it is missing; 'mainstay exec sync' writes it again");
      } else if (!known.isForgotten() && !known.isText(new String(bytes, StandardCharsets.UTF_8))) {
        note(
            file,
            "it is not as it was last in step with the store; 'mainstay exec check' says more");
      }
    } catch (Refusal unreadable) {
      note(file, unreadable.sentence());
    }
  }

  private void note(String file, String sentence) {
    found.add(new Finding(file, null, Kind.NOTE, sentence));
  }
}
