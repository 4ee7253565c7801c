package dev.mainstay.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A build weakened so that one harness must fail on it, and the words it must fail with: one that
 * breaks for another reason proves nothing. A file of {@code faults/controls} is a plant with one
 * line more, {@code says:}, and is named after its harness; what follows a dash tells several
 * apart.
 */
record Control(Plant plant, String says) {
  private static final String SAYS = "says: ";

  static List<Control> all(Path folder) throws IOException {
    List<Control> all = new ArrayList<>();
    try (var files = Files.newDirectoryStream(folder, "*.plant")) {
      for (Path each : files) all.add(read(each));
    }
    all.sort(Comparator.comparing(each -> each.plant.name()));
    return List.copyOf(all);
  }

  private static Control read(Path file) throws IOException {
    String says =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(SAYS))
            .map(line -> line.substring(SAYS.length()))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(file + " tells no words"));
    return new Control(Plant.read(file), says);
  }

  String harness() {
    return plant.name().replaceFirst("-.*", "");
  }
}
