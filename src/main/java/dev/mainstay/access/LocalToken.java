package dev.mainstay.access;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.store.OwnFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The token of the person whose project this is: a file that nobody else can read. It is there even
 * on loopback, because every page in a browser can reach that.
 */
public final class LocalToken {
  public static final String FILE_NAME = "token";
  private static final String CREDENTIAL = "local-";

  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path file;
  private final String person;

  public LocalToken(Path folder, String person) {
    this.file = folder.resolve(FILE_NAME);
    this.person = person;
  }

  /** The token, made when there is none; of two who make one at once both get the same. */
  public String get() {
    try {
      if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) make();
      return read();
    } catch (IOException fault) {
      throw unusable(fault);
    }
  }

  /** Another token in place of the one there is, which lets nobody in any more. */
  public String rotate() {
    try {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) check();
      Path fresh = written();
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      syncFolder();
      return read();
    } catch (IOException fault) {
      throw unusable(fault);
    }
  }

  /** The person, when this is their secret. The file is asked each time, for it may be rotated. */
  Optional<Caller> who(String secret) {
    return current()
        .filter(token -> Secret.same(Secret.hash(token), Secret.hash(secret)))
        .map(token -> new Caller(Role.PERSON, person, null, credential(token)));
  }

  boolean isAlive(String credential) {
    return current().filter(token -> Secret.same(credential(token), credential)).isPresent();
  }

  /** The person, when the credential is still theirs. */
  Optional<Caller> byCredential(String credential) {
    if (!isAlive(credential)) return Optional.empty();
    return Optional.of(new Caller(Role.PERSON, person, null, credential));
  }

  /** A seal that nobody makes without the token, and that breaks when it is rotated. */
  Optional<String> seal(String text) {
    return current().map(token -> Secret.seal(token, text));
  }

  static boolean isLocal(String credential) {
    return credential.startsWith(CREDENTIAL);
  }

  private static String credential(String token) {
    return CREDENTIAL + Secret.hash(token);
  }

  private Optional<String> current() {
    try {
      return Optional.of(read());
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    } catch (IOException fault) {
      throw unusable(fault);
    }
  }

  private String read() throws IOException {
    check();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.allocate(Secret.SECRET_CHARS_MAX);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      String token = StandardCharsets.UTF_8.decode(bytes.flip()).toString().strip();
      if (!token.isEmpty()) return token;
    }
    throw Refusal.invalid(file + " is empty; delete it, and the next start makes another");
  }

  private void check() throws IOException {
    var found = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isRegularFile()) {
      throw Refusal.invalid(
          file + " is not a plain file, so it is not trusted; remove it and start again");
    }
    if (!OWNER.containsAll(found.permissions())) {
      throw Refusal.invalid(
          Phrase.of(
              "others may read %s; make it yours alone with 'chmod 600 %s', then 'mainstay token rotate'",
              file, file));
    }
  }

  /** A link to what is whole already: nobody ever reads half a token. */
  private void make() throws IOException {
    Path fresh = written();
    try {
      Files.createLink(file, fresh);
      syncFolder();
    } catch (FileAlreadyExistsException another) {
      return; // whoever was first has made it
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private Path written() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) throw new NoSuchFileException(file.toString());
    if (!Files.exists(folder)) OwnFolder.make(folder);
    Path fresh =
        Files.createTempFile(folder, ".token", "", PosixFilePermissions.asFileAttribute(OWNER));
    try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap((Secret.token() + "\n").getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    return fresh;
  }

  private void syncFolder() throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) return;
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private Refusal unusable(IOException fault) {
    return Refusal.unavailable(
        Phrase.of("the token in %s cannot be used: %s", file, fault.getMessage()), fault);
  }
}
