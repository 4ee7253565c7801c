package dev.mainstay.domain;

import java.util.List;
import java.util.function.Predicate;

/**
 * The files that a patch names: in the envelope of {@code apply_patch}, wherever it stands in a
 * text, or in the headers of a unified diff. It reads each line once and checks nothing else.
 */
final class PatchText {
  static final String ENVELOPE = "*** Begin Patch";

  private static final List<String> HEADERS =
      List.of("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ");
  private static final String BEFORE = "--- ";
  private static final String AFTER = "+++ ";
  private static final String NO_FILE = "/dev/null";

  private PatchText() {}

  /** Gives each path to the taker until it has enough and answers false. */
  static void paths(String text, Predicate<String> taker) {
    // Within an envelope a line such as "+++ b/x" is content that is added.
    boolean envelope = text.contains(ENVELOPE);
    String previous = "";
    for (int begin = 0; begin < text.length(); ) {
      int newline = text.indexOf('\n', begin);
      int end = newline < 0 ? text.length() : newline;
      String line = text.substring(begin, end);
      if (!header(line, taker)) return;
      if (!envelope && !diff(previous, line, taker)) return;
      previous = line;
      begin = end + 1;
    }
  }

  /** A heredoc may be indented, so the header may be, too. */
  private static boolean header(String line, Predicate<String> taker) {
    String stripped = line.strip();
    for (String header : HEADERS) {
      if (stripped.startsWith(header)) return taker.test(stripped.substring(header.length()));
    }
    return true;
  }

  private static boolean diff(String previous, String line, Predicate<String> taker) {
    if (!previous.startsWith(BEFORE) || !line.startsWith(AFTER)) return true;
    String before = file(previous);
    String after = file(line);
    boolean prefixed = isSide("a/", before) && isSide("b/", after);
    return give(before, prefixed, taker) && give(after, prefixed, taker);
  }

  /** What stands behind a tab is the time of the file. */
  private static String file(String line) {
    int tab = line.indexOf('\t');
    return line.substring(BEFORE.length(), tab < 0 ? line.length() : tab).strip();
  }

  private static boolean isSide(String prefix, String file) {
    return file.equals(NO_FILE) || file.startsWith(prefix);
  }

  private static boolean give(String file, boolean prefixed, Predicate<String> taker) {
    if (file.equals(NO_FILE)) return true;
    return taker.test(prefixed ? file.substring(2) : file);
  }
}
