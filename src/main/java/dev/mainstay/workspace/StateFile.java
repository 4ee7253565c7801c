package dev.mainstay.workspace;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoState;
import dev.mainstay.domain.RepoState.FileMeta;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Times;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Durable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/**
 * {@code .mainstay/repostate.json}: the state as a file for other programs. It is whole at every
 * moment. It is read back only where the store has nothing for the folder, see {@link LeftState}.
 */
final class StateFile {
  static final String NAME = "repostate.json";
  private static final int BRIEF_HASH_CHARS = 8;

  private final Path folder;

  StateFile(Path folder) {
    this.folder = folder;
  }

  Path path() {
    return folder.resolve(NAME);
  }

  /** Writes it anew, durably; the hash of its bytes tells later whether it is still that. */
  String write(RepoState state) {
    Path temp = temp();
    try {
      Files.deleteIfExists(temp);
      String hash = bytes(temp, state);
      Durable.publish(temp, path());
      return hash;
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("%s cannot be written: %s", path(), fault.getMessage()), fault);
    }
  }

  private Path temp() {
    return folder.resolve(NAME + ".new");
  }

  /** Removes what a writer who died has left; says whether there was something. */
  boolean discard() {
    try {
      return Files.deleteIfExists(temp());
    } catch (IOException stays) {
      return false;
    }
  }

  /**
   * Copies the file that is there to {@code repostate.before-HASH.json}, unless that was done.
   *
   * @return whether there is a file
   */
  boolean setAside() {
    Optional<String> hash = hash();
    if (hash.isEmpty()) return false;
    String brief = hash.get().substring(0, BRIEF_HASH_CHARS);
    Path aside = folder.resolve("repostate.before-" + brief + ".json");
    try (InputStream in = Files.newInputStream(path(), LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) Files.copy(in, aside);
      return true;
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("%s cannot be kept as %s: %s", path(), aside, fault.getMessage()), fault);
    }
  }

  /** What the file says; empty if it is no JSON object within the usual limits. */
  Optional<JsonObject> read() {
    try (InputStream in = Files.newInputStream(path(), LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(JsonText.DOCUMENT_BYTES_MAX + 1);
      if (bytes.length > JsonText.DOCUMENT_BYTES_MAX) return Optional.empty();
      return Optional.of(JsonText.object(new String(bytes, StandardCharsets.UTF_8)));
    } catch (IOException | Refusal unreadable) {
      return Optional.empty();
    }
  }

  /** The hash of what is there, if it can be read. */
  Optional<String> hash() {
    if (!Files.isRegularFile(path(), LinkOption.NOFOLLOW_LINKS)) return Optional.empty();
    MessageDigest digest = Hasher.sha256();
    try (InputStream in = new DigestInputStream(Files.newInputStream(path()), digest)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
      return Optional.of(HexFormat.of().formatHex(digest.digest()));
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** One file a line: a hundred thousand of them never stand in memory at once. */
  private static String bytes(Path file, RepoState state) throws IOException {
    MessageDigest digest = Hasher.sha256();
    try (var out =
            new DigestOutputStream(
                Files.newOutputStream(
                    file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                digest);
        var text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8))) {
      text.write("{\n  \"work_dir\": " + JsonText.write(state.workDir()));
      text.write(",\n  \"story_id\": " + JsonText.write(state.storyId()));
      text.write(",\n  \"files\": ");
      list(text, state.files().stream().map(FileMeta::toJson).iterator());
      text.write(",\n  \"open_tasks\": ");
      list(text, state.openTasks().stream().map(OpenTask::toJson).iterator());
      text.write(",\n  \"last_updated\": " + JsonText.write(Times.write(state.lastUpdated())));
      text.write("\n}\n");
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void list(BufferedWriter text, java.util.Iterator<JsonObject> items)
      throws IOException {
    if (!items.hasNext()) {
      text.write("[]");
      return;
    }
    text.write("[");
    String before = "\n    ";
    while (items.hasNext()) {
      text.write(before + JsonText.write(items.next()));
      before = ",\n    ";
    }
    text.write("\n  ]");
  }
}
