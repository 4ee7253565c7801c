import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What lies in a folder. */
final class Folders {
  private Folders() {}

  static void delete(Path folder) throws IOException {
    for (Path each : all(folder)) Files.deleteIfExists(each);
  }

  static long bytes(Path folder) throws IOException {
    long sum = 0;
    for (Path each : all(folder)) {
      try {
        if (Files.isRegularFile(each)) sum += Files.size(each);
      } catch (NoSuchFileException gone) {
        continue;
      }
    }
    return sum;
  }

  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
