package dev.mainstay.mcp;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.Placed;
import dev.mainstay.domain.Position;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.upkeep.Journal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells all who listen which addresses have changed. One thread reads the journal for all of them;
 * it begins with the first and ends with the last.
 */
final class JournalEar {
  private static final long AGAIN_MILLIS = 1_000;
  private static final String TASK = "task/";
  private static final String WORKSPACE = "workspace/";

  private final Supplier<Journal> journal;
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private @Nullable Thread thread;

  JournalEar(Supplier<Journal> journal) {
    this.journal = journal;
  }

  Registry.Subscription listen(Consumer<String> changed) {
    // Its own object, as the same consumer may listen twice.
    Consumer<String> mine = changed::accept;
    begin(mine);
    return () -> end(mine);
  }

  private synchronized void begin(Consumer<String> mine) {
    if (thread != null) {
      listeners.add(mine);
      return;
    }
    Position from = journal.get().end(); // asked here, so that nothing after this call is missed
    listeners.add(mine);
    Thread made = new Thread(() -> follow(from), "mainstay-mcp-changes");
    made.setDaemon(true);
    thread = made;
    made.start();
  }

  private synchronized void end(Consumer<String> mine) {
    listeners.remove(mine);
    Thread working = thread;
    if (!listeners.isEmpty() || working == null) return;
    thread = null;
    working.interrupt();
  }

  private synchronized boolean isNeeded() {
    return Thread.currentThread().equals(thread);
  }

  private void follow(Position from) {
    Position[] position = {from};
    while (isNeeded() && !Thread.currentThread().isInterrupted()) {
      try {
        journal
            .get()
            .follow(
                position[0],
                null,
                placed -> {
                  position[0] = placed.position();
                  if (isNeeded()) tell(placed);
                  return isNeeded();
                });
      } catch (RuntimeException away) {
        // The store is closed or cannot be reached; whoever still listens hears of what comes then.
        pause();
        if (away instanceof Refusal refused && refused.code() == Refusal.Code.CONFLICT) {
          position[0] = restarted(position[0]);
        }
      }
    }
  }

  /** Starts again at the end: the history went back or is another one. */
  private Position restarted(Position before) {
    try {
      return journal.get().end();
    } catch (RuntimeException away) {
      return before;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(AGAIN_MILLIS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Placed placed) {
    for (String uri : changed(placed.entry())) {
      for (Consumer<String> listener : listeners) {
        try {
          listener.accept(uri);
        } catch (RuntimeException gone) {
          // One who cannot be told keeps nobody else from hearing; whoever serves him notices.
          continue;
        }
      }
    }
  }

  static List<String> changed(JournalEntry entry) {
    String stream = entry.place().stream();
    if (stream.startsWith(WORKSPACE)) return List.of(TaskResources.SNAPSHOT);
    if (!stream.startsWith(TASK)) return List.of();
    String id = stream.substring(TASK.length());
    return TaskId.isOne(id) ? TaskResources.of(new TaskId(id)) : List.of();
  }
}
