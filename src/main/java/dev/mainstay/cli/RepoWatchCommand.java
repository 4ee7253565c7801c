package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.workspace.Tracker.Looked;
import dev.mainstay.workspace.Watch;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay repo watch}: the state follows the files while it runs. */
@CommandLine.Command(
    name = "watch",
    description = "Keep the state of the workspace current until it is stopped (Ctrl-C).",
    footer = {"", "Example:", "  mainstay repo watch"})
final class RepoWatchCommand extends RepoCommands.OfWorkspace {
  private static final Duration TURN = Duration.ofSeconds(1);

  @Option(names = "--seconds", paramLabel = "N", description = "stop by itself after so long")
  @Nullable Integer seconds;

  RepoWatchCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    if (seconds != null && seconds < 1) {
      throw Refusal.invalid("--seconds is at least 1; leave it out to watch until you stop it");
    }
    Instant end = seconds == null ? Instant.MAX : Instant.now().plusSeconds(seconds);
    return with(
        (house, tracker) -> {
          tracker.scan();
          try (Watch watch = new Watch(tracker)) {
            if (!json) session.note("watching " + Printable.line(folder().toString()));
            while (Instant.now().isBefore(end)) {
              Looked looked = watch.await(TURN);
              if (!looked.foundNothing()) show(looked);
              if (session.io().out().checkError()) break; // whoever read this has gone
            }
          }
          return ExitCodes.OK;
        });
  }

  private void show(Looked looked) {
    if (json) {
      session.json(
          JsonObject.of(
              "added", looked.added(), "changed", looked.changed(), "gone", looked.gone()));
    } else {
      session.print(
          Phrase.of(
              "%,d new, %,d changed, %,d gone", looked.added(), looked.changed(), looked.gone()));
    }
  }
}
