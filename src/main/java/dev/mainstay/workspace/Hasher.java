package dev.mainstay.workspace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SHA-256 of contents, with one buffer for all; for one thread. */
final class Hasher {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final ThreadLocal<Hasher> MINE = ThreadLocal.withInitial(Hasher::new);

  private final MessageDigest digest = sha256();
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  static Hasher mine() {
    return MINE.get();
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * The hash of a file that has exactly so many bytes; null when it has more or fewer. A file that
   * grows while it is read is not followed.
   */
  byte @Nullable [] hash(SecureDirectoryStream<Path> folder, Path name, long size)
      throws IOException {
    digest.reset();
    long left = size;
    try (SeekableByteChannel file = folder.newByteChannel(name, READ)) {
      while (left >= 0) {
        int read = file.read(buffer.clear());
        if (read <= 0) break;
        digest.update(buffer.array(), 0, read);
        left -= read;
      }
    }
    return left == 0 ? digest.digest() : null;
  }
}
