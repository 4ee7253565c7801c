package dev.mainstay.rest;

import dev.mainstay.domain.Delegation;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.TaskFields;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.terminal.DelegationView;
import dev.mainstay.terminal.Delegations;
import dev.mainstay.terminal.NewDelegation;
import java.util.List;

/** {@code /delegations}: work for agents of a profile, and what became of it. */
final class DelegationRoutes {
  private static final String TAG = "delegations";
  private static final String ALL = "/delegations";

  private static final List<String> OF_TASK =
      List.of("title", "description", "task_type", "priority", "parent_id", "metadata", "terms");

  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"task_id": "T-001", "caller_id": "person:ada", "agent_profile": "developer",
           "host": "laptop", "tmux_session": "mainstay", "work_dir": "/home/ada/shop",
           "worktree": false, "status": "WAITING", "noticed": false,
           "created_at": "2026-01-31T12:00:00.000000Z", "updated_at": "2026-01-31T12:00:00.000000Z"}""");

  private final Rooms rooms;
  private final Seats seats = new Seats();

  private DelegationRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    DelegationRoutes routes = new DelegationRoutes(rooms);
    return List.of(routes.list(), routes.assign(), routes.show());
  }

  /** A delegation; one that is asked for by itself comes with its task and its worker. */
  static Schema schema() {
    return Schema.fields()
        .needs("task_id", Schema.text("the task"))
        .needs("caller_id", Schema.text("who wants it: a terminal, or person:NAME"))
        .needs("agent_profile", Schema.text("the profile of the agent that is wanted"))
        .may("provider", Schema.text("what the agent is to run on"))
        .needs("host", Schema.text("the machine it is done on"))
        .needs("tmux_session", Schema.text("the session of its window"))
        .needs("work_dir", Schema.text("the folder it is about"))
        .needs("worktree", Schema.truth("whether the worker gets a git worktree of its own"))
        .may("branch", Schema.text("the branch of that worktree"))
        .may("base", Schema.text("the commit where the branch began"))
        .needs("status", Schema.oneOf("how it stands", "WAITING", "GIVEN", "REPORTED"))
        .may("terminal_id", Schema.text("the terminal that was given it"))
        .may("message_id", Schema.number("the message it was told by"))
        .may("reason", Schema.text("why it does not go on"))
        .needs("noticed", Schema.truth("whether the caller was told that it does not go on"))
        .needs("created_at", Schema.text("when it was wanted"))
        .needs("updated_at", Schema.text("when it last moved"))
        .may("task", Schemas.TASK)
        .may("terminal_status", Schema.text("how its terminal stands"))
        .may("step", Schema.text("the step of the plan it is at"))
        .may("result", Schema.open("what came out"))
        .may("error", Schema.text("why it ended badly"));
  }

  private Route list() {
    return Route.get(ALL, TAG, "What is delegated, in the order of the tasks")
        .query(
            "filter", Schema.oneOf("those not reported yet, or all (default open)", "open", "all"))
        .paged()
        .gives(Schemas.listOf(Schemas.DELEGATION), Schemas.listExample(EXAMPLE))
        .by(
            request -> {
              int limit = request.limit();
              // One more tells whether there are others; a page of the largest size cannot ask.
              int asked = Math.min(limit + 1, Delegations.PAGE_MAX);
              List<Delegation> found =
                  rooms.delegations().list(openOnly(request), after(request), asked);
              List<Delegation> page = found.subList(0, Math.min(limit, found.size()));
              boolean more = asked > limit ? found.size() > limit : found.size() == limit;
              String next = more ? page.get(page.size() - 1).task().value() : null;
              return Reply.page(request, page.stream().map(Delegation::toJson).toList(), next);
            });
  }

  private static boolean openOnly(Request request) {
    String given = request.query("filter");
    if (given == null || given.equals("open")) return true;
    if (given.equals("all")) return false;
    throw Refusal.invalid(Phrase.of("filter is open or all, not \"%s\"", given));
  }

  private static long after(Request request) {
    String given = request.query("cursor");
    return given == null ? 0 : TaskId.parse(given).number();
  }

  /** The folder is the caller's own or the server's: nobody names one from elsewhere. */
  private Route assign() {
    Schema body =
        Schema.fields()
            .needs("agent_profile", Schema.text("the profile of the agent that is wanted"))
            .may("task_id", Schema.text("a task that is there, in place of a new one"))
            .may("title", Schema.text("what is to be done, in one line"))
            .may("description", Schema.text("the whole specification"))
            .may("task_type", Schema.text("CODE, REVIEW, TEST, ANALYZE or another"))
            .may("priority", Schema.number("higher is more urgent"))
            .may("parent_id", Schema.text("the task it is a part of"))
            .may("metadata", Schema.open("whatever else is known"))
            .may("terms", Schemas.TERMS)
            .may("provider", Schema.text("what the agent runs on (default: its profile's)"))
            .may("tmux_session", Schema.text("the session (default: the caller's, or mainstay)"))
            .may("worktree", Schema.truth("whether it gets a git worktree of its own"));
    return Route.of(Verb.POST, ALL, TAG, "Let an agent of a profile do something")
        .takes(
            body, JsonText.object("{\"agent_profile\": \"developer\", \"title\": \"Add logout\"}"))
        .gives(201, Schemas.DELEGATION, EXAMPLE)
        .by(
            request -> {
              NewDelegation wanted = wanted(request);
              Delegation noted = rooms.delegations().assign(wanted, request.call());
              return Reply.ok(noted.toJson())
                  .status(201)
                  .with("Location", ALL + "/" + noted.task());
            });
  }

  private static NewDelegation wanted(Request request) {
    JsonObject body = request.body();
    JsonObject fields = JsonObject.EMPTY;
    for (String field : OF_TASK) fields = fields.with(field, body.get(field));
    String existing = body.textOrNull("task_id");
    String profile = body.text("agent_profile");
    if (existing != null && !fields.isEmpty()) {
      throw Refusal.invalid(
          Phrase.of("%s has a title and all else already; leave them out", existing));
    }
    return (existing == null
            ? NewDelegation.of(TaskFields.read(fields, request::task), profile)
            : NewDelegation.of(request.task(existing), profile))
        .on(body.textOrNull("provider"))
        .in(body.textOrNull("tmux_session"), null)
        .apart(Boolean.TRUE.equals(body.get("worktree")));
  }

  private Route show() {
    return Route.get(ALL + "/{id}", TAG, "One delegation, at once or when its task is over")
        .query("wait", Schema.number("how many seconds to wait for the end (default 0)"))
        .gives(Schemas.DELEGATION, EXAMPLE.with("task", Schemas.TASK_EXAMPLE))
        .by(
            request -> {
              DelegationView view =
                  seats.awaiting(
                      request,
                      atMost -> rooms.delegations().await(request.task(), atMost, told -> {}));
              return Reply.ok(view.toJson());
            });
  }
}
