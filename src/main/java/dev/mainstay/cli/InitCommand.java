package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Redactor;
import dev.mainstay.setup.FileChange;
import dev.mainstay.setup.Init;
import dev.mainstay.setup.Plan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay init}: set up here, and wire the agents that are found. */
@CommandLine.Command(
    name = "init",
    description = {
      "Set up Mainstay in this project and wire the agents that are installed.",
      "Shows what it would write as a diff, asks, and writes. What is there already stays.",
      "Files that git tracks have a question of their own; --yes leaves them, --shared writes them."
    },
    footer = {
      "",
      "Exit codes: 0 written, or nothing to do, or --dry-run; 1 shown but not written, because nobody",
      "said yes.",
      "",
      "Example:",
      "  mainstay init",
      "  mainstay init --agent claude-code --agent codex --yes",
      "  mainstay init --undo"
    })
final class InitCommand extends Command {
  private static final int ANSWER_CHARS_MAX = 100;

  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      description =
          "claude-code, codex, gemini or opencode; may be repeated (default: those that are found)")
  List<String> agents = new ArrayList<>();

  @Option(names = "--undo", description = "take out what init has written; the store stays")
  boolean undo;

  @Option(
      names = "--user",
      description = "write your own files under HOME, for all projects, in place of this project's")
  boolean user;

  @Option(
      names = "--shared",
      description =
          "write the files that a team shares: hooks into .claude/settings.json in place of settings.local.json, and files that git tracks")
  boolean shared;

  @Option(
      names = "--plugin",
      paramLabel = "FOLDER",
      description = "for claude-code: write a plugin there in place of the project's hooks")
  @Nullable Path plugin;

  @Option(
      names = {"-y", "--yes"},
      description = "write without asking")
  boolean yes;

  @Option(names = "--dry-run", description = "only show what would be written")
  boolean dryRun;

  InitCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    Init init = new Init(session.services().workDir(), session.io().env());
    Plan plan = init.plan(new Init.Wish(agents, undo, user, plugin, shared));
    if (!json) show(plan);
    List<String> tracked = plan.tracked();
    boolean write = !dryRun && confirmed(plan);
    boolean needed = !plan.changes().isEmpty();
    if (write) {
      // The store first: agents that are wired to nothing would be worse than none.
      if (!undo && !user) session.with(db, house -> true);
      if (needed) plan.write();
    }
    List<String> remarks = new ArrayList<>(plan.remarks());
    boolean left = !tracked.isEmpty() && (!write || plan.tracked().isEmpty());
    if (left) remarks.add(leaving(tracked, write));
    if (json) session.json(answer(plan, write && needed, remarks));
    else tell(plan, init, write, remarks);
    return write || dryRun ? ExitCodes.OK : ExitCodes.REFUSED;
  }

  private void show(Plan plan) {
    for (FileChange change : plan.changes()) session.print(shown(change).stripTrailing());
    if (!plan.changes().isEmpty()) session.print("");
  }

  /** Secrets of other servers stand beside ours, and what is shown here is often pasted. */
  private static String shown(FileChange change) {
    return Printable.text(Redactor.DEFAULT.redact(change.diff().replace("\r\n", "\n")));
  }

  /**
   * Asks about the files that git tracks by themselves, and leaves those out of the plan on a no.
   */
  private boolean confirmed(Plan plan) {
    List<String> tracked = plan.tracked();
    boolean others = plan.changes().size() > tracked.size();
    if (others && !yes && !asked("write these?")) return false;
    if (tracked.isEmpty()) return true;
    String question = "git tracks " + Printable.line(String.join(", ", tracked));
    if (!yes && asked(question + ", so others get the change; write there too?")) return true;
    if (!others && !yes) return false;
    plan.leaveTracked();
    return true;
  }

  private static String leaving(List<String> tracked, boolean done) {
    return "git tracks "
        + String.join(", ", tracked)
        + (done ? ", so this was left out" : ", which --yes leaves out")
        + "; add --shared to write it";
  }

  private boolean asked(String question) {
    if (json || !session.io().screen().isTerminal()) return false;
    session.io().out().print(question + " [y/N] ");
    session.io().out().flush();
    return line(session.io().in()).strip().matches("(?i)y|yes");
  }

  private static String line(InputStream in) {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
        if (line.length() < ANSWER_CHARS_MAX) line.append((char) c);
      }
    } catch (IOException unreadable) {
      return "";
    }
    return line.toString();
  }

  private void tell(Plan plan, Init init, boolean written, List<String> remarks) {
    boolean needed = !plan.changes().isEmpty();
    boolean left = remarks.size() > plan.remarks().size();
    String names = String.join(", ", plan.titles());
    if (!needed && left) session.print("nothing was written");
    else if (!needed) session.print(undo ? "nothing to take out" : "nothing to change: " + names);
    else if (!written) session.print("nothing was written; repeat with --yes to write this");
    else if (undo) session.print("taken out; the store stays");
    else session.print("wired: " + names + " (" + undoing() + " takes it out again)");
    for (String remark : remarks) session.note(Printable.line(remark));
    if (undo) return;
    if (!init.hasProgram("mainstay")) {
      session.note(
          "mainstay is not on the PATH, so agents cannot start it yet; run ./mainstay install in its clone");
    }
    if (written) {
      for (String next : plan.next()) session.print("next: " + next);
    }
  }

  private String undoing() {
    String own = plugin == null ? "" : " --agent claude-code --plugin " + plugin;
    return "mainstay init --undo" + (user ? " --user" : "") + own;
  }

  private JsonObject answer(Plan plan, boolean written, List<String> remarks) {
    return JsonObject.of("agents", plan.agents(), "files", files(plan))
        .with("written", written)
        .with("remarks", remarks)
        .with("next", plan.next());
  }

  private static List<JsonObject> files(Plan plan) {
    return plan.changes().stream()
        .map(
            change ->
                JsonObject.of("path", change.path(), "action", change.action())
                    .with("diff", shown(change)))
        .toList();
  }
}
