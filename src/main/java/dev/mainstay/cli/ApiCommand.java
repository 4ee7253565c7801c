package dev.mainstay.cli;

import dev.mainstay.demo.ApiBoard;
import dev.mainstay.demo.ApiBoard.Look;
import dev.mainstay.demo.ApiReport;
import dev.mainstay.demo.ApiStory;
import dev.mainstay.domain.Refusal;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@code mainstay demo}: terminals that build a REST API together. */
final class ApiCommand {
  private static final String NO_TMUX =
      "terminals need tmux: install it (apt-get install tmux, or brew install tmux)";

  private ApiCommand() {}

  static int run(DemoCommand asked) {
    Session session = asked.session;
    if (asked.db != null) {
      throw Refusal.invalid("the story has a store of its own; name its folder with --dir");
    }
    if (!hasTmux(session.io().env())) {
      if (asked.json || asked.keep) throw Refusal.unavailable(NO_TMUX, null);
      session.note(NO_TMUX + " and run this again; meanwhile, another story:");
      return asked.commands();
    }
    Path folder = asked.folder();
    if (Files.exists(folder.resolve("state.sqlite3"))) {
      throw Refusal.conflict(folder + " has a store already; name another folder with --dir");
    }
    Io.Screen screen = session.io().screen();
    var look = new Look(screen.isTerminal(), screen.columns(), screen.colour());
    ApiBoard board = asked.json ? ApiBoard.silent() : new ApiBoard(session.io().out(), look);
    ApiReport report = ApiStory.play(folder, board, asked.keep);
    if (asked.json) {
      session.json(report.toJson());
      return ExitCodes.OK;
    }
    session.print("");
    session.print(Colour.GREEN.on("The API is approved.", screen));
    session.print(report.summary());
    session.print("");
    session.print(report.next());
    return ExitCodes.OK;
  }

  private static boolean hasTmux(Map<String, String> env) {
    for (String folder : env.getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, "tmux"))) return true;
    }
    return false;
  }
}
