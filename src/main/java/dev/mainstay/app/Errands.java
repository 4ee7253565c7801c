package dev.mainstay.app;

import dev.mainstay.directory.DirectoryWatch;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.StateDirectory;
import dev.mainstay.queue.Sweeper;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.Supervisor;
import dev.mainstay.upkeep.OnlineBackups;
import dev.mainstay.workflow.WorkflowExecutions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server does beside answering: looks after the terminals of its host and gives delegated
 * work to them, brings back what time has ended, gives up messages that nobody acknowledges, runs
 * the flows that are due on this host, lets happen what workflows wait for, keeps the files of
 * state directories on this host in step, and archives what is over and old. A fault in one of them
 * is logged and tried again; none of them holds anything that another server could not go on with.
 */
final class Errands implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Errands.class);
  private static final Duration ARCHIVE_EVERY = Duration.ofDays(1);
  private static final Duration LOOK_EVERY = Duration.ofMinutes(1);
  private static final Duration NEW_FOLDERS_EVERY = Duration.ofSeconds(5);
  private static final Duration FLOWS_EVERY = Duration.ofSeconds(1);
  private static final Duration MESSAGES_EVERY = Duration.ofSeconds(5);
  private static final Duration DELEGATIONS_EVERY = Duration.ofMillis(500);
  private static final Duration WORKFLOWS_EVERY = Duration.ofMillis(500);
  private static final Duration BACKUP_EVERY = Duration.ofSeconds(30);
  private static final Duration WATCH = Duration.ofSeconds(1);
  private static final int FOLDERS_MAX = 64;
  private static final long JOIN_MILLIS_MAX = 1_500;
  private static final Call FILES = Call.by(Actor.SYSTEM, "files");

  private final Mainstay mainstay;
  private final Sweeper sweeper;
  private final Supervisor supervisor;
  private final List<Thread> threads = new ArrayList<>();

  /** Each folder with whoever watches it now. */
  private final Map<String, Object> watched = new ConcurrentHashMap<>();

  private String noBackup = "";
  private volatile boolean closed;

  private Errands(Mainstay mainstay) {
    this.mainstay = mainstay;
    this.sweeper =
        mainstay.sweeper(
            fault -> LOG.atWarn().setCause(fault).log("a lease could not be ended; tried again"));
    this.supervisor =
        mainstay.supervisor(
            fault ->
                LOG.atWarn().setCause(fault).log("a terminal could not be tended; tried again"));
  }

  /** Archives go below the folder, if things grow old at all. */
  static Errands start(Mainstay mainstay, @Nullable Duration age, Path archive) {
    Errands errands = new Errands(mainstay);
    // The rows of a folder that came from elsewhere start, type and write nothing.
    if (mainstay.isTrusted()) errands.startActing();
    errands.thread(
        "mainstay-inbox", () -> errands.again(MESSAGES_EVERY, () -> mainstay.inbox().giveUp()));
    errands.thread("mainstay-backup", () -> errands.again(BACKUP_EVERY, errands::backUp));
    if (age != null) {
      errands.thread(
          "mainstay-retention",
          () ->
              errands.again(
                  LOOK_EVERY, () -> mainstay.retention().scheduled(age, ARCHIVE_EVERY, archive)));
    }
    return errands;
  }

  /** What starts agents, types into terminals, moves workflows and writes state directories. */
  private void startActing() {
    supervisor.start();
    thread("mainstay-folders", () -> again(NEW_FOLDERS_EVERY, this::watchNew));
    thread("mainstay-flows", () -> again(FLOWS_EVERY, () -> mainstay.flows().due()));
    Delegations delegations = mainstay.delegations();
    thread("mainstay-delegations", () -> again(DELEGATIONS_EVERY, delegations::serve));
    WorkflowExecutions executions = mainstay.workflowExecutions();
    thread("mainstay-workflows", () -> again(WORKFLOWS_EVERY, executions::due));
  }

  private synchronized void thread(String name, Runnable work) {
    if (closed) return;
    threads.removeIf(each -> !each.isAlive());
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** Does something now and then until the server stops. */
  private void again(Duration every, Runnable work) {
    again(every, () -> !closed, work);
  }

  private void again(Duration every, BooleanSupplier wanted, Runnable work) {
    while (wanted.getAsBoolean()) {
      try {
        work.run();
      } catch (RuntimeException | Error fault) { // a full heap, too, is not full for ever
        if (!closed) LOG.atWarn().setCause(fault).log("an errand failed; it is tried again");
      }
      try {
        Thread.sleep(every.toMillis());
      } catch (InterruptedException stop) {
        return;
      }
    }
  }

  /** What keeps a backup from being written is said once, and shown by the doctor. */
  private void backUp() {
    try {
      mainstay.saveOnline(OnlineBackups.AGE_MAX);
    } catch (Refusal refused) {
      if (!refused.sentence().equals(noBackup)) LOG.warn(refused.sentence());
      noBackup = refused.sentence();
    }
  }

  private void watchNew() {
    List<String> here = mainstay.directories().here().stream().map(StateDirectory::folder).toList();
    watched.keySet().retainAll(here); // whoever watches one that was given up stops
    for (String folder : here) {
      Object watch = new Object();
      if (watched.size() >= FOLDERS_MAX || watched.putIfAbsent(folder, watch) != null) continue;
      BooleanSupplier wanted = () -> !closed && watched.get(folder) == watch;
      thread(
          "mainstay-folder", () -> again(NEW_FOLDERS_EVERY, wanted, () -> watch(folder, wanted)));
    }
  }

  private void watch(String folder, BooleanSupplier wanted) {
    Path path = Path.of(folder);
    if (!path.toFile().isDirectory()) return; // perhaps it comes back
    try (DirectoryWatch watch = mainstay.directories().watch(path, FILES)) {
      while (wanted.getAsBoolean() && !Thread.currentThread().isInterrupted()) watch.await(WATCH);
    }
  }

  @Override
  public void close() {
    List<Thread> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(threads);
    }
    sweeper.close();
    supervisor.close();
    all.forEach(Thread::interrupt);
    try {
      for (Thread each : all) each.join(JOIN_MILLIS_MAX);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
