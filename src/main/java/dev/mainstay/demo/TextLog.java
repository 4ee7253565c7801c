package dev.mainstay.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Texts as they were submitted, one JSON string a line, on the disk before anybody acts on them.
 */
final class TextLog {
  private final @Nullable FileChannel file;

  TextLog(@Nullable Path path) throws IOException {
    this.file =
        path == null
            ? null
            : FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  void note(String text) throws IOException {
    if (file == null) return;
    ByteBuffer line = ByteBuffer.wrap((json(text) + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) file.write(line);
    file.force(true);
  }

  /** By hand, since the room {@code json} would bring a library that takes long to load. */
  static String json(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\t");
        default -> {
          if (c >= 0x20 && !Character.isSurrogate(c)) json.append(c);
          else json.append("\\u").append(hex(c));
        }
      }
    }
    return json.append('"').toString();
  }

  private static String hex(char c) {
    return Integer.toHexString(0x10000 | c).substring(1);
  }
}
