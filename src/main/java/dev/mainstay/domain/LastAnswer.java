package dev.mainstay.domain;

import java.util.List;

/** What an agent said last, as far as its screen tells: what stands between input and prompt. */
public final class LastAnswer {
  private LastAnswer() {}

  /**
   * The lines from the first sign of an answer after the last message, to the prompt; all lines
   * above the prompt if the provider's answers have no sign.
   */
  public static List<String> of(ScreenSigns signs, List<String> lines) {
    int end = lines.size();
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (!any(signs.ready(), lines.get(i))) continue;
      end = i;
      break;
    }
    while (end > 0 && isFrame(lines.get(end - 1))) end--;
    int begin = end;
    for (int i = end - 1; i >= 0; i--) {
      if (lines.get(i).contains(Message.MARK_BEGINS)) break;
      if (any(signs.answered(), lines.get(i))) begin = i;
      else if (isInput(lines.get(i)) && begin < end) break;
    }
    if (begin == end && signs.answered().isEmpty()) begin = 0;
    return lines.subList(begin, end);
  }

  private static boolean any(List<Sign> signs, String line) {
    return signs.stream().anyMatch(sign -> sign.isIn(line));
  }

  /** What a person typed stands behind the prompt's own mark. */
  private static boolean isInput(String line) {
    return line.startsWith("> ") || line.startsWith("❯ ");
  }

  /** A rule, a box's edge, or nothing. */
  private static boolean isFrame(String line) {
    return line.chars().noneMatch(Character::isLetterOrDigit);
  }
}
