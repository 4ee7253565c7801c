package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A long run, with {@code -Dlong=true} only. */
@EnabledIfSystemProperty(named = "long", matches = "true")
class MillionFilesTest {
  private static final int FILES = 1_000_000;

  @TempDir Path temp;

  @Test
  void a_folder_of_a_million_files_is_scanned_up_to_the_limit_in_a_small_heap() throws Exception {
    Path root = Files.createDirectories(temp.resolve("workspace"));
    Path folder = Files.createDirectory(root.resolve("many"));
    for (int i = 0; i < FILES; i++) Files.createFile(folder.resolve("file-" + i));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ScanningProcess.class.getName(),
                temp.resolve("store/state.sqlite3").toString(),
                root.toString())
            .redirectErrorStream(true)
            .start();
    List<String> said = process.inputReader().lines().toList();
    said.forEach(System.out::println);
    assertThat(process.waitFor()).as(said.toString()).isZero();
    int known = ScanLimits.DEFAULT.files();
    assertThat(said.stream().filter(line -> line.startsWith("known")))
        .hasSize(2)
        .allMatch(line -> line.startsWith("known " + known + ": "))
        .allMatch(line -> line.contains("beyond the number of files a scan may hold"));
  }
}
