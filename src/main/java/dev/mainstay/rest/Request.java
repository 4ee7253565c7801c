package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Bodies.Body;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One request, as far as a handler needs it. */
final class Request implements AutoCloseable {
  static final int BODY_BYTES_MAX = JsonText.DOCUMENT_BYTES_MAX;

  private static final long HEARD_BYTES_MAX = 4L * BODY_BYTES_MAX;
  static final int PAGE_ITEMS = 50;
  static final int PAGE_ITEMS_MAX = 1_000;
  static final String SOURCE = "rest";
  private static final Pattern TAG = Pattern.compile("\"(\\d{1,18})\"");
  private static final String NUMBER = "\\d{1,9}";

  private final Context http;
  private final Route route;
  private final Function<String, TaskId> tasks;
  private final @Nullable Caller caller;
  private final Desk desk;
  private @Nullable JsonObject body;
  private Places.@Nullable Place turn;

  /** What all requests of a server share: where bodies are read, and turns for large ones. */
  record Desk(Bodies bodies, Places turns) {
    /** A body of 4 MiB is some 30 MB in memory until it is understood. */
    static final int LARGE_MAX = 2;

    Desk(ServerLimits limits) {
      this(
          new Bodies(limits),
          new Places(LARGE_MAX, 1, "too many large requests are being answered; try again later"));
    }
  }

  Request(
      Context http,
      Route route,
      @Nullable Caller caller,
      Desk desk,
      Function<String, TaskId> tasks) {
    this.http = http;
    this.tasks = tasks;
    this.route = route;
    this.caller = caller;
    this.desk = desk;
  }

  /** Waits for its turn with what is large, and has it until the request is answered. */
  void takeTurn() {
    if (turn == null) turn = desk.turns().take(holder(), Bodies.PATIENCE);
  }

  @Override
  public void close() {
    Places.Place taken = turn;
    turn = null;
    if (taken != null) taken.close();
  }

  Context http() {
    return http;
  }

  /** Who asks; routes that are open to everybody do not say. */
  Caller caller() {
    if (caller == null) throw new IllegalStateException(route.target() + " knows no caller");
    return caller;
  }

  /** The use case's view of this request: who, by which door, under which key and fence. */
  Call call() {
    return Call.by(caller().actor(), SOURCE)
        .withKey(http.header("Idempotency-Key"))
        .withFence(fence());
  }

  private @Nullable Long fence() {
    String given = http.header("Mainstay-Fence");
    if (given == null) return null;
    if (given.matches("\\d{1,18}")) return Long.valueOf(given);
    throw Refusal.invalid("Mainstay-Fence is the number that came with the claim");
  }

  /** The version that is to be changed, if the caller named one. */
  @Nullable Long expectedVersion() {
    String given = http.header("If-Match");
    if (given == null || given.equals("*")) return null;
    Matcher tag = TAG.matcher(given.strip());
    if (tag.matches()) return Long.valueOf(tag.group(1));
    throw DoorRefusal.changed(
        "If-Match takes one ETag as it was given, such as \"3\"; read the record again");
  }

  TaskId task() {
    return task(path("id"));
  }

  /** The task that is named by its id or by its alias. */
  TaskId task(String named) {
    return tasks.apply(named);
  }

  String path(String name) {
    return http.pathParam(name);
  }

  /** A number from 1 in the path, as a place from 0. */
  int place(String name) {
    String given = path(name);
    if (!given.matches(NUMBER) || Integer.parseInt(given) < 1) {
      throw Refusal.invalid(Phrase.of("\"%s\" is no number from 1", given));
    }
    return Integer.parseInt(given) - 1;
  }

  @Nullable String query(String name) {
    String given = http.queryParam(name);
    return given == null || given.isEmpty() ? null : given;
  }

  @Nullable Integer queryNumber(String name) {
    String given = query(name);
    if (given == null) return null;
    if (given.matches(NUMBER)) return Integer.valueOf(given);
    throw Refusal.invalid(
        Phrase.of("invalid %s \"%s\": expected a whole number from 0 on", name, given));
  }

  /** Whether a word behind the question mark is there and does not say false. */
  boolean isAsked(String name) {
    String given = http.queryParam(name);
    return given != null && !given.equals("false") && !given.equals("0");
  }

  int limit() {
    Integer given = queryNumber("limit");
    int limit = given == null ? PAGE_ITEMS : given;
    if (limit >= 1 && limit <= PAGE_ITEMS_MAX) return limit;
    throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", PAGE_ITEMS_MAX));
  }

  /** This request's address with another cursor. */
  String withCursor(String cursor) {
    List<String> parts = new ArrayList<>();
    http.queryParamMap()
        .forEach(
            (name, values) -> {
              if (!name.equals("cursor")) parts.add(encoded(name) + "=" + encoded(values.get(0)));
            });
    parts.add("cursor=" + encoded(cursor));
    return http.path() + "?" + String.join("&", parts);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The body, held against the route's schema. A route that needs no field may do without one. */
  JsonObject body() {
    JsonObject known = body;
    if (known == null) body = known = read(); // what was read is gone from the connection
    return known;
  }

  /** Refuses a body that the route does not read, unless it is empty or has no fields. */
  void refuseUnusedBody() {
    if (route.taking().body() != null || !route.isWrite()) return;
    if (Answers.hasBody(http.req()) && !List.of("", "{}").contains(text(bytes()).strip())) {
      throw Refusal.invalid(Phrase.of("%s takes no body; leave it out", route.target()));
    }
  }

  private JsonObject read() {
    Schema schema = route.taking().body();
    if (schema == null) throw new IllegalStateException(route.target() + " takes no body");
    byte[] bytes = bytes();
    if (bytes.length > 0) requireJson();
    JsonObject given = bytes.length == 0 ? JsonObject.EMPTY : JsonText.object(text(bytes));
    Conformance.check("the body", schema, given);
    return given;
  }

  /** The terminal that the body names, as "terminal" or as "terminal_id". */
  @Nullable String terminal() {
    String given = body().textOrNull("terminal");
    String id = body().textOrNull("terminal_id");
    if (given != null && id != null && !given.equals(id)) {
      throw Refusal.invalid("\"terminal\" and \"terminal_id\" differ; name one terminal");
    }
    return given == null ? id : given;
  }

  private void requireJson() {
    String type = http.contentType();
    String plain = type == null ? "" : type.split(";")[0].strip().toLowerCase(Locale.ROOT);
    if (!plain.equals(Route.JSON)) throw DoorRefusal.notJson();
  }

  private byte[] bytes() {
    // One that is far too large is not awaited; of another the sender would not see the answer.
    if (http.req().getContentLengthLong() > HEARD_BYTES_MAX) throw tooLarge();
    try (Body arrived = desk.bodies().read(http.req(), holder(), BODY_BYTES_MAX)) {
      if (arrived.bytes().length > BODY_BYTES_MAX) throw tooLarge();
      Answers.noteRead(http.req());
      if (arrived.isLarge()) takeTurn();
      return arrived.bytes();
    } catch (IOException fault) {
      throw Refusal.invalid("the body did not arrive whole; send it again");
    }
  }

  private String holder() {
    return caller == null ? "" : caller.credential();
  }

  private static Refusal tooLarge() {
    return Refusal.tooLarge("the body is larger than 4 MiB; send less at once");
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      throw Refusal.invalid("the body is not valid UTF-8");
    }
  }
}
