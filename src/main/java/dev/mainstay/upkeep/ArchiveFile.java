package dev.mainstay.upkeep;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.util.zip.GZIPInputStream;

/** Reads archive files: to the end, with every chain, count and hash made anew. */
public final class ArchiveFile {
  private static final int LINE_BYTES_MAX = 16 * 1024 * 1024;
  private static final int BUFFER_BYTES = 64 * 1024;

  /** What surrounds the compressed bytes in a file that Java wrote. */
  private static final int GZIP_FRAME_BYTES = 18;

  private ArchiveFile() {}

  /** Somebody who looks at what is in an archive; what he saw counts once the file was whole. */
  public interface Reader {
    /** Sees nothing: for those who only want to know that the file is whole. */
    Reader NOBODY = new Reader() {};

    default void begin(String stream) {}

    default void entry(JournalEntry entry) {}

    default void row(JsonObject row) {}
  }

  /** What is in the file; one that is not whole in every respect is refused. */
  public static Archive read(Path file, Reader reader) {
    if (!Files.isRegularFile(file)) {
      throw Refusal.notFound(
          "there is no archive " + file + "; name a file that 'mainstay gc --apply' made");
    }
    ArchiveLines lines = new ArchiveLines(reader);
    MessageDigest bytes = ArchiveRow.digest();
    try (InputStream raw = new DigestInputStream(Files.newInputStream(file), bytes);
        Unpacked unpacked = new Unpacked(raw)) {
      InputStream in = new BufferedInputStream(unpacked, BUFFER_BYTES);
      for (byte[] line = next(in); line.length > 0; line = next(in)) lines.line(line);
      lines.finish();
      if (unpacked.packedBytes() + GZIP_FRAME_BYTES != Files.size(file)) {
        throw new IllegalArgumentException("something follows its end");
      }
      raw.transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException
        | IllegalArgumentException
        | ArithmeticException
        | IndexOutOfBoundsException
        | DateTimeException
        | Refusal damage) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is no sound archive (%s); use another copy of it", file, damage.getMessage()));
    }
    return new Archive(file, ArchiveRow.hex(bytes), lines.header(), lines.streams());
  }

  /** Knows how many bytes were unpacked, so that nothing can hide behind them. */
  private static final class Unpacked extends GZIPInputStream {
    Unpacked(InputStream in) throws IOException {
      super(in, BUFFER_BYTES);
    }

    long packedBytes() {
      return inf.getBytesRead();
    }
  }

  /** The next line without its end; empty after the last. */
  static byte[] next(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 && line.size() > 0) throw new IOException("its last line breaks off");
      if (next < 0) return new byte[0];
      if (line.size() == LINE_BYTES_MAX) throw new IOException("it has a line that is too long");
      line.write(next);
    }
    if (line.size() == 0) throw new IOException("it has an empty line");
    return line.toByteArray();
  }
}
