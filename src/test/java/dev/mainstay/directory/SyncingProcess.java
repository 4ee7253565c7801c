package dev.mainstay.directory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.ExecutionMode;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.StepRecord.Field;
import dev.mainstay.domain.StepStatus;
import dev.mainstay.domain.TaskId;
import dev.mainstay.state.Executions.Beginning;
import dev.mainstay.state.StepWork;
import dev.mainstay.state.TaskStates;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * A process of its own that works on a state directory until it is killed: it starts and finishes
 * steps, edits the files as an agent does, and brings both together. It says before each step that
 * it begins and after it that it is done. Arguments are the folder that holds store and directory,
 * and the number before its first step.
 */
final class SyncingProcess {
  static final Call ADA = Call.by(Actor.person("ada"), "test");

  private SyncingProcess() {}

  static StoreAddress store(Path root) {
    return new StoreAddress.File(root.resolve("store/state.sqlite3"));
  }

  static Path folder(Path root) {
    return root.resolve("state");
  }

  /** A store and a directory with an execution in which this process can work. */
  static void begin(Path root) throws IOException {
    Files.createDirectory(root.resolve("store"));
    try (Store store = Store.open(store(root), StoreSettings.DEFAULT)) {
      StateDirectories directories = new StateDirectories(store);
      Beginning asked = new Beginning(null, "Brew coffee", ExecutionMode.EXECUTION, null);
      directories.init(folder(root), asked, ADA);
      TaskId task = directories.get(folder(root)).task();
      new TaskStates(store).setPlan(task, List.of("grind", "boil"), ADA);
      directories.sync(folder(root), ADA);
    }
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    boolean hasty = Boolean.parseBoolean(args[2]); // it says that a step is done before it is
    // System.out would hide that nobody reads any more.
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    Path first = Files.createTempDirectory("warm"); // so that the kill does not hit class loading
    begin(first);
    try (Store store = Store.open(store(first), StoreSettings.DEFAULT)) {
      step(store, new StateDirectories(store), folder(first), 1);
    }
    out.write("ready\n".getBytes(US_ASCII));
    if (System.in.read() < 0) return; // the test is gone
    try (Store store = Store.open(store(root), StoreSettings.DEFAULT)) {
      StateDirectories directories = new StateDirectories(store);
      for (long number = Long.parseLong(args[1]) + 1; ; number++) {
        out.write(("begin " + number + "\n").getBytes(US_ASCII));
        if (hasty) out.write(("done " + number + "\n").getBytes(US_ASCII));
        step(store, directories, folder(root), number);
        if (!hasty) out.write(("done " + number + "\n").getBytes(US_ASCII));
        edit(folder(root), number);
        directories.sync(folder(root), ADA);
        out.write(("edited " + number + "\n").getBytes(US_ASCII));
      }
    }
  }

  private static void step(Store store, StateDirectories directories, Path folder, long number) {
    StepWork work = new StepWork(store);
    directories.working(
        folder,
        ADA,
        task -> {
          redo(store, task);
          work.start(task, 1, ADA);
          return work.finish(task, report(number), ADA);
        });
  }

  /** The same step again, whatever the one before it left. */
  private static void redo(Store store, TaskId task) {
    TaskStates states = new TaskStates(store);
    if (states.load(task).plan().step(0).status() != StepStatus.TODO) {
      states.moveStep(task, 0, StepStatus.TODO, null, ADA);
    }
  }

  private static StepWork.Report report(long number) {
    BigDecimal none = BigDecimal.ZERO;
    return new StepWork.Report(
        Map.of(Field.REAL_OUTPUTS, "output " + number + "."),
        new StepWork.Usage(none, none, 0L, 0L),
        JsonObject.of("extracted_data.flags.last", number),
        null);
  }

  /** A line of its own in one of the files, put there by renaming as editors do. */
  private static void edit(Path folder, long number) throws IOException {
    PageName page = number % 2 == 0 ? PageName.CONTEXT : PageName.PLAN;
    Path file = folder.resolve(page.file());
    String text = Files.readString(file);
    String next =
        page == PageName.PLAN
            ? text.replaceFirst("\\*\\*side_effects\\*\\*:.*", "**side_effects**: none, " + number)
            : text.replaceFirst("(## Current Understanding\n).*", "$1Known " + number + ".");
    Path saved = Files.writeString(folder.resolve("own.save"), next);
    Files.move(saved, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
