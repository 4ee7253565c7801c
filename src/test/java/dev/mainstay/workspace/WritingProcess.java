package dev.mainstay.workspace;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.util.List;

/**
 * A process of its own that writes one version after the other until it is killed, and says so
 * after each: arguments are the store's file, the workspace, and the first version's number.
 */
final class WritingProcess {
  static final Call CALL = Call.by(Actor.agent("writer"), "test");

  private WritingProcess() {}

  public static void main(String[] args) throws Exception {
    System.out.println("ready");
    if (System.in.read() < 0) return; // the test is gone
    try (Store store = open(Path.of(args[0]))) {
      Tracker tracker = Tracker.open(store, Path.of(args[1]));
      FileWrites writes = new FileWrites(tracker);
      for (int number = Integer.parseInt(args[2]); !System.out.checkError(); number++) {
        Version version = new Version(number);
        writes.write(wanted(version), CALL.withKey(version.key()));
        System.out.println(number);
        persist(tracker, number);
      }
    }
  }

  static Store open(Path file) {
    return Store.open(new StoreAddress.File(file), StoreSettings.DEFAULT);
  }

  static FileWrites.Wanted wanted(Version version) {
    return new FileWrites.Wanted(version.path(), version.content(), null, null);
  }

  /** The state is written on other occasions, too. */
  private static void persist(Tracker tracker, int number) {
    if (number % 5 == 0) tracker.scan();
    if (number % 7 == 0) tracker.setTasks(List.of(task(number)), CALL);
    if (number % 11 == 0) tracker.beginStory("story " + number, CALL);
  }

  private static OpenTask task(int number) {
    return new OpenTask("go on after " + number, OpenTask.Status.PENDING, 1);
  }
}
