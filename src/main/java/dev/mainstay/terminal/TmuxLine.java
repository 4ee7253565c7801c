package dev.mainstay.terminal;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The language of tmux's control mode: arguments into a line, and escaped output into bytes. */
final class TmuxLine {
  static final int LINE_BYTES_MAX = 1 << 20;

  private TmuxLine() {}

  /** One line that tmux reads as exactly these arguments, whatever is in them. */
  static byte[] of(List<String> argv) {
    StringBuilder line = new StringBuilder();
    for (String each : argv) {
      if (!line.isEmpty()) line.append(' ');
      quote(each, line);
    }
    if (line.length() >= LINE_BYTES_MAX) {
      throw Refusal.tooLarge(
          Phrase.of("a command for tmux has at most %,d bytes; shorten it", LINE_BYTES_MAX));
    }
    return line.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** All but letters, digits, - and _ is written by number: then there is nothing to forget. */
  private static void quote(String argument, StringBuilder line) {
    line.append('"');
    for (byte b : argument.getBytes(StandardCharsets.UTF_8)) {
      if (b == 0) throw Refusal.invalid("a command for tmux holds a NUL character; remove it");
      boolean plain =
          (b >= 'a' && b <= 'z')
              || (b >= 'A' && b <= 'Z')
              || (b >= '0' && b <= '9')
              || b == '-'
              || b == '_';
      if (plain) line.append((char) b);
      else line.append('\\').append(b >> 6 & 3).append(b >> 3 & 7).append(b & 7);
    }
    line.append('"');
  }

  /** The bytes that tmux wrote as text with backslashes and octal numbers. */
  static byte[] unescape(byte[] line, int from) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(line.length - from);
    for (int i = from; i < line.length; i++) {
      if (line[i] == '\\' && isOctal(line, i + 1)) {
        bytes.write((line[i + 1] - '0') * 64 + (line[i + 2] - '0') * 8 + line[i + 3] - '0');
        i += 3;
      } else {
        bytes.write(line[i]);
      }
    }
    return bytes.toByteArray();
  }

  private static boolean isOctal(byte[] line, int at) {
    if (at + 3 > line.length) return false;
    for (int i = at; i < at + 3; i++) if (line[i] < '0' || line[i] > '7') return false;
    return true;
  }
}
