package dev.mainstay.mcp;

import dev.mainstay.json.JsonText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The way in: lines of a bounded length. */
final class Lines {
  private static final int END = -1;

  private final InputStream in;

  Lines(InputStream in) {
    this.in = new BufferedInputStream(in);
  }

  /**
   * The next line, or null when the input has ended. A line that is too long is skipped, and the
   * error carries the id of its request.
   */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int read = in.read();
    if (read == END) return null;
    for (; read != END && read != '\n'; read = in.read()) {
      if (line.size() >= JsonText.DOCUMENT_BYTES_MAX) throw tooLong(line.toByteArray(), read);
      line.write(read);
    }
    return line.toByteArray();
  }

  private WireError tooLong(byte[] begun, int next) throws IOException {
    RequestId request = new RequestId();
    for (byte each : begun) request.read(each);
    for (int read = next; read != END && read != '\n'; read = in.read()) request.read(read);
    return new WireError(
            WireError.INVALID_REQUEST,
            "a message has at most " + JsonText.DOCUMENT_BYTES_MAX + " bytes; send less at once",
            null)
        .answering(request.found());
  }
}
