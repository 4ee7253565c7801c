package dev.mainstay.render;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** How much of each prompt a prompt cache could reuse from the one before it. */
public record PrefixStats(long commonBytes, long totalBytes) {
  /** The bytes that both begin with, of all bytes of the later one. */
  public static PrefixStats between(String before, String after) {
    byte[] earlier = before.getBytes(StandardCharsets.UTF_8);
    byte[] later = after.getBytes(StandardCharsets.UTF_8);
    int common = 0;
    int most = Math.min(earlier.length, later.length);
    while (common < most && earlier[common] == later[common]) common++;
    return new PrefixStats(common, later.length);
  }

  /** The sum over successive prompts, oldest first; nothing while there is but one. */
  public static PrefixStats over(List<String> prompts) {
    var sum = new PrefixStats(0, 0);
    for (int i = 1; i < prompts.size(); i++) {
      sum = sum.plus(between(prompts.get(i - 1), prompts.get(i)));
    }
    return sum;
  }

  public PrefixStats plus(PrefixStats other) {
    return new PrefixStats(commonBytes + other.commonBytes, totalBytes + other.totalBytes);
  }

  /** Between 0 and 1; 0 when there was nothing to compare. */
  public double ratio() {
    return totalBytes == 0 ? 0 : (double) commonBytes / totalBytes;
  }
}
