package dev.mainstay.rest;

import dev.mainstay.domain.Artifact;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Artifacts.Opened;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.rest.Route.Verb;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /tasks/ID/artifacts} and {@code /artifacts}: what came out of tasks. */
final class ArtifactRoutes {
  /** What is larger is told about and not read; it is fetched as a file. */
  static final int CONTENT_BYTES_MAX = 1024 * 1024;

  /** Each has a thread, and a piece of the file in memory, for as long as its reader takes. */
  static final int READERS_MAX = 32;

  private static final Logger LOG = LoggerFactory.getLogger(ArtifactRoutes.class);
  private static final String LENGTH = "Content-Length";
  private static final String FILE = "application/octet-stream";
  private static final String TAG = "artifacts";
  private static final String PATH = "/tasks/{id}/artifacts";
  private static final String ID = "\\d{1,18}";

  private static final Schema ARTIFACT = artifact();
  private static final JsonObject EXAMPLE =
      JsonText.object(
          """
          {"id": 1, "task_id": "T-001", "artifact_type": "TEST_RESULT", "size_bytes": 9,
           "content_hash": "60fd6cd9b23b62b8f7d7d201ac8059174a38850d97e3104563bd6ad2415a5d29",
           "created_at": "2026-01-31T12:00:00.000000Z"}""");

  private final Rooms rooms;
  private final Places readers =
      new Places(
          READERS_MAX,
          Phrase.of(
              "%d artifacts are being read, which is the most; come again later", READERS_MAX));

  private ArtifactRoutes(Rooms rooms) {
    this.rooms = rooms;
  }

  static List<Route> of(Rooms rooms) {
    ArtifactRoutes routes = new ArtifactRoutes(rooms);
    return List.of(routes.add(), routes.list(), routes.fetch(), routes.content(), routes.collect());
  }

  private static Schema artifact() {
    return Schema.fields()
        .needs("id", Schema.number("its number"))
        .needs("task_id", Schema.text("the task it came out of"))
        .needs("artifact_type", Schema.text("CODE, LOG, TEST_RESULT, ERROR, DIFF or another"))
        .may("file_path", Schema.text("the file, where it is one and not a text in the store"))
        .may("host", Schema.text("the host that has the file"))
        .needs("content_hash", Schema.text("its SHA-256 when it was handed over"))
        .needs("size_bytes", Schema.number("its size then"))
        .needs("created_at", Schema.text("when it was handed over"));
  }

  private Route add() {
    Schema body =
        Schema.fields()
            .needs("artifact_type", Schema.text("CODE, LOG, TEST_RESULT, ERROR, DIFF or another"))
            .may("file_path", Schema.text("a file below the server's folder"))
            .may("content", Schema.text("a short text in place of a file"))
            .may("content_hash", Schema.text("the SHA-256 it must have; another is refused"));
    return Route.of(Verb.POST, PATH, TAG, "Hand over a file or a short text")
        .takes(
            body,
            JsonText.object("{\"artifact_type\": \"TEST_RESULT\", \"content\": \"12 passed\"}"))
        .gives(201, ARTIFACT, EXAMPLE)
        .by(
            request -> {
              Artifact added =
                  rooms.artifacts().add(request.task(), wanted(request.body()), request.call());
              String place = Phrase.of("/tasks/%s/artifacts/%d", added.task(), added.id());
              return Reply.ok(added.toJson()).status(201).with("Location", place);
            });
  }

  private static NewArtifact wanted(JsonObject body) {
    return new NewArtifact(
        new ArtifactType(body.text("artifact_type")),
        body.textOrNull("file_path"),
        body.textOrNull("content"),
        body.textOrNull("content_hash"));
  }

  private Route list() {
    return Route.get(PATH, TAG, "What came out of a task, oldest first")
        .gives(Schemas.listOf(ARTIFACT), Schemas.listExample(EXAMPLE))
        .by(
            request -> {
              var all = rooms.artifacts().list(request.task());
              return Reply.page(request, all.stream().map(Artifact::toJson).toList(), null);
            });
  }

  private Route fetch() {
    Schema answer =
        ARTIFACT
            .needs("verified", Schema.truth("whether it was read and is what was handed over"))
            .may("content", Schema.text("its text, where it is one and not large"));
    return Route.get(PATH + "/{artifact}", TAG, "One artifact, with its text once that is checked")
        .gives(answer, EXAMPLE.with("verified", true).with("content", "12 passed"))
        .by(request -> Reply.ok(fetched(request, request.task(), id(request))));
  }

  private JsonObject fetched(Request request, TaskId task, long id) {
    Artifact known = rooms.artifacts().show(task, id);
    if (known.content().bytes() > CONTENT_BYTES_MAX) return known.toJson().with("verified", false);
    if (known.content().bytes() > Bodies.SMALL_BYTES_MAX) request.takeTurn();
    byte[] content = rooms.artifacts().get(task, id).content();
    return known.toJson().with("verified", true).with("content", text(content).orElse(null));
  }

  private Route content() {
    return Route.get(PATH + "/{artifact}/content", TAG, "An artifact as the file it is")
        .givesText(FILE, "its bytes, once they are what was handed over")
        .by(
            request -> {
              TaskId task = request.task();
              long id = id(request);
              Reply.Sending sending = http -> send(http, task, id);
              return new Reply(200, FILE, sending, Map.of());
            });
  }

  /** The place is taken before the file is read, since that may be large. */
  private void send(Context http, TaskId task, long id) {
    Places.Place place = readers.take();
    try (place;
        Opened opened = rooms.artifacts().open(task, id)) {
      http.header("Content-Disposition", "attachment");
      http.header(LENGTH, Long.toString(opened.content().bytes()));
      if (http.method() != HandlerType.HEAD) copy(opened, http);
    }
  }

  /** What has begun cannot become a refusal any more: it is cut off, and its length tells so. */
  private static void copy(Opened opened, Context http) {
    boolean whole = false;
    try {
      OutputStream out = http.outputStream();
      opened.content().copyTo((piece, bytes) -> out.write(piece, 0, bytes));
      whole = true;
    } catch (IOException gone) {
      LOG.debug("an artifact was not read to its end"); // its reader comes again if it likes
    } catch (Refusal changed) {
      if (!http.res().isCommitted()) {
        whole = true;
        http.removeHeader(LENGTH);
        throw changed;
      }
      LOG.atWarn().setCause(changed).log("an artifact was cut off");
    } finally {
      if (!whole) Streams.endPoint(http).close();
    }
  }

  private static long id(Request request) {
    String given = request.path("artifact");
    if (given.matches(ID)) return Long.parseLong(given);
    throw Refusal.invalid(Phrase.of("\"%s\" is no number of an artifact", given));
  }

  /** What is not text is fetched as a file: JSON cannot carry it as it is. */
  private static Optional<String> text(byte[] content) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException binary) {
      return Optional.empty();
    }
  }

  private Route collect() {
    Schema answer =
        Schema.fields()
            .needs("counts", Schema.open("how many there are, by task"))
            .needs("artifacts", Schema.list(ARTIFACT));
    return Route.get("/artifacts", TAG, "What came out of several tasks, to hand it to a reviewer")
        .query("tasks", Schema.text("the tasks, with commas between them"))
        .query("type", Schema.text("only artifacts of this type"))
        .gives(
            answer,
            JsonObject.of("counts", JsonObject.of("T-001", 1)).with("artifacts", List.of(EXAMPLE)))
        .by(
            request -> {
              String type = request.query("type");
              ArtifactType wanted = type == null ? null : new ArtifactType(type);
              return Reply.ok(rooms.artifacts().collect(tasks(request), wanted).toJson());
            });
  }

  private static List<TaskId> tasks(Request request) {
    String given = request.query("tasks");
    if (given == null) throw Refusal.invalid("name the tasks, as in ?tasks=T-001,T-002");
    return Arrays.stream(given.split(",")).map(String::strip).map(TaskId::parse).toList();
  }
}
