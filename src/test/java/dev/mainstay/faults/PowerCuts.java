package dev.mainstay.faults;

import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskFilter;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.upkeep.Verification;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Copies the disk of a process that writes at random instants, as a power cut would leave it, and
 * looks whether everything is on the copy that was acknowledged before. {@code faults/power} has
 * the disks: it names the folder with them, the class path of the writer, and how many cuts.
 */
final class PowerCuts {
  private static final int CUTS_A_DISK = 40;
  private static final long PAUSE_NANOS_MAX = 120_000_000;
  private static final int DISK_MIB = 48;

  private final Path folder;
  private final String classes;
  private final Random random;
  private int cuts;
  private int lostTasks;
  private int lostFiles;
  private int cutsThatLost;
  private int broken;
  private long acknowledged;

  private PowerCuts(Path folder, String classes, long seed) {
    this.folder = folder;
    this.classes = classes;
    this.random = new Random(seed);
  }

  public static void main(String[] args) throws Exception {
    int wanted = Integer.parseInt(args[2]);
    long seed = Long.parseLong(args[3]);
    PowerCuts power = new PowerCuts(Path.of(args[0]), args[1], seed);
    while (power.cuts < wanted) power.playDisk(Math.min(CUTS_A_DISK, wanted - power.cuts));
    System.out.printf(
        "cuts=%d acknowledged=%d lost_tasks=%d lost_files=%d cuts_that_lost=%d broken=%d%n",
        power.cuts,
        power.acknowledged,
        power.lostTasks,
        power.lostFiles,
        power.cutsThatLost,
        power.broken);
  }

  /** A new disk and a writer on it, until it has been cut so often or the writer is done. */
  private void playDisk(int most) throws Exception {
    Path image = folder.resolve("disk.img");
    Path disk = Files.createDirectories(folder.resolve("disk"));
    Files.deleteIfExists(image);
    run("truncate", "-s", DISK_MIB + "M", image.toString());
    run("mkfs.ext4", "-q", "-F", image.toString());
    run("mount", "-o", "loop", image.toString(), disk.toString());
    Process writer = null;
    try {
      writer = begin(disk);
      AtomicInteger tasks = new AtomicInteger();
      AtomicInteger files = new AtomicInteger();
      Thread reader = follow(writer, tasks, files);
      while (tasks.get() == 0 && writer.isAlive()) LockSupport.parkNanos(1_000_000);
      for (int cut = 0; cut < most && writer.isAlive(); cut++) {
        LockSupport.parkNanos((long) (random.nextDouble() * PAUSE_NANOS_MAX));
        int acknowledgedTasks = tasks.get();
        int acknowledgedFiles = files.get();
        Path copy = folder.resolve("cut.img");
        Files.deleteIfExists(copy);
        run("cp", "--reflink=always", image.toString(), copy.toString());
        look(copy, acknowledgedTasks, acknowledgedFiles);
      }
      if (tasks.get() == 0) throw new IllegalStateException("the writer writes nothing");
      writer.toHandle().destroyForcibly();
      reader.join();
    } finally {
      if (writer != null) writer.destroyForcibly().waitFor();
      run("umount", disk.toString());
    }
  }

  private Process begin(Path disk) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String quiet = "-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider";
    List<String> command =
        List.of(java, quiet, "-cp", classes, PowerWriter.class.getName(), disk.toString());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static Thread follow(Process writer, AtomicInteger tasks, AtomicInteger files) {
    BufferedReader said = writer.inputReader(StandardCharsets.US_ASCII);
    Thread reader =
        new Thread(
            () ->
                said.lines()
                    .forEach(
                        line -> {
                          String[] words = line.split(" ");
                          AtomicInteger last = words[0].equals("task") ? tasks : files;
                          last.set(Integer.parseInt(words[1]));
                        }));
    reader.start();
    return reader;
  }

  private void look(Path copy, int tasks, int files) throws Exception {
    Path after = Files.createDirectories(folder.resolve("after"));
    run("mount", "-o", "loop", copy.toString(), after.toString());
    try {
      int lost = lostTasks(after, tasks);
      int older = lostFiles(after, files);
      cuts++;
      acknowledged += tasks + files;
      lostTasks += lost;
      lostFiles += older;
      if (lost + older > 0) cutsThatLost++;
    } finally {
      run("umount", after.toString());
    }
  }

  private int lostTasks(Path disk, int acknowledgedTasks) {
    try (Store store = Store.open(PowerWriter.store(disk), StoreSettings.DEFAULT)) {
      Set<String> titles = new HashSet<>();
      List<Task> there = new Tasks(store).list(TaskFilter.ALL, null, 1_000).tasks();
      for (Task each : there) {
        if (!titles.add(each.title())) broken("twice: " + each.title());
      }
      var findings = Verification.of(store).findings();
      if (!findings.isEmpty()) broken(findings.toString());
      int lost = 0;
      for (int i = 1; i <= acknowledgedTasks; i++) if (!titles.contains("task " + i)) lost++;
      return lost;
    } catch (RuntimeException unreadable) {
      broken(unreadable.toString());
      return 0;
    }
  }

  /** How many acknowledged files are older than what was acknowledged last, or no longer there. */
  private int lostFiles(Path disk, int acknowledgedFiles) throws IOException {
    int lost = 0;
    int first = Math.max(1, acknowledgedFiles - PowerWriter.FILES + 1);
    for (int number = first; number <= acknowledgedFiles; number++) {
      Path file = PowerWriter.files(disk).resolve(PowerWriter.name(number));
      String text = Files.exists(file) ? Files.readString(file) : "";
      int version =
          text.contains("\n") ? Integer.parseInt(text.substring(0, text.indexOf('\n'))) : 0;
      if (version < number) lost++;
      else if (!text.equals(PowerWriter.content(version))) broken(file.getFileName() + " is torn");
    }
    return lost;
  }

  private void broken(String what) {
    broken++;
    System.out.printf("cut %d: %s%n", cuts + 1, what);
  }

  private static void run(String... argv) throws Exception {
    List<String> command = new ArrayList<>(List.of(argv));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) throw new IOException(command + ": " + said);
  }
}
