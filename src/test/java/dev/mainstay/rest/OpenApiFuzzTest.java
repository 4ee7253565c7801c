package dev.mainstay.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Databases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Requests made from the OpenAPI document alone, most of them wrong in one place: each is answered,
 * never with status 500, and as the document says. {@code -Drequests=N} sends so many, {@code
 * -Dseconds=N} goes on for so long, {@code -Dseed=N} begins elsewhere.
 */
class OpenApiFuzzTest extends OnServer {
  private static final int REQUESTS = Integer.getInteger("requests", 600);
  private static final long SECONDS = Long.getLong("seconds", 0);
  private static final long SEED = Long.getLong("seed", 1);
  private static final int TASKS = 6;
  private static final int FAILURES_SHOWN = 20;

  private final Map<String, Integer> statuses = new TreeMap<>();
  private String before = "";
  private final List<String> failures = new ArrayList<>();

  OpenApiFuzzTest() {
    super(Databases.SQLITE);
  }

  /** One operation of the document. */
  private record Operation(String verb, String path, JsonObject json) {
    boolean isPlayable() {
      boolean endless = json.object("responses").object("200").toString().contains("event-stream");
      // These would open windows, type into them, or start agents.
      boolean outside = json.texts("tags").contains("screens") || path.equals("/flows/{flow}/run");
      return !endless && !outside;
    }
  }

  private static List<Operation> operations(JsonObject document) {
    List<Operation> all = new ArrayList<>();
    JsonObject paths = document.object("paths");
    for (String path : paths.asMap().keySet()) {
      for (String verb : paths.object(path).asMap().keySet()) {
        all.add(new Operation(verb, path, paths.object(path).object(verb)));
      }
    }
    return all.stream().filter(Operation::isPlayable).toList();
  }

  @Test
  void no_request_is_answered_with_status_500_or_outside_of_the_document() throws IOException {
    JsonObject document = get("/openapi.json").json();
    List<Operation> operations = operations(document);
    Random random = new Random(new SplittableRandom(SEED).nextLong());
    FuzzedValues values = new FuzzedValues(random);
    prepare(values);
    long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    int sent = 0;
    while (SECONDS == 0 ? sent < REQUESTS : System.nanoTime() < end) {
      Operation operation = operations.get(random.nextInt(operations.size()));
      play(document, operation, values);
      sent++;
      if (failures.size() >= FAILURES_SHOWN) break;
    }
    System.out.printf(
        "OpenApiFuzzTest: seed %d, %,d requests, %d operations, statuses %s%n",
        SEED, sent, operations.size(), statuses);
    assertThat(failures).as("seed " + SEED).isEmpty();
    assertThat(statuses.keySet()).as("some requests are right").contains("200", "201", "400");
  }

  /** Something of each kind, so that requests reach further than "there is no such thing". */
  private void prepare(FuzzedValues values) throws IOException {
    for (int i = 0; i < TASKS; i++) {
      String id = task("task " + i);
      post("/tasks/" + id + "/run", "{\"goal\": \"g\", \"criteria\": [\"tests pass\"]}");
      send("PUT", "/tasks/" + id + "/plan", "{\"steps\": [\"one\", \"two\"]}");
      post("/tasks/" + id + "/checkpoints", "{\"name\": \"before-refactoring\"}");
      values.know(id);
    }
    post("/terminals", "{\"id\": \"coder-1\"}");
    post("/terminals/coder-1/inbox", "{\"message\": \"hello\"}");
    post("/workflows", WorkflowExamples.RELEASE);
    String started = "{\"variables\": {\"branch\": \"main\"}}";
    values.know(post("/workflows/release/executions", started).json().text("id"));
    String flow = "---\nname: nightly\nschedule: 0 3 * * *\nprofile: reviewer\n---\nReview.";
    post("/flows", JsonText.write(JsonObject.of("content", flow)));
    Path work = Files.createDirectories(folder.resolve("work/src"));
    Files.writeString(work.resolve("App.java"), "class App {}\n");
    values.know(rooms.workspace(work.getParent()).workspace().id());
    values.know("coder-1", "release", "nightly", "CODE", "src/App.java");
  }

  private void play(JsonObject document, Operation operation, FuzzedValues values) {
    String path = values.path(operation.path(), operation.json());
    JsonObject media =
        operation.json().object("requestBody").object("content").object("application/json");
    String body = media.isEmpty() ? "" : values.body(media);
    Map<String, String> headers = values.headers(operation.json());
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(60));
    } catch (IllegalArgumentException unwritable) {
      return;
    }
    request.header("Authorization", "Bearer " + person);
    if (!body.isEmpty()) request.header("Content-Type", "application/json");
    headers.forEach(request::header);
    String verb = operation.verb().toUpperCase(Locale.ROOT);
    request.method(verb, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    String shown = body.length() > 500 ? body.substring(0, 500) + "..." : body;
    String asked = verb + " " + path + " " + headers + " " + shown;
    Answer answer;
    try {
      answer = send(request.build());
    } catch (UncheckedIOException broken) {
      failures.add(before + "\nthen " + asked + "\n  -> " + broken.getMessage());
      return;
    }
    before = answer.status() + " " + asked;
    statuses.merge(Integer.toString(answer.status()), 1, Integer::sum);
    values.learn(answer);
    String wrong = wrong(document, operation, answer);
    if (wrong.isEmpty()) return;
    failures.add(asked + "\n  -> " + wrong);
  }

  /** What the document does not say of an answer; empty if it says all. */
  private static String wrong(JsonObject document, Operation operation, Answer answer) {
    String text = answer.status() + " " + answer.text();
    if (answer.status() == 500) return text;
    JsonObject responses = operation.json().object("responses");
    String status = Integer.toString(answer.status());
    boolean unavailable = answer.status() == 503 || answer.status() == 507;
    if (!responses.has(status) && !unavailable) return "not documented: " + text;
    JsonObject response = resolved(document, responses.object(unavailable ? "default" : status));
    String type = answer.header("Content-Type").split(";")[0];
    JsonObject media = response.object("content").object(type);
    if (media.isEmpty()) return "not of the documented type: " + type + " " + text;
    if (!type.endsWith("json") || type.endsWith("ndjson")) return "";
    try {
      Conformance.check("the answer", new Schema(media.object("schema")), answer.json());
      return "";
    } catch (RuntimeException unfit) {
      return unfit.getMessage() + ": " + text;
    }
  }

  private static JsonObject resolved(JsonObject document, JsonObject part) {
    String ref = part.textOrNull("$ref");
    if (ref == null) return part;
    JsonObject found = document;
    for (String name : ref.substring(2).split("/")) found = found.object(name);
    return found;
  }
}
