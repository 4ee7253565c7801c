package dev.mainstay.terminal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a program ended.
 *
 * @param exit its code, 128 and the signal's number if one ended it; null when nobody saw
 * @param lastLines the end of what was on its screen
 */
public record PaneEnd(@Nullable Integer exit, List<String> lastLines) {
  public PaneEnd {
    lastLines = List.copyOf(lastLines);
  }
}
