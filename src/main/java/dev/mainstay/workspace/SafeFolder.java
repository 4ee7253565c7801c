package dev.mainstay.workspace;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The plain files of one folder, read and replaced by its descriptor: never through a link, whole
 * at every moment, and on the disk when they are said to be.
 */
public final class SafeFolder {
  private final SafeTree tree;
  private final SafeFiles files;

  private SafeFolder(SafeTree tree) {
    this.tree = tree;
    this.files = new SafeFiles(tree);
  }

  /** A folder that is there. */
  public static SafeFolder open(Path folder) {
    return new SafeFolder(SafeTree.at(folder));
  }

  /** The same, made if it is missing. */
  public static SafeFolder make(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("the folder %s cannot be made: %s", folder, fault.getMessage()), fault);
    }
    return open(folder);
  }

  /** The machine on which folders have their paths. */
  public static String host() {
    return Host.current();
  }

  /** Its real path, without links. */
  public Path path() {
    return tree.root();
  }

  /** The file's content; empty when there is none, refused when it is larger or no plain file. */
  public Optional<byte[]> read(String name, int bytesMax) {
    RepoPath path = new RepoPath(name);
    if (files.look(path).isEmpty()) return Optional.empty();
    try {
      return Optional.of(files.read(path, bytesMax));
    } catch (Refusal gone) {
      if (gone.code() == Refusal.Code.NOT_FOUND) return Optional.empty();
      throw gone;
    }
  }

  /** Puts the content there in one step that outlasts a power cut. */
  public void replace(String name, byte[] content) {
    files.replace(new RepoPath(name), content, SafeFiles.newTempName());
  }

  /** Removes the file, if it is there, and folders below this one that are empty without it. */
  public void remove(String name) {
    files.remove(new RepoPath(name));
  }

  /** Removes what writers who died have left; only for one who alone writes here. */
  public void sweep() {
    List<String> left = new ArrayList<>();
    try (Stream<Path> names = Files.list(tree.root())) {
      names.map(file -> file.getFileName().toString()).filter(SafeFiles::isTemp).forEach(left::add);
    } catch (IOException fault) {
      throw DiskFault.reading(tree.root().toString(), fault);
    }
    for (String name : left) files.discard(new RepoPath("left"), name);
  }
}
