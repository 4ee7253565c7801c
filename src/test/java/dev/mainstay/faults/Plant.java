package dev.mainstay.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A bug to be planted into a copy of the sources: the rule it breaks, the file, the tests that must
 * notice, and the lines that are replaced. A file of {@code faults/plants} reads
 *
 * <pre>
 * rule: a stale fence is refused
 * file: domain/Task.java
 * test: queue.ClaimTest$OnSqlite#name_of_a_test
 * --- was
 * the lines as they are
 * --- is
 * the lines as they are planted
 * </pre>
 */
record Plant(String name, String rule, Path file, List<String> tests, List<Change> changes) {
  private static final String HOME = "dev/mainstay/";
  private static final String WAS = "--- was";
  private static final String IS = "--- is";

  /** What stands in a source, once, and what is put in its place. */
  record Change(String was, String is) {}

  static List<Plant> all(Path folder) throws IOException {
    List<Plant> all = new ArrayList<>();
    try (var files = Files.newDirectoryStream(folder, "*.plant")) {
      for (Path each : files) all.add(read(each));
    }
    all.sort((one, other) -> one.name.compareTo(other.name));
    return List.copyOf(all);
  }

  static Plant read(Path file) throws IOException {
    String name = file.getFileName().toString().replaceFirst("\\.plant$", "");
    String rule = "";
    String source = "";
    List<String> tests = new ArrayList<>();
    List<Change> changes = new ArrayList<>();
    StringBuilder was = new StringBuilder();
    StringBuilder is = new StringBuilder();
    StringBuilder into = null;
    for (String line : Files.readAllLines(file)) {
      if (line.equals(WAS)) {
        if (!was.isEmpty()) changes.add(new Change(was.toString(), is.toString()));
        was.setLength(0);
        is.setLength(0);
        into = was;
      } else if (line.equals(IS)) into = is;
      else if (into != null) into.append(line).append('\n');
      else if (line.startsWith("rule: ")) rule = line.substring(6);
      else if (line.startsWith("file: ")) source = line.substring(6);
      else if (line.startsWith("test: ")) tests.add("dev.mainstay." + line.substring(6));
    }
    if (!was.isEmpty()) changes.add(new Change(was.toString(), is.toString()));
    if (rule.isEmpty() || source.isEmpty() || tests.isEmpty() || changes.isEmpty()) {
      throw new IllegalArgumentException(file + " names no rule, file, test or change");
    }
    return new Plant(name, rule, Path.of(HOME + source), List.copyOf(tests), List.copyOf(changes));
  }

  /**
   * The source with the bug in it; whoever changed the source looks whether the plant still fits.
   */
  String planted(String source) {
    String text = source;
    for (Change each : changes) {
      int at = text.indexOf(each.was());
      if (at < 0 || text.indexOf(each.was(), at + 1) >= 0) {
        throw new IllegalStateException(
            name
                + ".plant does not fit "
                + file
                + ": its lines must stand there once:\n"
                + each.was());
      }
      text = text.substring(0, at) + each.is() + text.substring(at + each.was().length());
    }
    return text;
  }
}
