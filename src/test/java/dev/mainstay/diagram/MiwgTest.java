package dev.mainstay.diagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Files of the BPMN Model Interchange Working Group, or any others, in the folder that the
 * environment variable MAINSTAY_MIWG names. They are not part of this repository.
 */
class MiwgTest {
  private static final String FOLDER = "MAINSTAY_MIWG";

  private static List<Path> files() throws IOException {
    String folder = System.getenv(FOLDER);
    assumeTrue(folder != null, FOLDER + " names no folder with files of the BPMN MIWG test suite");
    try (Stream<Path> all = Files.walk(Path.of(String.valueOf(folder)))) {
      return all.filter(Files::isRegularFile).filter(MiwgTest::isBpmn).sorted().toList();
    }
  }

  private static boolean isBpmn(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".bpmn") || name.endsWith(".bpmn20.xml") || name.endsWith(".bpmn2");
  }

  private static boolean isReference(Path file) {
    String parent = String.valueOf(file.toAbsolutePath().getParent().getFileName());
    return parent.equals("Reference") || file.getFileName().toString().contains("-reference");
  }

  private static String text(Path file) throws IOException {
    return BpmnFile.text(Files.readAllBytes(file));
  }

  @Test
  void no_file_crashes_the_import_and_references_are_read() throws IOException {
    List<Path> files = files();
    assertThat(files).isNotEmpty();
    Map<String, String> refused = new TreeMap<>();
    for (Path each : files) {
      try {
        assertThat(BpmnFile.read(text(each))).as(each.toString()).isNotEmpty();
      } catch (Refusal no) {
        refused.put(each.toString(), no.sentence());
        assertThat(isReference(each)).as(each + ": " + no.sentence()).isFalse();
      }
    }
    System.out.println(files.size() + " files, " + refused.size() + " refused");
    refused.forEach((file, why) -> System.out.println("  " + file + ": " + why));
  }

  @Test
  void what_was_read_is_written_and_read_again() throws IOException {
    List<Definition> seen = new ArrayList<>();
    for (Path each : files()) {
      List<BpmnFile.Chart> charts;
      try {
        charts = BpmnFile.read(text(each));
      } catch (Refusal no) {
        continue;
      }
      for (BpmnFile.Chart chart : charts) {
        Definition definition = chart.definition();
        if (definition == null) continue;
        BpmnFile.Chart again = BpmnFile.read(BpmnFile.write(definition, chart.drawing())).get(0);
        assertThat(again.definition()).as(each.toString()).isEqualTo(definition);
        assertThat(again.drawing().shapes()).containsAllEntriesOf(chart.drawing().shapes());
        seen.add(definition);
      }
    }
    System.out.println(seen.size() + " processes came back equal");
  }
}
