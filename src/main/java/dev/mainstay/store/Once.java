package dev.mainstay.store;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a write is known again: its key, a fingerprint of what was asked, and how its answer is kept.
 * Same key and same request gives the stored answer; same key and another request is a conflict.
 */
public record Once<T>(
    @Nullable String key,
    boolean repeatable,
    String fingerprint,
    Function<T, JsonObject> write,
    Function<JsonObject, T> read) {

  public static <T> Once<T> of(
      Call call,
      String useCase,
      JsonObject request,
      Function<T, JsonObject> write,
      Function<JsonObject, T> read) {
    String asked = call.key() == null ? "" : fingerprint(call, useCase, request);
    return known(call, asked, write, read);
  }

  /** The same for a request of which only the fingerprint was kept. */
  public static <T> Once<T> known(
      Call call, String fingerprint, Function<T, JsonObject> write, Function<JsonObject, T> read) {
    String word = call.key();
    // A key is its caller's own: nobody meets, or learns, what another asked under the same word.
    String key = word == null ? null : call.actor() + "\n" + word; // neither has a second line
    return new Once<>(key, false, fingerprint, write, read);
  }

  /** For writes of the system that are right however often they are repeated. */
  public static <T> Once<T> unkeyed() {
    return new Once<>(
        null,
        true,
        "",
        answer -> JsonObject.EMPTY,
        json -> {
          throw new IllegalStateException("an answer without a key was stored");
        });
  }

  private static String fingerprint(Call call, String useCase, JsonObject request) {
    return JournalEntry.sha256(useCase + " " + call.fence() + " " + JsonText.write(request));
  }
}
