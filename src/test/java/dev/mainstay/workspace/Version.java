package dev.mainstay.workspace;

import dev.mainstay.domain.RepoPath;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One version of a file in the kill tests. Its number says where it goes, how long it is and every
 * byte of it, so that whoever finds a file can tell whether it is whole.
 */
record Version(int number) {
  static final List<String> PATHS =
      List.of("a.txt", "b.bin", "src/c.java", "src/deep/er/d.md", "new/e.json", "f");

  private static final int BYTES_MIN = 10;
  private static final int BYTES_MAX = 300 * 1024;

  private Random random() {
    return new Random(number * 0x9E3779B97F4A7C15L);
  }

  RepoPath path() {
    return new RepoPath(PATHS.get(random().nextInt(PATHS.size())));
  }

  /** Every other write has a key. */
  String key() {
    return number % 2 == 0 ? "write-" + number : null;
  }

  /** The number first; short files and long ones are equally frequent. */
  byte[] content() {
    Random random = random();
    random.nextInt(PATHS.size());
    boolean isLong = random.nextBoolean();
    int size = BYTES_MIN + random.nextInt((isLong ? BYTES_MAX : 1_000) - BYTES_MIN + 1);
    byte[] content = new byte[size];
    random.nextBytes(content);
    ByteBuffer.wrap(content).putInt(number);
    return content;
  }

  String hash() {
    return HexFormat.of().formatHex(Hasher.sha256().digest(content()));
  }

  /** The version these bytes are of; empty when they are not one whole version of this file. */
  static Optional<Version> of(String path, byte[] bytes) {
    if (bytes.length < BYTES_MIN) return Optional.empty();
    Version version = new Version(ByteBuffer.wrap(bytes).getInt());
    boolean whole = version.path().value().equals(path) && Arrays.equals(bytes, version.content());
    return whole ? Optional.of(version) : Optional.empty();
  }
}
