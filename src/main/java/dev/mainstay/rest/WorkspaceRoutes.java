package dev.mainstay.rest;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.RepoPath;
import dev.mainstay.domain.Times;
import dev.mainstay.domain.Workspace;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.workspace.FileWrites;
import dev.mainstay.workspace.Tracker;
import dev.mainstay.workspace.Tracker.Looked;
import dev.mainstay.workspace.Tracker.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code /workspaces}: what is in the folders of this host, and writing to them. */
final class WorkspaceRoutes {
  private static final String TAG = "workspaces";
  private static final Pattern HASH =
      Pattern.compile("[0-9a-fA-F]{" + FileWrites.HASH_DIGITS_MIN + ",64}");

  private final Rooms rooms;
  private final KnownFolders folders;

  private WorkspaceRoutes(Rooms rooms) {
    this.rooms = rooms;
    this.folders = new KnownFolders(rooms);
  }

  static List<Route> of(Rooms rooms) {
    WorkspaceRoutes routes = new WorkspaceRoutes(rooms);
    return List.of(routes.list(), routes.scan(), routes.snapshot(), routes.write());
  }

  private Route list() {
    Schema workspace =
        Schema.fields()
            .needs("id", Schema.text("its name"))
            .needs("host", Schema.text("the host it is on"))
            .needs("work_dir", Schema.text("its folder"))
            .may("story_id", Schema.text("what is worked on there"))
            .needs("tree_hash", Schema.text("stands for the content of all its files"))
            .needs("version", Schema.number("how often they changed"))
            .needs("updated_at", Schema.text("when that was noted last"));
    JsonObject example =
        JsonText.object(
            """
            {"id": "w-0a1b2c3d4e5f", "host": "build-1", "work_dir": "/srv/app", "version": 3,
             "story_id": "T-001", "tree_hash": "00", "updated_at": "2026-01-31T12:00:00.000000Z"}""");
    return Route.get("/workspaces", TAG, "The folders of this host in which agents work")
        .gives(Schemas.listOf(workspace), Schemas.listExample(example))
        .by(
            request ->
                Reply.page(
                    request,
                    rooms.workspaces().stream().map(WorkspaceRoutes::json).toList(),
                    null));
  }

  private static JsonObject json(Workspace workspace) {
    return JsonObject.of("id", workspace.id(), "host", workspace.place().host())
        .with("work_dir", workspace.place().workDir())
        .with("story_id", workspace.story().id())
        .with("tree_hash", workspace.files().treeHash())
        .with("version", workspace.files().version())
        .with("updated_at", Times.write(workspace.updatedAt()));
  }

  private Tracker tracker(Request request) {
    return rooms.workspace(folders.of(request.path("workspace")));
  }

  private Route scan() {
    Schema answer =
        Schema.fields()
            .needs("workspace", Schema.text("the workspace"))
            .needs("files", Schema.number("how many there are"))
            .needs("added", Schema.number("how many are new since the last look"))
            .needs("changed", Schema.number("how many have another content"))
            .needs("gone", Schema.number("how many are no longer there"))
            .needs("hashed", Schema.number("how many were read"))
            .needs("left_out", Schema.text("what was not looked at, and why"));
    return Route.of(
            Verb.POST, "/workspaces/{workspace}/scan", TAG, "Look at all files and note them")
        .takes(
            Schema.fields().may("story", Schema.text("what is worked on there from now on")),
            JsonText.object("{\"story\": \"T-001\"}"))
        .gives(
            answer,
            JsonText.object(
                """
                {"workspace": "w-0a1b2c3d4e5f", "files": 12, "added": 1, "changed": 0, "gone": 0,
                 "hashed": 1, "left_out": ""}"""))
        .by(
            request -> {
              String story = request.body().textOrNull("story");
              Call call = request.call();
              Tracker tracker = tracker(request);
              Looked looked = tracker.scan();
              if (story != null) tracker.beginStory(story, call);
              return Reply.ok(
                  JsonObject.of("workspace", tracker.workspace().id())
                      .with("files", tracker.state().present().size())
                      .with("added", looked.added())
                      .with("changed", looked.changed())
                      .with("gone", looked.gone())
                      .with("hashed", looked.filesHashed())
                      .with("left_out", looked.leftOut()));
            });
  }

  private Route snapshot() {
    Schema answer =
        Schema.fields()
            .needs("text", Schema.text("what an agent is shown"))
            .needs("state", Schema.open("the same and all the rest: files and open tasks"))
            .needs("left_out", Schema.text("what was not looked at, and why"));
    return Route.get(
            "/workspaces/{workspace}/snapshot", TAG, "What is there and what remains to be done")
        .notForViewers()
        .query("story", Schema.text("only while this is worked on there"))
        .gives(
            answer, JsonText.object("{\"text\": \"# Files\", \"state\": {}, \"left_out\": \"\"}"))
        .by(
            request -> {
              Tracker tracker = tracker(request);
              refuseOtherStory(tracker.workspace(), request.query("story"));
              Looked looked = tracker.scan();
              Snapshot snapshot = tracker.snapshot();
              return Reply.ok(
                  JsonObject.of("text", snapshot.text(), "state", snapshot.state().toJson())
                      .with("left_out", looked.leftOut()));
            });
  }

  /** To begin a story ends another one, which is nothing that a look should do. */
  private static void refuseOtherStory(Workspace workspace, @Nullable String wanted) {
    String story = workspace.story().id();
    if (wanted == null || wanted.equals(story)) return;
    throw Refusal.conflict(
        Phrase.of(
            "%s is worked on in %s, not %s; begin that with POST /workspaces/%s/scan first",
            story == null ? "no story" : story, workspace.id(), wanted, workspace.id()));
  }

  private Route write() {
    Schema body =
        Schema.fields()
            .needs("content", Schema.text("the whole content that the file is to have"))
            .may("expect", Schema.text("the version seen: 6 digits of its SHA-256, or absent"))
            .may("task", Schema.text("the task it is written for"));
    Schema answer =
        Schema.fields()
            .needs("success", Schema.truth("always; else it is a problem"))
            .needs("noop", Schema.truth("the file had this content already"))
            .needs("changed", Schema.truth("the opposite"))
            .needs("message", Schema.text("the same in words"))
            .needs("path", Schema.text("the file, from the workspace's folder"))
            .may("old_hash", Schema.text("its SHA-256 before"))
            .needs("hash", Schema.text("its SHA-256 now"));
    return Route.of(
            Verb.PUT,
            "/workspaces/{workspace}/files/{path}",
            TAG,
            "Make a file have this content; doing it twice does nothing twice")
        .takes(body, JsonText.object("{\"content\": \"class App {}\\n\"}"))
        .gives(
            answer,
            JsonText.object(
                """
                {"success": true, "noop": false, "changed": true, "path": "src/App.java",
                 "message": "src/App.java was created", "hash": "00"}"""))
        .by(
            request -> {
              var wanted = wanted(request);
              var writes = new FileWrites(tracker(request));
              return Reply.ok(writes.write(wanted, request.call()).toJson());
            });
  }

  private static FileWrites.Wanted wanted(Request request) {
    JsonObject asked = request.body();
    String task = asked.textOrNull("task");
    if (task == null && request.call().fence() != null) {
      throw Refusal.invalid("a fence is one of a task: name the task, or leave the fence out");
    }
    return new FileWrites.Wanted(
        new RepoPath(request.path("path")),
        asked.text("content").getBytes(StandardCharsets.UTF_8),
        version(asked.textOrNull("expect")),
        task == null ? null : request.task(task));
  }

  /** What can be no version at all would look like a conflict that reading again does not end. */
  private static @Nullable String version(@Nullable String expect) {
    boolean fits =
        expect == null
            || FileWrites.ABSENT.equalsIgnoreCase(expect)
            || HASH.matcher(expect).matches();
    if (fits) return expect;
    throw Refusal.invalid(
        Phrase.of(
            "\"%s\" is no version of a file; give at least %d digits of its SHA-256, or '%s'",
            expect, FileWrites.HASH_DIGITS_MIN, FileWrites.ABSENT));
  }
}
