package dev.mainstay.mcp;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.session.Places;
import dev.mainstay.workspace.FileWrites;
import dev.mainstay.workspace.FileWrites.Wanted;
import dev.mainstay.workspace.FileWrites.Written;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code write_file}: a file of the worktree gets this content, once. */
final class WriteFileTool implements Offered {
  private static final Pattern HASH =
      Pattern.compile("[0-9a-fA-F]{" + FileWrites.HASH_DIGITS_MIN + ",64}");

  private final Rooms rooms;

  WriteFileTool(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public String name() {
    return "write_file";
  }

  @Override
  public String description() {
    return "Write a whole file of the worktree, safely beside other agents. Says when nothing"
        + " changed.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of("path", "content"),
        "path",
        Schemas.text(),
        "content",
        Schemas.text(),
        "expect",
        Schemas.said("SHA-256 you saw, or absent; else refused", Schemas.text(64)));
  }

  @Override
  public Tool.Hints hints() {
    return SETS;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    Path root = Path.of(Places.around(visit.guest().folder()).worktree());
    RepoPath path = new RepoPath(below(root, arguments.text("path")));
    String expect = expected(arguments.textOrNull("expect"));
    // Also for one that somebody else holds by now: then the fence is too old, and nothing is
    // written.
    TaskId task = visit.current().map(Task::id).orElse(null);
    if (task == null) visit.mustNotBeReplaced();
    Call call = task == null ? visit.call("write") : visit.callFor(task, "write");
    byte[] content = arguments.text("content").getBytes(StandardCharsets.UTF_8);
    Written written =
        new FileWrites(rooms.workspace(root)).write(new Wanted(path, content, expect, task), call);
    return Reply.told(written.message(), written.toJson());
  }

  /** Models like to give the whole path, or to begin with a dot; both mean the same file. */
  private static String below(Path root, String typed) {
    String prefix = root.toString().endsWith("/") ? root.toString() : root + "/";
    String path = typed.startsWith(prefix) ? typed.substring(prefix.length()) : typed;
    return path.startsWith("./") ? path.substring(2) : path;
  }

  private static @Nullable String expected(@Nullable String version) {
    boolean plain =
        version == null
            || FileWrites.ABSENT.equalsIgnoreCase(version)
            || HASH.matcher(version).matches();
    if (plain) return version;
    throw Refusal.invalid(
        Phrase.of(
            "\"expect\" is at least %d digits of the file's SHA-256 as you saw it, or \"%s\"",
            FileWrites.HASH_DIGITS_MIN, FileWrites.ABSENT));
  }
}
