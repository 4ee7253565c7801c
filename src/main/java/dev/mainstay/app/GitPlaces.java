package dev.mainstay.app;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.process.Programs.Order;
import dev.mainstay.terminal.WorkPlaces;
import dev.mainstay.trust.UserFolders;
import dev.mainstay.workspace.GitCommand;
import dev.mainstay.workspace.Worktrees;
import dev.mainstay.workspace.Worktrees.Worktree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Worktrees of a folder's repository, below its {@code .mainstay/worktrees}. */
final class GitPlaces implements WorkPlaces {
  private static final Duration GIT_LIMIT = Duration.ofMinutes(2);
  private static final Path PLACES = Path.of(".mainstay", "worktrees");

  private final UserFolders user;

  GitPlaces(UserFolders user) {
    this.user = user;
  }

  @Override
  public void mustServe(Path folder) {
    worktrees(folder);
    head(folder);
  }

  @Override
  public Place add(String name, Path folder) {
    Worktrees all = worktrees(folder);
    String from = head(folder);
    Worktree made = all.add(name, from);
    // One that was there began elsewhere: where it left the line of the folder.
    String base = git(folder, List.of("merge-base", from, made.branch())).strip();
    return new Place(made.folder(), made.branch(), base);
  }

  @Override
  public boolean isPlace(Path folder) {
    Path parent = folder.getParent();
    return parent != null && parent.endsWith(PLACES);
  }

  @Override
  public Optional<Patch> patch(String name, Path folder, String base) {
    Path root = Project.around(folder, user).root();
    Path places = root.resolve(PLACES);
    Path place = places.resolve(name);
    if (!Files.isDirectory(place)) {
      throw Refusal.notFound(
          Phrase.of("the worktree %s is gone; its branch has its commits", name));
    }
    Path patch = places.resolve(name + ".patch");
    Path index = places.resolve(name + ".index");
    try {
      copyIndex(place, index);
      // An index of our own: new files are seen, and the worker's index stays as it is.
      String own = "GIT_INDEX_FILE=" + index;
      List<String> add = new ArrayList<>(GitCommand.withoutFilters(place));
      add.addAll(List.of("add", "--all", "--", ".", ":(exclude).mainstay"));
      run(place, List.of("env", own), add);
      run(
          place,
          List.of("env", own),
          List.of(
              "diff",
              "--cached",
              "--no-color",
              "--no-ext-diff",
              "--no-textconv",
              "--output=" + patch,
              base));
      return read(patch);
    } catch (IOException fault) {
      throw Refusal.unavailable("the changes cannot be read: " + fault.getMessage(), fault);
    } finally {
      delete(index);
    }
  }

  private static void copyIndex(Path place, Path index) throws IOException {
    Path real = place.resolve(git(place, List.of("rev-parse", "--git-path", "index")).strip());
    if (Files.exists(real)) Files.copy(real, index, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Optional<Patch> read(Path patch) throws IOException {
    long bytes = Files.exists(patch) ? Files.size(patch) : 0;
    if (bytes == 0) {
      delete(patch);
      return Optional.empty();
    }
    String text = bytes > Artifact.INLINE_BYTES_MAX ? null : text(Files.readAllBytes(patch));
    if (text != null) delete(patch);
    return Optional.of(new Patch(text, patch));
  }

  /** Null when it is no text that the store keeps. */
  private static @Nullable String text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.indexOf('\0') < 0 ? text : null;
    } catch (CharacterCodingException binary) {
      return null;
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException stays) {
      // It lies in our own folder and is replaced by the next one.
    }
  }

  private Worktrees worktrees(Path folder) {
    return new Worktrees(Project.around(folder, user).root());
  }

  private static String head(Path folder) {
    try {
      return git(folder, List.of("rev-parse", "--verify", "HEAD^{commit}")).strip();
    } catch (Refusal none) {
      if (none.code() != Refusal.Code.CONFLICT) throw none;
      throw Refusal.invalid(
          Phrase.of("%s has no commit yet, from which a worktree could begin; make one", folder));
    }
  }

  private static String git(Path folder, List<String> args) {
    return run(folder, List.of(), args);
  }

  private static String run(Path folder, List<String> before, List<String> args) {
    List<String> command = new ArrayList<>(before);
    command.addAll(GitCommand.of(args));
    Ended ended =
        Programs.run(Order.of(command, GIT_LIMIT).in(folder))
            .orElseThrow(() -> Refusal.unavailable("git is not installed, or took too long", null));
    if (ended.exit() == 0) return ended.output();
    throw Refusal.conflict("git says: " + ended.output().strip().replaceAll("\\s+", " "));
  }
}
