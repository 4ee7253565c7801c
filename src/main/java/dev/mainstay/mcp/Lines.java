package dev.mainstay.mcp;

import dev.mainstay.json.JsonText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The way in: lines of a bounded length. */
final class Lines {
  private static final int END = -1;

  private final InputStream in;

  Lines(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /** The next line, or null when the input has ended; one that is too long is read over. */
  @Nullable String next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean tooLong = false;
    int read = in.read();
    if (read == END) return null;
    for (; read != END && read != '\n'; read = in.read()) {
      tooLong |= line.size() >= JsonText.DOCUMENT_BYTES_MAX;
      if (!tooLong) line.write(read);
    }
    if (tooLong) {
      throw new WireError(
          WireError.INVALID_REQUEST,
          "a message has at most " + JsonText.DOCUMENT_BYTES_MAX + " bytes; send less at once",
          null);
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
