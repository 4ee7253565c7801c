package dev.mainstay.hook;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How large a context was last, as the host's own record of the session says. */
final class Transcript {
  private static final int TAIL_BYTES_MAX = 256 * 1024;
  private static final int USAGE_CHARS_MAX = 400;
  private static final Pattern INPUT = Pattern.compile("\"input_tokens\":(\\d{1,9})");
  private static final Pattern CACHED =
      Pattern.compile("\"cache_(?:creation|read)_input_tokens\":(\\d{1,9})");

  private Transcript() {}

  /** The tokens of the last request; 0 where nothing tells. */
  static long contextTokens(Happening event) {
    String file = Happening.text(event.payload(), "transcript_path");
    if (file == null) return 0;
    try {
      return lastUsage(tail(Path.of(file)));
    } catch (IOException | InvalidPathException unreadable) {
      return 0;
    }
  }

  private static String tail(Path file) throws IOException {
    if (!Files.isRegularFile(file)) return "";
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      channel.position(Math.max(0, channel.size() - TAIL_BYTES_MAX));
      ByteBuffer bytes = ByteBuffer.allocate(TAIL_BYTES_MAX);
      int read = 0;
      while (read >= 0 && bytes.hasRemaining()) read = channel.read(bytes);
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }
  }

  private static long lastUsage(String text) {
    Matcher input = INPUT.matcher(text);
    int last = -1;
    long tokens = 0;
    while (input.find()) {
      last = input.end();
      tokens = Long.parseLong(input.group(1));
    }
    if (last < 0) return 0;
    int end = text.indexOf('\n', last);
    int limit = Math.min(text.length(), last + USAGE_CHARS_MAX);
    Matcher cached = CACHED.matcher(text.substring(last, end < 0 ? limit : Math.min(end, limit)));
    for (int i = 0; i < 2 && cached.find(); i++) tokens += Long.parseLong(cached.group(1));
    return tokens;
  }
}
