package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.domain.Phrase;
import org.jspecify.annotations.Nullable;

/** A "no" of the door itself: the request never reached a use case. */
final class DoorRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final transient @Nullable Caller agent;

  private DoorRefusal(int status, String code, String sentence) {
    this(status, code, sentence, null);
  }

  private DoorRefusal(int status, String code, String sentence, @Nullable Caller agent) {
    super(sentence, null, false, false); // nothing is broken, so nobody needs the stack
    this.status = status;
    this.code = code;
    this.agent = agent;
  }

  /** Who asked for something that is for persons alone; null if it is about something else. */
  @Nullable Caller agent() {
    return agent;
  }

  /** A route or a field that this caller may not use. */
  static DoorRefusal forbiddenTo(Caller caller, String sentence) {
    return new DoorRefusal(403, "forbidden", sentence, caller);
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  static DoorRefusal unauthorized(String sentence) {
    return new DoorRefusal(401, "unauthorized", sentence);
  }

  static DoorRefusal forbidden(String sentence) {
    return new DoorRefusal(403, "forbidden", sentence);
  }

  static DoorRefusal noSuchPath(String path) {
    return new DoorRefusal(
        404, "not_found", Phrase.of("there is nothing at %s; /openapi.json lists what is", path));
  }

  static DoorRefusal method(String verb, String path) {
    return new DoorRefusal(
        405,
        "method_not_allowed",
        Phrase.of("%s does not take %s; /openapi.json says what it takes", path, verb));
  }

  static DoorRefusal changed(String sentence) {
    return new DoorRefusal(412, "precondition_failed", sentence);
  }

  static DoorRefusal notJson() {
    return unsupported("send JSON, with Content-Type: application/json");
  }

  static DoorRefusal unsupported(String sentence) {
    return new DoorRefusal(415, "unsupported_media_type", sentence);
  }

  static DoorRefusal tooSlow() {
    return new DoorRefusal(
        408, "request_timeout", "the body arrived too slowly; send it again, or in smaller parts");
  }

  static DoorRefusal busy(String sentence) {
    return new DoorRefusal(503, "busy", sentence);
  }
}
