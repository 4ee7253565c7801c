package dev.mainstay.workspace;

import dev.mainstay.domain.ArtifactFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;

/** A file of which one piece at a time is in memory, read from one descriptor to its end. */
final class HeldFile implements ArtifactFiles.Held {
  private static final int PIECE_BYTES = 64 * 1024;

  private final String path;
  private final FileChannel channel;
  private final long bytes;
  private final String hash;

  private HeldFile(String path, FileChannel channel, long bytes) throws IOException {
    this.path = path;
    this.channel = channel;
    this.bytes = bytes;
    this.hash = hash(path, channel, bytes);
  }

  /** Has the channel from now on, and closes it also when it cannot be read. */
  static HeldFile of(String path, FileChannel channel, long bytes) throws IOException {
    try {
      return new HeldFile(path, channel, bytes);
    } catch (IOException | RuntimeException | Error fault) {
      channel.close();
      throw fault;
    }
  }

  /** The SHA-256 of the first bytes of a file; one that has fewer has changed. */
  static String hash(String path, FileChannel channel, long bytes) throws IOException {
    MessageDigest digest = Hasher.sha256();
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (long at = 0; at < bytes; at += piece.limit()) {
      next(path, channel, piece, at, bytes);
      digest.update(piece.array(), 0, piece.limit());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void next(
      String path, FileChannel channel, ByteBuffer piece, long from, long bytes)
      throws IOException {
    piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - from));
    fill(path, channel, piece, from);
  }

  /** Reads by position, which a FIFO or a terminal refuses instead of waiting. */
  static void fill(String path, FileChannel channel, ByteBuffer buffer, long from)
      throws IOException {
    while (buffer.hasRemaining()) {
      int count = channel.read(buffer, from + buffer.position());
      if (count < 0) throw DiskFault.changed(path);
    }
  }

  @Override
  public String hash() {
    return hash;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public <X extends Exception> void copyTo(ArtifactFiles.Taker<X> taker) throws X {
    MessageDigest digest = Hasher.sha256();
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (long at = 0; at < bytes; at += piece.limit()) {
      try {
        next(path, channel, piece, at, bytes);
      } catch (IOException fault) {
        throw DiskFault.reading(path, fault);
      }
      digest.update(piece.array(), 0, piece.limit());
      boolean last = at + piece.limit() == bytes;
      if (last && !HexFormat.of().formatHex(digest.digest()).equals(hash)) {
        throw DiskFault.changed(path);
      }
      taker.take(piece.array(), piece.limit());
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException nothingIsLost) {
      return; // it was only read
    }
  }
}
