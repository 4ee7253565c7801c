package dev.mainstay.directory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The lines of a text, ended as CommonMark ends them: by LF, CR or both. */
final class Lines {
  private final String text;
  private final List<Integer> starts = new ArrayList<>();

  Lines(String text) {
    this.text = text;
    for (int at = 0; at < text.length(); at = afterLine(text, at)) starts.add(at);
  }

  /** The offset after the end of the line that holds this one. */
  static int afterLine(String text, int offset) {
    for (int i = offset; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') return i + 1;
      if (c == '\r') return i + 1 < text.length() && text.charAt(i + 1) == '\n' ? i + 2 : i + 1;
    }
    return text.length();
  }

  /** The line end that a text uses first; LF if it has none. */
  static String ending(String text) {
    int end = afterLine(text, 0);
    if (end >= 2 && text.startsWith("\r\n", end - 2)) return "\r\n";
    return end >= 1 && text.charAt(end - 1) == '\r' ? "\r" : "\n";
  }

  static boolean isEnded(CharSequence text) {
    if (text.length() == 0) return true;
    char last = text.charAt(text.length() - 1);
    return last == '\n' || last == '\r';
  }

  int count() {
    return starts.size();
  }

  /** The offset at which a line (from 0) begins; the text's length behind the last. */
  int start(int line) {
    return line < starts.size() ? starts.get(line) : text.length();
  }

  /** Whole lines, with their ends. */
  String raw(int from, int to) {
    return text.substring(start(from), start(to));
  }

  /** One line without its end. */
  String bare(int line) {
    String raw = raw(line, line + 1);
    int end = raw.length();
    while (end > 0 && (raw.charAt(end - 1) == '\n' || raw.charAt(end - 1) == '\r')) end--;
    return raw.substring(0, end);
  }

  boolean isBlank(int line) {
    return PlainValue.trim(bare(line)).isEmpty();
  }

  /** The line (from 1) in which an offset stands. */
  int lineOf(int offset) {
    int found = Collections.binarySearch(starts, offset);
    return Math.max(1, found >= 0 ? found + 1 : -found - 1);
  }

  int columnOf(int offset) {
    return offset - start(lineOf(offset) - 1) + 1;
  }
}
