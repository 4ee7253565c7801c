package dev.mainstay.rest;

import dev.mainstay.domain.AccessToken.Role;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Nearest;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.WorkflowExecution;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.workflow.NewExecution;
import dev.mainstay.workflow.NewMessage;
import dev.mainstay.workflow.Question;
import dev.mainstay.workflow.SessionName;
import dev.mainstay.workflow.WorkflowExecutions;
import dev.mainstay.workflow.WorkflowJson;
import dev.mainstay.workspace.Host;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code /executions}: workflows that were started. Agents start them, send messages and try again;
 * what decides in a person's place is a person's.
 */
final class ExecutionRoutes {
  private static final String TAG = WorkflowRoutes.TAG;
  private static final String ALL = "/executions";
  private static final String ONE = "/executions/{execution}";

  private final Rooms rooms;
  private final Seats seats = new Seats();

  private ExecutionRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    ExecutionRoutes routes = new ExecutionRoutes(rooms);
    return List.of(
        routes.start(),
        routes.ofWorkflow(),
        routes.list(),
        routes.show(),
        routes.visits(),
        routes.pause(),
        routes.resume(),
        routes.retry(),
        routes.skip(),
        routes.cancel(),
        routes.answer(),
        routes.migrate(),
        routes.questions(),
        routes.message(),
        routes.messages());
  }

  private WorkflowExecutions executions() {
    return rooms.workflowExecutions();
  }

  private static String id(Request request) {
    return request.path("execution");
  }

  private static Reply reply(WorkflowExecution execution) {
    return tagged(Reply.ok(execution.toJson()), execution);
  }

  private static Reply tagged(Reply reply, WorkflowExecution execution) {
    return reply.with("ETag", "\"" + execution.standing().version() + "\"");
  }

  /** Agents work in the server's own folder: nobody names one from elsewhere. */
  private Route start() {
    Schema body =
        Schema.fields()
            .may("variables", Schema.open("values by name"))
            .may("session_name", Schema.text("the session (default: named after the folder)"));
    return Route.of(Verb.POST, WorkflowRoutes.ONE + ALL, TAG, "Start a workflow")
        .takes(body, JsonText.object("{\"variables\": {\"branch\": \"main\"}}"))
        .gives(201, WorkflowSchemas.EXECUTION, WorkflowSchemas.EXECUTION_EXAMPLE)
        .by(
            request -> {
              String session = request.body().textOrNull("session_name");
              WorkflowExecution begun =
                  executions()
                      .start(
                          new NewExecution(
                              request.path("workflow"),
                              session == null ? SessionName.of(rooms.root()) : session,
                              Host.current(),
                              rooms.root(),
                              request.body().object("variables")),
                          request.call());
              return reply(begun).status(201).with("Location", ALL + "/" + begun.id());
            });
  }

  private Route listing(String path, String summary) {
    return Route.get(path, TAG, summary)
        .query("status", Schema.text("only those that stand so, such as RUNNING"))
        .paged()
        .gives(
            Schemas.listOf(WorkflowSchemas.EXECUTION),
            Schemas.listExample(WorkflowSchemas.EXECUTION_EXAMPLE));
  }

  private Route ofWorkflow() {
    return listing(WorkflowRoutes.ONE + ALL, "Executions of all versions, the newest first")
        .by(
            request -> {
              // An unknown one is said to be.
              String name = rooms.workflows().show(request.path("workflow")).workflow().name();
              return page(request, name);
            });
  }

  private Route list() {
    return listing(ALL, "Executions, the newest first")
        .query("workflow", Schema.text("only those of the workflow of this name"))
        .by(request -> page(request, request.query("workflow")));
  }

  private Reply page(Request request, @Nullable String workflow) {
    int limit = request.limit();
    // One more tells whether there are others; a page of the largest size cannot ask.
    int asked = Math.min(limit + 1, WorkflowExecutions.PAGE_MAX);
    List<WorkflowExecution> found =
        executions().list(workflow, status(request), request.query("cursor"), asked);
    List<WorkflowExecution> page = found.subList(0, Math.min(limit, found.size()));
    boolean more = asked > limit ? found.size() > limit : found.size() == limit;
    String next = more ? page.get(page.size() - 1).id() : null;
    return Reply.page(request, page.stream().map(WorkflowExecution::toJson).toList(), next);
  }

  private static @Nullable Status status(Request request) {
    String given = request.query("status");
    if (given == null) return null;
    List<String> names = Arrays.stream(Status.values()).map(Status::name).toList();
    String name = given.toUpperCase(Locale.ROOT);
    if (names.contains(name)) return Status.valueOf(name);
    throw Refusal.invalid(
        Phrase.of("there is no status \"%s\"; %s", given, Nearest.guess(name, names)));
  }

  private Route show() {
    JsonObject shown =
        WorkflowSchemas.EXECUTION_EXAMPLE
            .with("workflow", WorkflowSchemas.EXAMPLE)
            .with(
                "waits_for",
                List.of(
                    JsonObject.of("node", "approve", "token", "tk-2", "what", "ANSWER")
                        .with("about", "Release main?")))
            .with("visits", List.of(WorkflowSchemas.VISIT_EXAMPLE));
    return Route.get(ONE, TAG, "How an execution stands, what it waits for and what happened")
        .query("wait", Schema.number("how many seconds to wait for its end (default 0)"))
        .gives(WorkflowSchemas.EXECUTION, shown)
        .by(
            request -> {
              seats.awaiting(request, atMost -> executions().await(id(request), atMost, () -> {}));
              var view = executions().show(id(request));
              return tagged(Reply.ok(WorkflowJson.write(view)), view.execution());
            });
  }

  private Route visits() {
    return Route.get(ONE + "/visits", TAG, "What happened at its nodes: when, by whom, how long")
        .gives(
            Schemas.listOf(WorkflowSchemas.VISIT),
            Schemas.listExample(WorkflowSchemas.VISIT_EXAMPLE))
        .by(
            request ->
                Reply.page(request, WorkflowJson.visits(executions().show(id(request))), null));
  }

  private Route acting(String verb, String summary) {
    return Route.of(Verb.POST, ONE + "/" + verb, TAG, summary)
        .matching()
        .gives(WorkflowSchemas.EXECUTION, WorkflowSchemas.EXECUTION_EXAMPLE);
  }

  /** Whether the version was to blame is asked afterwards, so that a repeated key is answered. */
  private Reply changed(Request request, Function<WorkflowExecutions, WorkflowExecution> change) {
    Long expected = request.expectedVersion();
    try {
      return reply(change.apply(executions().ifAt(expected)));
    } catch (Refusal refused) {
      boolean other =
          expected != null
              && refused.code() == Refusal.Code.CONFLICT
              && executions().show(id(request)).execution().standing().version() != expected;
      throw other ? DoorRefusal.changed(refused.sentence()) : refused;
    }
  }

  private static Schema why() {
    return Schema.fields().may("reason", Schema.text("why"));
  }

  private static String reason(Request request) {
    String given = request.body().textOrNull("reason");
    return given == null ? "" : given;
  }

  private Route pause() {
    return acting("pause", "Let it begin nothing new; what is under way goes on")
        .only(Role.PERSON)
        .takes(why(), JsonObject.of("reason", "the release waits until Monday"))
        .by(
            request ->
                changed(request, all -> all.pause(id(request), reason(request), request.call())));
  }

  private Route resume() {
    return acting("resume", "Let one that is paused go on")
        .only(Role.PERSON)
        .by(request -> changed(request, all -> all.resume(id(request), request.call())));
  }

  private Route retry() {
    Schema body =
        Schema.fields()
            .needs("node", Schema.text("where something went wrong"))
            .may("variables", Schema.open("set before it is tried again"));
    return acting("retry", "Try again what went wrong at a node")
        .takes(body, JsonText.object("{\"node\": \"build\", \"variables\": {\"port\": 8081}}"))
        .by(
            request -> {
              JsonObject given = request.body();
              String node = given.text("node");
              JsonObject set = given.object("variables");
              return changed(request, all -> all.retry(id(request), node, set, request.call()));
            });
  }

  private Route skip() {
    Schema body =
        Schema.fields()
            .needs("node", Schema.text("where something went wrong"))
            .may("result", Schema.open("what came out, as if it were done"));
    return acting("skip", "Go on as if what went wrong at a node were done")
        .only(Role.PERSON)
        .takes(body, JsonText.object("{\"node\": \"build\", \"result\": {\"built\": false}}"))
        .by(
            request -> {
              JsonObject given = request.body();
              String node = given.text("node");
              JsonObject result = given.object("result");
              return changed(request, all -> all.skip(id(request), node, result, request.call()));
            });
  }

  private Route cancel() {
    return acting("cancel", "End it with all the work it still wants")
        .only(Role.PERSON)
        .takes(why(), JsonObject.of("reason", "it is not needed any more"))
        .by(
            request ->
                changed(request, all -> all.cancel(id(request), reason(request), request.call())));
  }

  private Route answer() {
    Schema body =
        Schema.fields()
            .needs("node", Schema.text("the node that asks"))
            .may("answer", Schema.text("the answer; where several are given, one of them"))
            .may("variables", Schema.open("what else is to be known"));
    return acting("answer", "A person's answer to what a node asks")
        .only(Role.PERSON)
        .takes(body, JsonObject.of("node", "approve", "answer", "approve"))
        .by(
            request -> {
              JsonObject given = request.body();
              JsonObject answer =
                  given.object("variables").with("answer", given.textOrNull("answer"));
              String node = given.text("node");
              return changed(request, all -> all.answer(id(request), node, answer, request.call()));
            });
  }

  private Route migrate() {
    Schema body =
        Schema.fields().may("version", Schema.number("which version (default: the newest)"));
    return acting("migrate", "Go on by another version of its workflow")
        .only(Role.PERSON)
        .takes(body, JsonObject.of("version", 2))
        .by(
            request -> {
              Long version = request.body().numberOrNull("version");
              return changed(request, all -> all.migrate(id(request), version, request.call()));
            });
  }

  private Route questions() {
    return Route.get("/questions", TAG, "What workflows ask people, oldest first")
        .query("execution", Schema.text("only those of this execution"))
        .query("limit", Schema.number("at most so many"))
        .gives(
            Schemas.listOf(WorkflowSchemas.QUESTION),
            Schemas.listExample(WorkflowSchemas.QUESTION_EXAMPLE))
        .by(
            request -> {
              List<Question> found =
                  executions().questions(request.query("execution"), request.limit());
              return Reply.page(request, found.stream().map(Question::toJson).toList(), null);
            });
  }

  private Route message() {
    Schema body =
        Schema.fields()
            .needs("name", Schema.text("the message's name"))
            .may("correlation", Schema.text("which of several waiting executions is meant"))
            .may("execution_id", Schema.text("the only one that may get it"))
            .may("content", Schema.open("what it says"))
            .may("keep", Schema.truth("whether it is kept when nobody waits for it yet"));
    return Route.of(Verb.POST, "/messages", TAG, "Give a message to who waits for it longest")
        .takes(
            body,
            JsonText.object("{\"name\": \"built\", \"content\": {\"ok\": true}, \"keep\": true}"))
        .gives(
            Schema.fields()
                .needs("kept", Schema.truth("whether it waits for somebody to wait for it"))
                .may("execution", WorkflowSchemas.EXECUTION),
            JsonObject.of("kept", false, "execution", WorkflowSchemas.EXECUTION_EXAMPLE))
        .by(
            request -> {
              JsonObject given = request.body();
              NewMessage message =
                  new NewMessage(
                      given.text("name"),
                      given.textOrNull("correlation"),
                      given.textOrNull("execution_id"),
                      given.object("content"),
                      Boolean.TRUE.equals(given.get("keep")));
              return Reply.ok(
                  WorkflowJson.delivered(executions().message(message, request.call())));
            });
  }

  private Route messages() {
    JsonObject example =
        JsonObject.of("id", 1, "name", "built", "content", JsonObject.of("ok", true))
            .with("sent_by", "person:ada")
            .with("sent_at", "2026-01-31T12:00:00.000000Z");
    return Route.get("/messages", TAG, "Messages that are kept until somebody waits for them")
        .query("limit", Schema.number("at most so many"))
        .gives(Schemas.listOf(Schema.open("a message")), Schemas.listExample(example))
        .by(
            request -> {
              List<WorkflowMessage> kept = executions().messages(request.limit());
              return Reply.page(request, kept.stream().map(WorkflowMessage::toJson).toList(), null);
            });
  }
}
