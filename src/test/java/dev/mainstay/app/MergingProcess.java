package dev.mainstay.app;

import java.nio.file.Path;

/** A process of its own that merges into one task again and again, opening the store each time. */
final class MergingProcess {
  private MergingProcess() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int times = Integer.parseInt(args[2]);
    System.out.println("ready");
    if (System.in.read() < 0) return; // the test is gone
    for (int i = 1; i <= times; i++) {
      String update = "{\"decisions\": [\"%s says %d\"]}".formatted(args[1], i);
      CliRun run = CliRun.of(folder, update, "state", "merge", "T-001", "-");
      if (run.code() != 0) System.out.println(run.err());
    }
    System.out.println("done");
  }
}
