package dev.mainstay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * A folder on the disk, also where scratch files are in memory: a kill must be able to meet a
 * flush.
 */
public final class OnDisk implements TempDirFactory {
  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    Path scratch = Files.createDirectories(Path.of("target/scratch").toAbsolutePath());
    return Files.createTempDirectory(scratch, "disk");
  }
}
