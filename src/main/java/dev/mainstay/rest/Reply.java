package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskJson;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a route answers, before it is written. */
record Reply(int status, String mediaType, Object body, Map<String, String> headers) {
  private static final String CHARSET = "; charset=utf-8";
  private static final Set<String> TEXTS_BESIDE = Set.of("application/xml", "application/x-ndjson");

  /** All text is UTF-8, and its media type says so; JSON is UTF-8 by definition. */
  Reply {
    if (mediaType.startsWith("text/") || TEXTS_BESIDE.contains(mediaType)) {
      if (!mediaType.contains(CHARSET)) mediaType += CHARSET;
    }
  }

  /**
   * A body that is written while it is read. It may refuse for as long as nothing was written, and
   * what it needs it gives back before it returns.
   */
  @FunctionalInterface
  interface Sending {
    void to(Context http);
  }

  /** A JSON object or list, or the bytes of one. */
  static Reply ok(Object json) {
    return new Reply(200, Route.JSON, json, Map.of());
  }

  static Reply text(String mediaType, String text) {
    return new Reply(200, mediaType, text, Map.of());
  }

  /** A task with its version as its tag. */
  static Reply task(Task task) {
    return ok(TaskJson.write(task)).with("ETag", "\"" + task.stamps().version() + "\"");
  }

  /** A part of a list, and where the next part begins, if there is one. */
  static Reply page(Request request, List<?> items, @Nullable String next) {
    Reply reply = ok(JsonObject.of("items", items).withAny("next", next));
    if (next == null) return reply;
    return reply.with("Link", "<" + request.withCursor(next) + ">; rel=\"next\"");
  }

  Reply with(JsonObject other) {
    return new Reply(status, mediaType, other, headers);
  }

  Reply status(int other) {
    return new Reply(other, mediaType, body, headers);
  }

  Reply with(String header, String value) {
    Map<String, String> all = new TreeMap<>(headers);
    all.put(header, value);
    return new Reply(status, mediaType, body, Map.copyOf(all));
  }
}
