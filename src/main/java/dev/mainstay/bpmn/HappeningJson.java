package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Happening.Arrived;
import dev.mainstay.bpmn.Happening.Begin;
import dev.mainstay.bpmn.Happening.Done;
import dev.mainstay.bpmn.Happening.Due;
import dev.mainstay.bpmn.Happening.Failed;
import dev.mainstay.bpmn.Happening.Retry;
import dev.mainstay.bpmn.Happening.Skip;
import dev.mainstay.domain.JsonObject;
import org.jspecify.annotations.Nullable;

/** Happenings as JSON and back. */
final class HappeningJson {
  private HappeningJson() {}

  static JsonObject write(Happening happening) {
    if (happening instanceof Begin begin) {
      return of("begin", null).with("start", begin.start()).with("data", begin.variables());
    }
    if (happening instanceof Done done) return of("done", done.token()).with("data", done.result());
    if (happening instanceof Failed failed) {
      return of("failed", failed.token()).with("error", failed.error());
    }
    if (happening instanceof Due due) return of("due", due.token());
    if (happening instanceof Arrived arrived) {
      return of("arrived", arrived.token()).with("data", arrived.content());
    }
    if (happening instanceof Retry retry) {
      return of("retry", retry.token()).with("data", retry.variables());
    }
    Skip skip = (Skip) happening;
    return of("skip", skip.token()).with("data", skip.result());
  }

  private static JsonObject of(String what, @Nullable String token) {
    return JsonObject.of("what", what, "token", token);
  }

  static Happening read(JsonObject json) {
    JsonObject data = json.object("data");
    String what = json.text("what");
    return switch (what) {
      case "begin" -> new Begin(json.textOrNull("start"), data);
      case "done" -> new Done(json.text("token"), data);
      case "failed" -> new Failed(json.text("token"), json.text("error"));
      case "due" -> new Due(json.text("token"));
      case "arrived" -> new Arrived(json.text("token"), data);
      case "retry" -> new Retry(json.text("token"), data);
      case "skip" -> new Skip(json.text("token"), data);
      default -> throw new IllegalStateException("no happening: " + what);
    };
  }
}
