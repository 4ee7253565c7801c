package dev.mainstay.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.faults.Garden.Harvest;
import dev.mainstay.faults.Plant.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each planted bug breaks one rule, and the tests of that rule notice. */
@Order(2)
class PlantedTest {
  private static final int PLANTS_MIN = 40;

  /** One of so many is planted in each build; {@code faults/run} plants all. */
  private static final int EVERY = Integer.getInteger("every", 4);

  /** Only those whose whole name fits. */
  private static final String NAMED = System.getProperty("plants", ".*");

  private static final Path PLANTS = Path.of("faults/plants");
  private static final Path TABLE = Path.of("target/faults/planted.tsv");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> every_planted_bug_is_caught() throws IOException {
    List<Plant> all = Plant.all(PLANTS);
    assertThat(all).hasSizeGreaterThanOrEqualTo(PLANTS_MIN);
    Files.createDirectories(TABLE.getParent());
    Files.deleteIfExists(TABLE);
    return IntStream.range(0, all.size())
        .filter(place -> place % EVERY == 0)
        .mapToObj(all::get)
        .filter(each -> each.name().matches(NAMED))
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> isCaught(each)));
  }

  private void isCaught(Plant plant) throws Exception {
    Harvest harvest = new Garden(folder).grow(plant);
    String line =
        String.join("\t", plant.name(), plant.rule(), harvest.isCaught() ? "caught" : "MISSED");
    Files.write(TABLE, List.of(line), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    assertThat(harvest.isCaught())
        .as("%s: nobody noticed that \"%s\" was broken (%s)", plant.name(), plant.rule(), harvest)
        .isTrue();
  }

  @Test
  void a_bug_that_changes_nothing_is_told_to_be_missed() throws Exception {
    Plant plant = Plant.all(PLANTS).get(0);
    Change same = new Change(plant.changes().get(0).was(), plant.changes().get(0).was());
    Plant idle = new Plant("idle", plant.rule(), plant.file(), plant.tests(), List.of(same));
    assertThat(new Garden(folder).grow(idle).isCaught()).isFalse();
  }

  /** Those that are not planted in this build as well: else they would be missed for long. */
  @Test
  void every_plant_fits_its_source() throws IOException {
    List<Plant> all = new ArrayList<>(Plant.all(PLANTS));
    all.addAll(Plant.all(Path.of("faults/controls")));
    for (Plant each : all) {
      String source = Files.readString(Garden.SOURCES.resolve(each.file()));
      assertThat(each.planted(source)).as(each.name()).isNotEqualTo(source);
    }
  }

  @Test
  void a_plant_that_no_longer_fits_its_source_is_told() {
    Plant lost =
        new Plant(
            "lost", "a rule", Path.of("A.java"), List.of("a"), List.of(new Change("gone\n", "")));
    assertThatThrownBy(() -> lost.planted("class A {}\n")).hasMessageContaining("does not fit");
  }
}
