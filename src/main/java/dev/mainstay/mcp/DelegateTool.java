package dev.mainstay.mcp;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Neutral;
import dev.mainstay.session.Places;
import dev.mainstay.terminal.DelegationView;
import dev.mainstay.terminal.NewDelegation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code delegate}: another agent does it, in a free terminal or a new one. */
final class DelegateTool implements Offered {
  static final int WAIT_SECONDS_MAX = 600;

  /** So soon it is noticed that the caller no longer wants to wait. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final Rooms rooms;

  DelegateTool(Rooms rooms) {
    this.rooms = rooms;
  }

  @Override
  public String name() {
    return "delegate";
  }

  @Override
  public String description() {
    return "Let another agent of a profile do a new task (title) or an existing one (task). The"
        + " result comes as a message; wait_seconds waits for it.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of("profile"),
        "profile",
        Schemas.text(),
        "title",
        Schemas.text(Task.TITLE_CHARS_MAX),
        "task",
        Schemas.text(),
        "description",
        Schemas.text(),
        "worktree",
        Schemas.said("its own git worktree", Schemas.flag()),
        "wait_seconds",
        Schemas.number(0, WAIT_SECONDS_MAX));
  }

  @Override
  public Tool.Hints hints() {
    return WRITES;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    Path folder = Path.of(Places.around(visit.guest().folder()).worktree());
    NewDelegation wanted =
        wanted(arguments).in(null, folder).apart(Boolean.TRUE.equals(arguments.get("worktree")));
    Call call = visit.callAsHolder("delegate");
    Delegation noted = rooms.delegations().assign(wanted, call);
    served();
    Long seconds = arguments.numberOrNull("wait_seconds");
    long wait = seconds == null ? 0 : seconds;
    return told(wait == 0 ? rooms.delegations().show(noted.task()) : awaited(visit, noted, wait));
  }

  private NewDelegation wanted(JsonObject arguments) {
    String profile = arguments.text("profile");
    String existing = arguments.textOrNull("task");
    boolean fresh = arguments.has("title");
    if (fresh == (existing != null)) {
      throw Refusal.invalid("delegate needs either a \"title\" for a new task or a \"task\"");
    }
    if (existing == null)
      return NewDelegation.of(CreateTaskTool.wanted(arguments, rooms.tasks()::resolve), profile);
    if (arguments.has("description")) {
      throw Refusal.invalid(
          existing + " has a description already; leave it out, or give a title for a new task");
    }
    return NewDelegation.of(rooms.tasks().resolve(existing), profile);
  }

  /** Noted is noted; what cannot be given from here, a server gives. */
  private void served() {
    try {
      rooms.delegations().serve();
    } catch (Refusal later) {
      return;
    }
  }

  private DelegationView awaited(Visit visit, Delegation noted, long seconds) {
    Asking.Line line = visit.asking().line();
    long begin = System.nanoTime();
    String[] last = {""};
    while (true) {
      double passed = (System.nanoTime() - begin) / 1e9;
      Duration left = Duration.ofMillis(Math.max(0, (long) ((seconds - passed) * 1_000)));
      Duration once = left.compareTo(LOOK_AGAIN) < 0 ? left : LOOK_AGAIN;
      DelegationView view =
          rooms
              .delegations()
              .await(
                  noted.task(),
                  once,
                  seen -> {
                    if (seen.line().equals(last[0])) return;
                    last[0] = seen.line();
                    line.progress(passed, (double) seconds, seen.line());
                  });
      boolean over = view.isOver() || left.isZero() || line.isCancelled();
      if (over || Thread.currentThread().isInterrupted()) return view;
      served();
    }
  }

  private static Reply told(DelegationView view) {
    TaskId id = view.task().id();
    return Reply.told(
        shown(view) + Phrase.of("\nLook again: recall delegation:%s", id),
        JsonObject.of("task_id", id.value(), "status", view.task().status())
            .with("delegation", view.delegation().status())
            .with("terminal_id", view.delegation().standing().terminal()));
  }

  /** How it stands, and what came out once it is over. */
  static String shown(DelegationView view) {
    String line = Neutral.line(view.line());
    if (!view.isOver()) return line + "\nThe work goes on; its end comes as a message.";
    String error = view.error();
    if (error != null) return line + "\nIt ended badly: " + Neutral.block(error);
    JsonObject result = view.result();
    return result.isEmpty() ? line : line + "\nResult: " + Neutral.block(JsonText.write(result));
  }
}
