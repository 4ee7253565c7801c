package dev.mainstay.cli;

import dev.mainstay.demo.HelloReport;
import dev.mainstay.demo.HelloStory;
import dev.mainstay.demo.HelloStory.Told;
import dev.mainstay.demo.Turn;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code mainstay demo --story hello}: with transcript, with snapshot, side by side. */
final class HelloCommand {
  private static final int TURNS = 60;
  private static final int TURNS_MAX = 10_000;

  /** The short story is done long before; a longer one must not end early. */
  private static final int LONG_FROM_TURNS = 200;

  private HelloCommand() {}

  static int run(DemoCommand asked) {
    if (asked.db != null) {
      throw Refusal.invalid("the story has a store of its own; name its folder with --dir");
    }
    int turns = asked.turns == null ? TURNS : asked.turns;
    Integer each = asked.restartEvery;
    if (turns < 1 || turns > TURNS_MAX || (each != null && each < 1)) {
      throw Refusal.invalid(
          Phrase.of(
              "a story has between 1 and %,d turns, and a process plays at least one", TURNS_MAX));
    }
    return tell(asked, asked.folder(), turns);
  }

  private static int tell(DemoCommand asked, Path folder, int turns) {
    Integer each = asked.restartEvery;
    if (Files.exists(folder.resolve("state.sqlite3"))) {
      throw Refusal.conflict(folder + " has a store already; name another folder with --dir");
    }
    HelloStory story = new HelloStory(folder, turns >= LONG_FROM_TURNS);
    Told transcript = story.withTranscript(turns);
    Told snapshot = each == null ? story.withSnapshot(turns) : story.withRestarts(turns, each);
    HelloReport report = new HelloReport(transcript, snapshot);
    Path picture = write(folder.resolve("hello.svg"), report.svg());
    if (asked.json) {
      asked.session.json(
          JsonObject.of(
              "transcript",
              transcript.turns().stream().map(Turn::toJson).toList(),
              "snapshot",
              snapshot.turns().stream().map(Turn::toJson).toList()));
      return ExitCodes.OK;
    }
    asked.session.print(
        Phrase.of(
            "An agent that knows only what it is sent writes and checks %d files. What it cannot see, it writes again.",
            story.files()));
    asked.session.print("");
    asked.session.print(report.table());
    asked.session.print("");
    asked.session.print(report.summary());
    asked.session.print("");
    asked.session.print(
        "The picture is in " + picture + "; the store and both workspaces are beside it.");
    return ExitCodes.OK;
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of("%s cannot be written: %s", file, fault.getMessage()), fault);
    }
  }
}
