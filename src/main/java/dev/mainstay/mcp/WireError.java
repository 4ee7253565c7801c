package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/** An answer that is no result: a code of JSON-RPC or of MCP, and one sentence. */
final class WireError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final int PARSE = -32700;
  static final int INVALID_REQUEST = -32600;
  static final int METHOD_NOT_FOUND = -32601;
  static final int INVALID_PARAMS = -32602;
  static final int INTERNAL = -32603;
  static final int BUSY = -32000;

  /** Of the revisions with {@code initialize}; later ones say that the parameter is wrong. */
  static final int RESOURCE_NOT_FOUND = -32002;

  static final int HEADER_MISMATCH = -32020;
  static final int MISSING_CAPABILITY = -32021;
  static final int UNSUPPORTED_VERSION = -32022;

  private final int code;
  private final transient @Nullable JsonObject data;
  private final transient @Nullable Object request;

  WireError(int code, String sentence, @Nullable JsonObject data) {
    this(code, sentence, data, null);
  }

  private WireError(
      int code, String sentence, @Nullable JsonObject data, @Nullable Object request) {
    super(sentence, null, false, false);
    this.code = code;
    this.data = data;
    this.request = request;
  }

  /** This error as the answer to a message that could not be read, by the id found in it. */
  WireError answering(@Nullable Object id) {
    return new WireError(code, sentence(), data, id);
  }

  /** The id of the unreadable message that this answers, if one was found. */
  @Nullable Object request() {
    return request;
  }

  static WireError invalid(String sentence) {
    return new WireError(INVALID_PARAMS, sentence, null);
  }

  static WireError noSuchMethod(String method) {
    return new WireError(METHOD_NOT_FOUND, "there is no method \"" + method + "\"", null);
  }

  /** The client must be able to do something that it did not declare. */
  static WireError missing(String capability) {
    JsonObject needed = JsonObject.of(capability, JsonObject.EMPTY);
    return new WireError(
        MISSING_CAPABILITY,
        "this needs a client that declares the capability \"" + capability + "\"",
        JsonObject.of("requiredCapabilities", needed));
  }

  int code() {
    return code;
  }

  String sentence() {
    return String.valueOf(getMessage());
  }

  @Nullable JsonObject data() {
    return data;
  }

  WireError withCode(int other) {
    return new WireError(other, sentence(), data);
  }

  JsonObject json() {
    return JsonObject.of("code", code, "message", sentence(), "data", data);
  }
}
