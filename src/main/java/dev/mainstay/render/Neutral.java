package dev.mainstay.render;

import java.util.regex.Pattern;

/**
 * Makes stored text safe to show to a model as data: after this, no text can close the block that
 * it stands in, open another, begin a line of its own or name another author. It stays readable,
 * and what is neutral already is not changed again.
 *
 * <ul>
 *   <li>{@code <} and its wide forms before a name, {@code /}, {@code !}, {@code ?} or {@code |}
 *       becomes {@code &lt;}: no tag begins, whatever its name, nor a mark of a model's own such as
 *       {@code <|im_start|>}; comparisons and redirections remain as they are.
 *   <li>The bracket of {@code [TASK STATE]} and of {@code (by person:...)} becomes its entity.
 *   <li>Runs of three backquotes or tildes become quotes: no code fence begins or ends.
 *   <li>Line breaks become {@code ⏎}; controls and invisible characters that reorder or hide text
 *       are dropped.
 * </ul>
 */
public final class Neutral {
  private static final Pattern BREAKS =
      Pattern.compile("(?:\\r\\n|[\\n\\r\\x0B\\f\\x85\\u2028\\u2029])\\s*");

  // The tag characters (U+E0000...) spell orders that nobody sees.
  private static final Pattern HIDDEN =
      Pattern.compile(
          "[\\p{Cc}&&[^\\t]]|[\\u00AD\\u061C\\u180E\\u200B\\u200E\\u200F\\u202A-\\u202E]"
              + "|[\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\x{E0000}-\\x{E007F}]");

  // Scripts and emoji need joiners and variation selectors, also after the digits of keycaps;
  // behind other ASCII they only hide a delimiter from whoever looks for it.
  private static final Pattern IDLE_JOINERS =
      Pattern.compile("(?<=[\\p{ASCII}&&[^0-9#*]])[\\u200C\\u200D\\uFE00-\\uFE0F]+");
  private static final Pattern TAG =
      Pattern.compile("[<\\uFF1C\\uFE64](?=[\\p{Cf}\\p{Mn}]*[/!?|_\\uFF0F\\p{L}])");
  private static final Pattern HEADER =
      Pattern.compile(
          "\\[(?=[\\p{Cf}\\p{Mn}\\s]*task[\\p{Cf}\\p{Mn}\\s_-]*state)", Pattern.CASE_INSENSITIVE);
  private static final Pattern AUTHOR =
      Pattern.compile(
          "\\((?=[\\p{Cf}\\p{Mn}\\s]*(?:binding,\\s*)?by\\s+(?:person|agent|system)\\s*:)",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern BACKQUOTES = Pattern.compile("`{3,}");
  private static final Pattern TILDES = Pattern.compile("~{3,}");

  private Neutral() {}

  /** The text as one line. */
  public static String line(String text) {
    String line = text.strip();
    // Most notes have nothing in them that these patterns look for, and patterns are slow.
    String seen = isPlain(line) ? line : seen(BREAKS.matcher(line).replaceAll(" ⏎ "));
    return defused(seen).strip();
  }

  /**
   * Whether each letter is one of those that neither break a line nor control nor hide anything.
   */
  private static boolean isPlain(String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      boolean isAscii = c >= ' ' && c <= '~';
      boolean isLatin = c >= '\u00C0' && c <= '\u017F';
      if (!isAscii && !isLatin) return false;
    }
    return true;
  }

  private static String seen(String line) {
    return IDLE_JOINERS.matcher(HIDDEN.matcher(line).replaceAll("")).replaceAll("");
  }

  /** The text with its lines, each but the first set in, so that none passes for one of ours. */
  public static String block(String text) {
    String[] lines = text.strip().split("\\R", -1);
    StringBuilder block = new StringBuilder(text.length() + 4 * lines.length);
    for (int i = 0; i < lines.length; i++) {
      if (i > 0) block.append("\n    ");
      block.append(line(lines[i]));
    }
    return block.toString();
  }

  private static String defused(String line) {
    String untagged = hasTagMark(line) ? TAG.matcher(line).replaceAll("&lt;") : line;
    String headless = without(HEADER, '[', untagged, "&#91;");
    String unsigned = without(AUTHOR, '(', headless, "&#40;");
    String unfenced = without(BACKQUOTES, '`', unsigned, "'''");
    return without(TILDES, '~', unfenced, "'''");
  }

  private static boolean hasTagMark(String line) {
    return line.indexOf('<') >= 0 || line.indexOf('\uFF1C') >= 0 || line.indexOf('\uFE64') >= 0;
  }

  /** Replaces what the pattern finds, which always begins with this character. */
  private static String without(Pattern pattern, char first, String line, String by) {
    return line.indexOf(first) < 0 ? line : pattern.matcher(line).replaceAll(by);
  }
}
