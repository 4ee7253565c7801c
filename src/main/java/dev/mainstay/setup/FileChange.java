package dev.mainstay.setup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.jspecify.annotations.Nullable;

/** A file before and after; null where there is none. */
public record FileChange(String path, @Nullable String before, @Nullable String after) {

  boolean isReal() {
    return !Objects.equals(before, after);
  }

  /** create, change or remove. */
  public String action() {
    if (before == null) return "create";
    return after == null ? "remove" : "change";
  }

  /** The change as a unified diff. */
  public String diff() {
    RawText old = raw(before);
    RawText now = raw(after);
    ByteArrayOutputStream hunks = new ByteArrayOutputStream();
    try (DiffFormatter formatter = new DiffFormatter(hunks)) {
      formatter.format(new HistogramDiff().diff(RawTextComparator.DEFAULT, old, now), old, now);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    String place = path.startsWith("/") ? path : "/" + path;
    String from = before == null ? "/dev/null" : "a" + place;
    String to = after == null ? "/dev/null" : "b" + place;
    return "--- " + from + "\n+++ " + to + "\n" + hunks.toString(StandardCharsets.UTF_8);
  }

  private static RawText raw(@Nullable String text) {
    return new RawText((text == null ? "" : text).getBytes(StandardCharsets.UTF_8));
  }
}
