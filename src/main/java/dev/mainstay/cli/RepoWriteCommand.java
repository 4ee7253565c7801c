package dev.mainstay.cli;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.TaskId;
import dev.mainstay.workspace.FileWrites;
import dev.mainstay.workspace.FileWrites.Wanted;
import dev.mainstay.workspace.FileWrites.Written;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay repo write}: a file gets this content, once. */
@CommandLine.Command(
    name = "write",
    description =
        "Write standard input to a file, durably and whole. What is there already is not written again.",
    footer = {
      "",
      "The answer is JSON. \"noop\": true means that the file has this content already: take the next step.",
      "",
      "Example:",
      "  mainstay repo write src/App.java < App.java",
      "  mainstay repo write src/App.java --task T-001 --fence 3 --expect a4f3e1 < App.java"
    })
final class RepoWriteCommand extends RepoCommands.WritingOfWorkspace {
  private static final Pattern HASH =
      Pattern.compile("[0-9a-fA-F]{" + FileWrites.HASH_DIGITS_MIN + ",64}");

  @Parameters(index = "0", paramLabel = "PATH", description = "the file, from the workspace's root")
  String path;

  @Option(
      names = "--expect",
      paramLabel = "SHA256",
      description =
          "the version you have seen: its hash or the first 6 digits of it, or 'absent'; another one is not overwritten")
  @Nullable String expect;

  @Option(names = "--task", paramLabel = "TASK", description = "the task it is written for")
  @Nullable String task;

  @Option(names = "--empty", description = "the file is to be empty, as standard input is")
  boolean empty;

  RepoWriteCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    RepoPath file = new RepoPath(path);
    TaskId of = task == null ? null : session.task(db, task);
    if (of == null && fence != null) {
      throw Refusal.invalid("a fence is one of a task: add --task, or leave --fence out");
    }
    refuseNoHash();
    Wanted wanted = new Wanted(file, content(), expect, of);
    Call call = caller();
    Written written = with((house, tracker) -> new FileWrites(tracker).write(wanted, call));
    session.json(written.toJson());
    return ExitCodes.OK;
  }

  /** What can be no version at all would look like a conflict that reading again does not end. */
  private void refuseNoHash() {
    String version = expect;
    if (version == null || FileWrites.ABSENT.equalsIgnoreCase(version)) return;
    if (!HASH.matcher(version).matches()) {
      throw Refusal.invalid(
          Phrase.of(
              "\"%s\" is no version of a file; give at least %d digits of its SHA-256, as a snapshot shows them, or '%s'",
              version, FileWrites.HASH_DIGITS_MIN, FileWrites.ABSENT));
    }
  }

  /** Agents have an empty standard input where a person has a keyboard: a slip must not cost. */
  private byte[] content() {
    byte[] content = session.bytes();
    if (content.length == 0 && !empty) {
      throw Refusal.invalid(
          "standard input is empty; give the content there, as in '< FILE', or add --empty for an empty file");
    }
    if (content.length > 0 && empty) {
      throw Refusal.invalid(
          "standard input is not empty; leave --empty out to write what is there");
    }
    return content;
  }
}
