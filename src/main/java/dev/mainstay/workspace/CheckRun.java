package dev.mainstay.workspace;

import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import dev.mainstay.process.Programs.Ended;
import dev.mainstay.process.Programs.Order;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs a check in a workspace, and knows on which files it ran. */
public final class CheckRun {
  public static final Duration LIMIT = Duration.ofMinutes(30);

  /** How it ended, and the hash of the files it ran on: those from before it began. */
  public record Outcome(int exitCode, String workspace, String tree) {}

  private CheckRun() {}

  /** What it prints is shown as it comes. A check that changes files is stale at once. */
  public static Outcome run(Tracker tracker, String command, Duration limit, OutputStream shown) {
    List<String> argv = Argv.split(command);
    tracker.scan();
    String before = tracker.workspace().files().treeHash();
    Path folder = tracker.site().tree().root();
    Ended ended =
        Programs.run(Order.of(argv, limit).in(folder).showing(shown))
            .orElseThrow(
                () ->
                    Refusal.invalid(
                        Phrase.of(
                            "\"%s\" cannot be run here, or took longer than %d minutes",
                            command, limit.toMinutes())));
    tracker.scan();
    return new Outcome(ended.exit(), tracker.workspace().id(), before);
  }
}
