package dev.mainstay.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.workspace.SafeFolder;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Writes tasks and files on the disk that loses its power, and says what is done when it is. */
final class PowerWriter {
  static final int FILES = 7;

  /** One page of tasks has so many, and whoever looks after a cut reads one. */
  static final int TASKS_MAX = 900;

  private static final long PAUSE_NANOS = 20_000_000;
  private static final int CONTENT_CHARS = 3_000;

  private PowerWriter() {}

  static StoreAddress store(Path disk) {
    return new StoreAddress.File(disk.resolve(".mainstay/state.sqlite3"));
  }

  static Path files(Path disk) {
    return disk.resolve("files");
  }

  static String name(int number) {
    return "f%d.txt".formatted(number % FILES);
  }

  static String content(int number) {
    return number + "\n" + "x".repeat(CONTENT_CHARS) + "\n" + number + "\n";
  }

  public static void main(String[] args) throws IOException {
    Path disk = Path.of(args[0]);
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    try (Store store = Store.open(store(disk), StoreSettings.DEFAULT)) {
      SafeFolder files = SafeFolder.make(files(disk));
      Tasks tasks = new Tasks(store);
      for (int number = 1; number <= TASKS_MAX; number++) {
        Call call = Call.by(Actor.person("ada"), "test").withKey("create-" + number);
        tasks.create(NewTask.titled("task " + number), call);
        out.write("task %d\n".formatted(number).getBytes(US_ASCII));
        files.replace(name(number), content(number).getBytes(US_ASCII));
        out.write("file %d\n".formatted(number).getBytes(US_ASCII));
        // The next sync takes along what this one forgot, so most cuts must fall before it.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }
}
