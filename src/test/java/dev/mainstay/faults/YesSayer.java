package dev.mainstay.faults;

import dev.mainstay.app.CliRun;
import java.nio.file.Path;

/** The product with a careless door: whatever became of a command, it says that all is well. */
final class YesSayer {
  private YesSayer() {}

  public static void main(String[] args) {
    CliRun run = CliRun.of(Path.of("").toAbsolutePath(), new byte[0], Product.ENV, args);
    System.out.print(run.out());
    System.exit(0);
  }
}
