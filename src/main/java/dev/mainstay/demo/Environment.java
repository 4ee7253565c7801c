package dev.mainstay.demo;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The world around a scripted agent: how often each file was written and checked. It is kept in a
 * file beside the workspace, since the world does not end when an agent does.
 */
final class Environment {
  private final Path file;
  private final Map<String, Long> writes = new TreeMap<>();
  private final Map<String, Long> checks = new TreeMap<>();

  Environment(Path file) {
    this.file = file;
    try {
      if (!Files.exists(file)) return;
      JsonObject stored = JsonText.object(Files.readString(file));
      read(stored.object("writes"), writes);
      read(stored.object("checks"), checks);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static void read(JsonObject from, Map<String, Long> to) {
    for (String path : from.asMap().keySet()) to.put(path, from.number(path));
  }

  /** A file was written: it must be checked from the beginning. */
  void wrote(String path) {
    writes.merge(path, 1L, Long::sum);
    checks.remove(path);
    save();
  }

  /** One check more; which one it was. */
  int check(String path) {
    long number = checks.merge(path, 1L, Long::sum);
    save();
    return Math.toIntExact(number);
  }

  int checks(String path) {
    return Math.toIntExact(checks.getOrDefault(path, 0L));
  }

  /** How often each file was written. */
  Map<String, Long> writes() {
    return writes;
  }

  private void save() {
    try {
      Files.writeString(file, JsonText.write(JsonObject.of("writes", writes, "checks", checks)));
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
