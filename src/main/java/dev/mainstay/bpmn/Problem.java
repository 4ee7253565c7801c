package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;

/**
 * Something about a process that whoever drew it should know.
 *
 * @param element the id it is about
 * @param advice what to do about it
 * @param isFatal whether the process cannot be run like this
 */
public record Problem(String element, String what, String advice, boolean isFatal) {
  public JsonObject toJson() {
    return JsonObject.of("element", element, "problem", what, "advice", advice, "fatal", isFatal);
  }

  @Override
  public String toString() {
    return element + ": " + what + "; " + advice;
  }
}
