package dev.mainstay.render;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The tokens in a file with one to a line: its bytes in base64, a space, and its rank, which counts
 * from zero line by line. Read in one pass, a little of the file at a time and without an object
 * for a line.
 */
final class VocabularyLines {
  /** Longer than any line. */
  private static final int BUFFER_BYTES = 1 << 16;

  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  private static final byte[] SIX_BITS = sixBits();

  private static final int LINE_BYTES_MIN = 7;

  // Room for the larger vocabulary, which would be copied several times if they grew to it.
  private byte[] bytes = new byte[3 << 19];
  private int size;
  private int[] starts = new int[1 << 18];
  private int tokens;

  private VocabularyLines() {}

  /** All lines of a file; whoever opened it closes it. */
  static VocabularyLines of(InputStream in) throws IOException {
    var lines = new VocabularyLines();
    byte[] buffer = new byte[BUFFER_BYTES];
    int rest = 0; // of a line whose end is not read yet
    int n = in.read(buffer);
    while (n > 0) {
      int filled = rest + n;
      int whole = lines.take(buffer, filled);
      rest = filled - whole;
      System.arraycopy(buffer, whole, buffer, 0, rest);
      n = in.read(buffer, rest, buffer.length - rest);
    }
    if (rest > 0 || n == 0) throw new IllegalStateException("half a line after " + lines.tokens);
    return lines;
  }

  /** The bytes of all tokens, one after the other. */
  byte[] bytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Where the bytes of each token begin, and behind the last of them where they end. */
  int[] starts() {
    return Arrays.copyOf(starts, tokens + 1);
  }

  /** Takes the lines that end in the buffer, and says where the last of them does. */
  private int take(byte[] buffer, int filled) {
    if (bytes.length - size < filled) bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    if (starts.length - tokens <= filled / LINE_BYTES_MIN)
      starts = Arrays.copyOf(starts, 2 * starts.length);
    int whole = filled;
    while (whole > 0 && buffer[whole - 1] != '\n') whole--;
    for (int i = 0; i < whole; ) {
      i = takeRank(buffer, takeToken(buffer, i) + 1) + 1;
      starts[++tokens] = size;
    }
    return whole;
  }

  private int takeToken(byte[] line, int from) {
    int i = from;
    int to = size;
    for (; line[i] != ' '; i += 4, to += 3) {
      int bits =
          SIX_BITS[line[i]] << 18
              | SIX_BITS[line[i + 1]] << 12
              | SIX_BITS[line[i + 2]] << 6
              | SIX_BITS[line[i + 3]];
      bytes[to] = (byte) (bits >> 16);
      bytes[to + 1] = (byte) (bits >> 8);
      bytes[to + 2] = (byte) bits;
    }
    size = line[i - 2] == '=' ? to - 2 : line[i - 1] == '=' ? to - 1 : to;
    return i;
  }

  private int takeRank(byte[] line, int from) {
    int i = from;
    int rank = 0;
    for (; line[i] != '\n'; i++) rank = 10 * rank + line[i] - '0';
    // A file that is not as it should be would count wrong without a word; this notices.
    if (rank != tokens) throw new IllegalStateException("rank " + rank + " instead of " + tokens);
    return i;
  }

  private static byte[] sixBits() {
    byte[] values = new byte[1 << 7];
    for (int i = 0; i < BASE64.length(); i++) values[BASE64.charAt(i)] = (byte) i;
    return values;
  }
}
