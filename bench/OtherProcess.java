import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.store.StoreSettings;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A single writer in a process of its own, as a command or a hook is: {@code OtherProcess FILE
 * SECONDS} opens the store anew for every task it creates, and prints how long each took.
 */
public final class OtherProcess {
  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + (long) (Double.parseDouble(args[1]) * 1e9);
    Call call = Call.by(Actor.person("bench"), "cli");
    long[] nanos = new long[100_000];
    int count = 0;
    while (System.nanoTime() < end && count < nanos.length) {
      long start = System.nanoTime();
      try (Store store =
          Store.open(new StoreAddress.File(Path.of(args[0])), StoreSettings.DEFAULT)) {
        new Tasks(store).create(NewTask.titled("from another process"), call);
      }
      nanos[count++] = System.nanoTime() - start;
      Thread.sleep(5);
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    System.out.printf(
        "{\"writes\":%d,\"p50_ms\":%.1f,\"p99_ms\":%.1f,\"max_ms\":%.1f}%n",
        count,
        sorted[count / 2] / 1e6,
        sorted[(int) (count * 0.99)] / 1e6,
        sorted[count - 1] / 1e6);
  }
}
