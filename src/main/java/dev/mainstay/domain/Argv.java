package dev.mainstay.domain;

import java.util.ArrayList;
import java.util.List;

/**
 * A command line taken apart into its words, as a shell would where no shell is needed: spaces part
 * words, quotes keep them together, a backslash takes the next character as it is. Nothing else
 * means anything; who needs a pipe writes {@code sh -c '...'}.
 */
public final class Argv {
  private static final String SHELL_ONLY = "|&;<>`$";

  private Argv() {}

  public static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean escapes = c == '\\' && quote != '\'' && i + 1 < line.length();
      if (escapes) {
        word.append(line.charAt(++i));
        inWord = true;
      } else if (quote != 0) {
        if (c == quote) quote = 0;
        else word.append(c);
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (Character.isWhitespace(c)) {
        if (inWord) words.add(word.toString());
        word.setLength(0);
        inWord = false;
      } else {
        refuseShell(c, line);
        word.append(c);
        inWord = true;
      }
    }
    if (quote != 0) throw Refusal.invalid("a quote is not closed in: " + line);
    if (inWord) words.add(word.toString());
    if (words.isEmpty()) throw Refusal.invalid("a command names a program; this one is blank");
    return words;
  }

  /** One line that {@link #split} takes apart into the same words again. */
  public static String join(List<String> words) {
    StringBuilder line = new StringBuilder();
    for (String word : words) {
      if (line.length() > 0) line.append(' ');
      boolean plain = !word.isEmpty() && word.chars().allMatch(Argv::isPlain);
      line.append(plain ? word : "'" + word.replace("'", "'\\''") + "'");
    }
    return line.toString();
  }

  private static boolean isPlain(int c) {
    return Character.isLetterOrDigit(c) || "-_=+,./:@%^~*?#!".indexOf(c) >= 0;
  }

  /** Passed on as a plain character it would not do what was meant. */
  private static void refuseShell(char c, String line) {
    if (SHELL_ONLY.indexOf(c) >= 0) {
      throw Refusal.invalid(
          Phrase.of(
              "commands run without a shell, so \"%c\" means nothing in: %s; write sh -c '...' to use one",
              c, line));
    }
  }
}
