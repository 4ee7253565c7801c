package dev.mainstay.cli;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.workspace.FileWrites;
import dev.mainstay.workspace.Tracker;
import dev.mainstay.workspace.Tracker.Difference;
import dev.mainstay.workspace.Tracker.Looked;
import dev.mainstay.workspace.Tracker.Snapshot;
import dev.mainstay.workspace.Tracker.Verified;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay repo ...}: what is in the workspace, and writing to it. */
final class RepoCommands {
  private RepoCommands() {}

  static CommandLine noun(Session session) {
    return new CommandLine(new Noun())
        .addSubcommand(new Scan(session))
        .addSubcommand(new ShowSnapshot(session))
        .addSubcommand(new Verify(session))
        .addSubcommand(new RepoWriteCommand(session))
        .addSubcommand(new RepoWorkCommands.Observe(session))
        .addSubcommand(new RepoWorkCommands.Tasks(session))
        .addSubcommand(new RepoPromptCommand(session))
        .addSubcommand(new RepoWatchCommand(session))
        .addSubcommand(new ReservationCommands.Reserve(session))
        .addSubcommand(new ReservationCommands.Release(session))
        .addSubcommand(new ReservationCommands.Show(session))
        .addSubcommand(new RepoWorkCommands.Settle(session))
        .addSubcommand(WorktreeCommands.noun(session));
  }

  @CommandLine.Command(
      name = "repo",
      synopsisSubcommandLabel = "COMMAND",
      description = "What is in the workspace and what remains to be done there.",
      footer = {
        "",
        "Example:",
        "  mainstay repo snapshot --story T-001",
        "  mainstay repo write src/App.java < App.java"
      })
  private static final class Noun extends Command.Noun {}

  /** So many, with its noun. */
  static String count(long number, String one) {
    return Phrase.of("%,d %s%s", number, one, number == 1 ? "" : "s");
  }

  /** Commands about one workspace. What only looks takes neither a key nor a fence. */
  abstract static class OfWorkspace extends Command {
    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "the workspace's folder (default: the root of the worktree you are in)")
    @Nullable Path dir;

    OfWorkspace(Session session) {
      super(session);
    }

    Path folder() {
      return dir == null ? session.services().workDir() : dir.toAbsolutePath().normalize();
    }

    <T> T with(BiFunction<House, Tracker, T> use) {
      return session.with(db, house -> use.apply(house, house.workspace(folder())));
    }
  }

  /** Commands that change what a workspace has for a task. */
  abstract static class WritingOfWorkspace extends OfWorkspace {
    @Option(names = "--key", paramLabel = "KEY", description = KEY_MEANS)
    @Nullable String key;

    @Option(names = "--fence", paramLabel = "N", description = FENCE_MEANS)
    @Nullable Long fence;

    WritingOfWorkspace(Session session) {
      super(session);
    }

    Call caller() {
      return session.call(key).withFence(fence);
    }
  }

  /** Commands that may begin another story. */
  abstract static class OfStory extends OfWorkspace {
    @Option(
        names = "--story",
        paramLabel = "ID",
        description =
            "what is worked on, such as a task's id; another one than before begins anew, and what became of files is counted from there")
    @Nullable String story;

    OfStory(Session session) {
      super(session);
    }

    /** The whole workspace was looked at, in the story that is wanted. */
    Looked scanned(Tracker tracker) {
      Looked looked = tracker.scan();
      begin(tracker);
      return looked;
    }

    /** Beginning the story that is going on changes nothing, so that no key is needed for it. */
    void begin(Tracker tracker) {
      if (story != null) tracker.beginStory(story, session.call(null));
    }

    void note(String leftOut) {
      if (!leftOut.isEmpty()) session.note(Printable.line(leftOut));
    }
  }

  @CommandLine.Command(
      name = "scan",
      description = "Look at all files of the workspace and note what became of them.",
      footer = {"", "Example:", "  mainstay repo scan --story T-001"})
  private static final class Scan extends OfStory {
    Scan(Session session) {
      super(session);
    }

    @Override
    int run() {
      return with(
          (house, tracker) -> {
            Looked looked = scanned(tracker);
            int files = tracker.state().present().size();
            if (json) {
              session.json(
                  JsonObject.of("workspace", tracker.workspace().id(), "files", files)
                      .with("added", looked.added())
                      .with("changed", looked.changed())
                      .with("gone", looked.gone())
                      .with("hashed", looked.filesHashed())
                      .with("left_out", looked.leftOut()));
              return ExitCodes.OK;
            }
            session.print(
                Phrase.of(
                    "%s: %,d new, %,d changed, %,d gone since the last look",
                    count(files, "file"), looked.added(), looked.changed(), looked.gone()));
            note(looked.leftOut());
            return ExitCodes.OK;
          });
    }
  }

  @CommandLine.Command(
      name = "snapshot",
      description =
          "Show what is in the workspace and what remains, in at most 500 tokens; --json shows all of it.",
      footer = {"", "Example:", "  mainstay repo snapshot --story T-001"})
  private static final class ShowSnapshot extends OfStory {
    ShowSnapshot(Session session) {
      super(session);
    }

    @Override
    int run() {
      return with(
          (house, tracker) -> {
            Looked looked = scanned(tracker);
            Snapshot snapshot = tracker.snapshot();
            if (json) session.json(snapshot.state().toJson());
            else session.print(Printable.text(snapshot.text().stripTrailing()));
            note(looked.leftOut());
            return ExitCodes.OK;
          });
    }
  }

  @CommandLine.Command(
      name = "verify",
      description =
          "Compare the content of every file with what is known, say what differs, and note what is there.",
      footer = {
        "",
        "Exit code 1 means that something differed; afterwards state and disk agree.",
        "",
        "Example:",
        "  mainstay repo verify"
      })
  private static final class Verify extends OfWorkspace {
    Verify(Session session) {
      super(session);
    }

    @Override
    int run() {
      Verified verified = with((house, tracker) -> tracker.verify());
      boolean agrees = verified.differences().isEmpty();
      if (json) {
        session.json(
            JsonObject.of("ok", agrees, "files", verified.files())
                .with(
                    "differences", verified.differences().stream().map(Difference::toJson).toList())
                .with("left_out", verified.leftOut()));
      } else {
        verified.differences().forEach(each -> session.print(Printable.line(line(each))));
        session.print(
            agrees
                ? "state and disk agree: " + count(verified.files(), "file")
                : Phrase.of(
                    "%s; the state now says what is there: %s",
                    count(verified.differences().size(), "difference"),
                    count(verified.files(), "file")));
        if (!verified.leftOut().isEmpty()) session.note(Printable.line(verified.leftOut()));
      }
      return agrees ? ExitCodes.OK : ExitCodes.REFUSED;
    }

    private static String line(Difference each) {
      if (each.known() == null && each.onDisk() != null) return each.path() + ": not known before";
      if (each.onDisk() == null && each.known() != null) return each.path() + ": gone";
      return Phrase.of(
          "%s: known as %s, is %s", each.path(), brief(each.known()), brief(each.onDisk()));
    }

    private static String brief(@Nullable String hash) {
      return hash == null ? "unhashed" : hash.substring(0, FileWrites.HASH_DIGITS_MIN);
    }
  }
}
