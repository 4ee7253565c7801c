package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One message of JSON-RPC: a request has an id and a method, a notice no id, an answer no method.
 */
record Message(@Nullable Object id, @Nullable String method, JsonObject params) {
  static final String VERSION = "2.0";

  /** The message in a line or body; the error for anything else carries the id found in it. */
  static Message read(byte[] bytes) {
    String text = decoded(bytes);
    if (text.stripLeading().startsWith("[")) {
      throw new WireError(
          WireError.INVALID_REQUEST, "batches are not taken; send each message alone", null);
    }
    JsonObject json;
    try {
      json = JsonText.object(text);
    } catch (Refusal unreadable) {
      throw new WireError(WireError.PARSE, "this is not JSON: " + unreadable.sentence(), null)
          .answering(RequestId.in(bytes));
    }
    Object id = RequestId.valid(json.get("id"));
    Object params = json.get("params");
    Object method = json.get("method");
    if (id == null && json.has("id") && (json.get("id") != null || method != null)) {
      throw new WireError(
          WireError.INVALID_REQUEST,
          "the id of a request is a string or an integer of 64 bits; send one of these",
          null);
    }
    if (!VERSION.equals(json.get("jsonrpc"))
        || (method != null && !(method instanceof String))
        || (params != null && !(params instanceof JsonObject))) {
      throw new WireError(WireError.INVALID_REQUEST, "this is not a message of JSON-RPC 2.0", null)
          .answering(id);
    }
    return new Message(
        id, (String) method, params instanceof JsonObject given ? given : JsonObject.EMPTY);
  }

  private static String decoded(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException broken) {
      throw new WireError(WireError.PARSE, "the message is not valid UTF-8; send it in UTF-8", null)
          .answering(RequestId.in(bytes));
    }
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
