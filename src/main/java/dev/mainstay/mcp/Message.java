package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One message of JSON-RPC: a request has an id and a method, a notice no id, an answer no method.
 */
record Message(@Nullable Object id, @Nullable String method, JsonObject params) {
  static final String VERSION = "2.0";

  /** The message in a text; anything that is none is an error without an id. */
  static Message read(String text) {
    if (text.stripLeading().startsWith("[")) {
      throw new WireError(
          WireError.INVALID_REQUEST, "batches are not taken; send each message alone", null);
    }
    JsonObject json;
    try {
      json = JsonText.object(text);
    } catch (Refusal unreadable) {
      throw new WireError(WireError.PARSE, "this is not JSON: " + unreadable.sentence(), null);
    }
    Object id = json.get("id");
    boolean known = id == null || id instanceof String || id instanceof Long;
    Object params = json.get("params");
    Object method = json.get("method");
    if (!VERSION.equals(json.get("jsonrpc"))
        || !(known || id instanceof BigDecimal)
        || (json.has("id") && id == null && method != null)
        || (method != null && !(method instanceof String))
        || (params != null && !(params instanceof JsonObject))) {
      throw new WireError(WireError.INVALID_REQUEST, "this is not a message of JSON-RPC 2.0", null);
    }
    return new Message(
        id, (String) method, params instanceof JsonObject given ? given : JsonObject.EMPTY);
  }

  boolean isRequest() {
    return id != null && method != null;
  }

  boolean isNotice() {
    return id == null && method != null;
  }

  /** The id of a request. */
  Object number() {
    return id == null ? "" : id;
  }

  /** What is said beside the request; empty where it is no object. */
  JsonObject meta() {
    return params.get("_meta") instanceof JsonObject meta ? meta : JsonObject.EMPTY;
  }

  /** The method of a request or notice. */
  String called() {
    return method == null ? "" : method;
  }

  static JsonObject result(Object id, JsonObject result) {
    return JsonObject.of("jsonrpc", VERSION, "id", id, "result", result);
  }

  static JsonObject error(@Nullable Object id, WireError error) {
    return JsonObject.of("jsonrpc", VERSION, "error", error.json()).withAny("id", id);
  }

  static JsonObject notice(String method, JsonObject params) {
    return JsonObject.of("jsonrpc", VERSION, "method", method, "params", params);
  }
}
