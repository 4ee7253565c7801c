package dev.mainstay.setup;

import dev.mainstay.domain.Refusal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of one folder: how the folder is shown, its disk, what shall become of it. */
record Part(String shown, FolderDisk disk, Draft draft, @Nullable Notes notes) {

  /** {@code shown} is put before the paths of files, so that people know which folder is meant. */
  static Part of(String shown, Path folder, Path notes) {
    FolderDisk disk = new FolderDisk(folder);
    Notes kept = new Notes(notes);
    return new Part(shown, disk, new Draft(disk, kept.read()), kept);
  }

  /** A folder in which every file is ours, so that nothing needs to be noted. */
  static Part ofOwn(String shown, Path folder) {
    FolderDisk disk = new FolderDisk(folder);
    return new Part(shown, disk, new Draft(disk, Map.of()), null);
  }

  /** Notes what a later undoing needs. */
  void note() {
    if (notes != null) notes.write(draft.traces());
  }

  List<FileChange> changes() {
    return draft.changes().stream()
        .map(change -> new FileChange(shown + change.path(), change.before(), change.after()))
        .toList();
  }

  /** Writes one file, if it is still as it was when the change was decided. */
  void write(FileChange change) {
    if (!disk.text(change.path()).equals(Optional.ofNullable(change.before()))) {
      throw Refusal.conflict(
          shown + change.path() + " was changed by somebody since it was read; repeat");
    }
    disk.put(change.path(), Optional.ofNullable(change.after()));
  }
}
