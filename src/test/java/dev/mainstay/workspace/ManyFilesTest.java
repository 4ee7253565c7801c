package dev.mainstay.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A folder of a million entries, looked at by a process that has 256 MB; a run of minutes. */
@EnabledIfSystemProperty(named = "long", matches = "true")
class ManyFilesTest {
  private static final int ENTRIES = 1_000_000;

  @TempDir Path temp;

  @Test
  void a_million_files_in_one_folder_are_looked_at_within_the_budget() throws Exception {
    Path root = Files.createDirectory(temp.resolve("workspace"));
    Path folder = Files.createDirectory(root.resolve("many"));
    Files.writeString(root.resolve("beside.txt"), "beside");
    IntStream.range(0, ENTRIES).parallel().forEach(i -> make(folder.resolve("file-" + i)));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=WARN",
                "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider",
                "-cp",
                System.getProperty("java.class.path"),
                ManyFilesProcess.class.getName(),
                root.toString(),
                temp.resolve("store/state.sqlite3").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    System.out.print(said);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).endsWith("done\n").contains("beyond the number of files a scan may hold");
    assertThat(said).contains("files " + ScanLimits.DEFAULT.files() + "\n");
  }

  private static void make(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
