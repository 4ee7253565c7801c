package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every jar that the product or its tests are made with is the one that was looked at: its SHA-256
 * is in {@code faults/dependencies.sha256}. Whoever changes a version runs {@code faults/supply
 * --write}.
 */
class DependenciesTest {
  private static final Path LIST = Path.of("faults", "dependencies.sha256");

  @TempDir Path folder;

  private static Map<String, String> known() throws IOException {
    return Files.readAllLines(LIST).stream()
        .map(line -> line.split("  ", 2))
        .collect(Collectors.toMap(part -> part[1], part -> part[0]));
  }

  private static Map<String, String> found(String classPath) throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (String each : classPath.split(File.pathSeparator)) {
      if (!each.endsWith(".jar") || each.contains("surefire")) continue;
      Path jar = Path.of(each);
      found.put(jar.getFileName().toString(), sha256(jar));
    }
    return found;
  }

  private static String sha256(Path file) throws IOException {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Test
  void every_jar_on_the_class_path_is_the_one_that_was_looked_at() throws IOException {
    Map<String, String> found = found(System.getProperty("java.class.path"));
    assertThat(found).hasSizeGreaterThan(50);
    found.entrySet().removeAll(known().entrySet());
    assertThat(found).as("jars that nobody looked at; see faults/supply --write").isEmpty();
  }

  @Test
  void a_jar_with_one_other_byte_is_found_out() throws IOException {
    Map<String, String> known = known();
    String name =
        known.keySet().stream().filter(each -> each.startsWith("jspecify")).findAny().orElseThrow();
    Path forged = folder.resolve(name);
    Files.write(forged, new byte[] {'P', 'K', 3, 4});
    assertThat(found(forged.toString()).get(name)).isNotEqualTo(known.get(name));
  }
}
