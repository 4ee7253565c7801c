package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.faults.Garden.Harvest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Harnesses that hold on the product must fail on a weakened copy of it. Each build plays those
 * that take no time; {@code -Dcontrols=all} plays the others too, which start servers and wait for
 * what will never come, and {@code -Dcontrols=NAME} plays one.
 */
@Order(2)
class ControlsTest {
  private static final Set<String> QUICK = Set.of("clocks", "engine", "histories");
  private static final String WANTED = System.getProperty("controls", "quick");
  private static final Path CONTROLS = Path.of("faults/controls");
  private static final Path TABLE = Path.of("target/faults/controls.tsv");

  /** Two databases, each of which is given a minute to come to an end. */
  private static final long SECONDS_MAX = 400;

  /** Those whose own tests play a weakened writer, door or setting beside the real one. */
  private static final Set<String> INSIDE =
      Set.of(
          "planted",
          "files",
          "directory",
          "postgres",
          "partition",
          "syscalls",
          "crowd",
          "doors",
          "damage",
          "network",
          "namespaces");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> every_harness_fails_on_a_weakened_build() throws IOException {
    Files.createDirectories(TABLE.getParent());
    Files.deleteIfExists(TABLE);
    return Control.all(CONTROLS).stream()
        .filter(each -> isWanted(each.plant().name()))
        .map(each -> DynamicTest.dynamicTest(each.plant().name(), () -> fails(each)));
  }

  private static boolean isWanted(String name) {
    return switch (WANTED) {
      case "all" -> true;
      case "quick" -> QUICK.contains(name);
      default -> name.equals(WANTED);
    };
  }

  private void fails(Control control) throws Exception {
    Plant plant = control.plant();
    Harvest harvest = new Garden(folder, SECONDS_MAX).grow(plant);
    boolean noticed = harvest.said().stream().anyMatch(each -> each.contains(control.says()));
    String line = String.join("\t", plant.name(), plant.rule(), noticed ? "caught" : "MISSED");
    Files.write(TABLE, List.of(line), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    assertThat(noticed)
        .as("%s must fail with \"%s\": %s", plant.name(), control.says(), harvest)
        .isTrue();
  }

  @Test
  void every_harness_has_a_control() throws IOException {
    Set<String> controlled = new TreeSet<>(INSIDE);
    for (Control each : Control.all(CONTROLS)) controlled.add(each.harness());
    assertThat(controlled).isEqualTo(harnesses());
  }

  /** As {@code faults/run} lists them, but for the controls themselves. */
  private static Set<String> harnesses() throws IOException {
    Matcher list =
        Pattern.compile("(?m)^all=['\"](.*)['\"]$")
            .matcher(Files.readString(Path.of("faults/run")));
    Set<String> names = new TreeSet<>();
    while (list.find()) names.addAll(List.of(list.group(1).replace("$all ", "").split(" ")));
    names.remove("controls");
    return names;
  }
}
