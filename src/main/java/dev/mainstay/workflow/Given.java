package dev.mainstay.workflow;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.Text;

/** What callers give, without secrets and within limits. */
final class Given {
  static final int DATA_CHARS_MAX = 262_144;

  private Given() {}

  static JsonObject data(String what, JsonObject given) {
    JsonObject kept = Redactor.DEFAULT.redactObject(given);
    Text.body(what, kept.toString(), DATA_CHARS_MAX);
    return JsonObject.shallow(what, kept);
  }

  static String reason(String given) {
    String why =
        Text.body("a reason", Redactor.DEFAULT.redact(given), Task.REASON_CHARS_MAX).strip();
    return why.isEmpty() ? "no reason was given" : why;
  }

  static void limit(int limit, int max) {
    if (limit < 1 || limit > max) {
      throw Refusal.invalid(Phrase.of("a limit lies between 1 and %,d", max));
    }
  }

  /** What only people decide. */
  static void byPerson(Call call, String what) {
    Actor actor = call.actor();
    if (!actor.isAgent()) return;
    throw Refusal.conflict(Phrase.of("%s is an agent; only a person %s", actor.name(), what))
        .reserved();
  }
}
