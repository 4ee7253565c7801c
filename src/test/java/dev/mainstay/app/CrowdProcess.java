package dev.mainstay.app;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;

/** One of several processes that make tasks in one file; says what it was refused. */
final class CrowdProcess {
  /** How often it opens the store anew, as commands do. */
  private static final int TASKS_A_VISIT = 50;

  private CrowdProcess() {}

  public static void main(String[] args) throws Exception {
    StoreAddress store = new StoreAddress.File(Path.of(args[0]));
    int wanted = Integer.parseInt(args[2]);
    System.out.println("ready");
    if (System.in.read() < 0) return; // the test is gone
    for (int made = 0; made < wanted; ) {
      try (Store open = Store.open(store, StoreSettings.DEFAULT)) {
        Tasks tasks = new Tasks(open);
        for (int i = 0; i < TASKS_A_VISIT && made < wanted; i++, made++) {
          String title = args[1] + "-" + made;
          tasks.create(NewTask.titled(title), Call.by(Actor.agent("ada"), "test").withKey(title));
        }
      } catch (Refusal refused) {
        System.out.println(refused.sentence());
        return;
      }
    }
    System.out.println("done");
  }
}
