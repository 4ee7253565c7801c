package dev.mainstay.cli;

import dev.mainstay.domain.Call;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What all commands share. */
abstract class Command implements Callable<Integer> {
  static final String KEY_MEANS =
      "idempotency key: the same key and request again gives the same answer and changes nothing";
  static final String FENCE_MEANS =
      "the fence of your claim, while the task is held; the shell of an agent's session knows it";

  final Session session;

  @Option(
      names = "--db",
      paramLabel = "FILE|URL",
      description =
          "the store: a file, or postgresql://user@host/database (default: .mainstay/state.sqlite3 of this repository)")
  @Nullable String db;

  @Option(names = "--json", description = "answer in JSON")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  boolean help;

  Command(Session session) {
    this.session = session;
  }

  /** Does the work; a refusal becomes the exit code of its kind. */
  abstract int run();

  @Override
  public Integer call() {
    return run();
  }

  /** A word that only groups commands. */
  abstract static class Noun {
    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "show this help")
    boolean help;
  }

  /** Commands that change something can be repeated safely under a key. */
  abstract static class Writing extends Command {
    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    @Option(names = "--fence", paramLabel = "N", description = FENCE_MEANS)
    @Nullable Long fence;

    Writing(Session session) {
      super(session);
    }

    Call caller() {
      return session.call(key).withFence(fence);
    }
  }

  /** Commands that look at one task. */
  abstract static class OfTask extends Command {
    @Parameters(index = "0", paramLabel = "TASK", description = "the task's id")
    String task;

    OfTask(Session session) {
      super(session);
    }
  }

  /** Commands that change one task or what is known about it. */
  abstract static class WritingOfTask extends Writing {
    @Parameters(index = "0", paramLabel = "TASK", description = "the task's id")
    String task;

    WritingOfTask(Session session) {
      super(session);
    }

    @Override
    Call caller() {
      return session.call(key, fence, session.task(db, task));
    }
  }
}
