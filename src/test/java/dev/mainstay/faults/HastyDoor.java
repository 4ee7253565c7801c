package dev.mainstay.faults;

import dev.mainstay.app.CliRun;
import java.nio.file.Path;

/** The product with a hasty door: it says that a task is made, and only then makes it. */
final class HastyDoor {
  private HastyDoor() {}

  public static void main(String[] args) {
    System.out.println("T-000  " + args[2] + " (ready)");
    CliRun run = CliRun.of(Path.of("").toAbsolutePath(), new byte[0], Product.ENV, args);
    System.exit(run.code());
  }
}
