package dev.mainstay.faults;

import dev.mainstay.domain.Redactor;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * For {@code faults/redaction}: how many lines of real sources the redactor changes, where next to
 * none holds a secret. Prints the lines, those that were changed, and by which kind.
 */
public final class FalseRedactions {
  private static final Pattern MARKER = Pattern.compile("\\[redacted:([a-z0-9-]+):[0-9a-f]{8}]");
  private static final long FILE_BYTES_MAX = 1 << 20;
  private static final int EXAMPLES_MAX = 12;

  private long files;
  private long lines;
  private long changed;
  private final Map<String, Long> kinds = new TreeMap<>();
  private final List<String> examples = new ArrayList<>();

  private FalseRedactions() {}

  /** Arguments: folders, or archives with sources. */
  public static void main(String[] args) throws IOException {
    boolean high = false;
    for (String each : args) {
      var measured = new FalseRedactions();
      Path path = Path.of(each);
      if (Files.isDirectory(path)) measured.walk(path);
      else {
        try (var archive = FileSystems.newFileSystem(path)) {
          measured.walk(archive.getPath("/"));
        }
      }
      double share = measured.lines == 0 ? 0 : 100.0 * measured.changed / measured.lines;
      System.out.printf(
          Locale.ROOT,
          "%-40s %8d files %10d lines %8d changed %7.3f %%  %s%n",
          path.getFileName(),
          measured.files,
          measured.lines,
          measured.changed,
          share,
          measured.kinds);
      if (Boolean.getBoolean("examples")) measured.examples.forEach(System.out::println);
      high |= share >= 1.0;
    }
    System.exit(high ? 1 : 0);
  }

  private void walk(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        String name = String.valueOf(file.getFileName());
        boolean text =
            name.matches(
                ".*\\.(java|js|ts|mjs|py|md|txt|json|xml|html|css|c|h|sh|yml|yaml|toml|properties|sql)");
        if (text && Files.isRegularFile(file) && Files.size(file) <= FILE_BYTES_MAX) read(file);
      }
    }
  }

  private void read(Path file) throws IOException {
    List<String> all;
    try {
      all = Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (MalformedInputException other) {
      return;
    }
    files++;
    for (String line : all) {
      lines++;
      String redacted = Redactor.DEFAULT.redact(line);
      if (redacted.equals(line)) continue;
      changed++;
      Matcher marker = MARKER.matcher(redacted);
      while (marker.find()) kinds.merge(marker.group(1), 1L, Long::sum);
      if (examples.size() < EXAMPLES_MAX) examples.add("  " + file + ": " + redacted.strip());
    }
  }
}
