package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Says what goes on as notices that belong to one request. */
final class CallLine implements Asking.Line {
  static final String PROGRESS = "notifications/progress";
  static final String LOG = "notifications/message";
  private static final String PROGRESS_TOKEN = "progressToken";

  private final Message request;
  private final Consumer<JsonObject> notices;
  private final Predicate<String> logged;
  private final BooleanSupplier cancelled;
  private final JsonObject capabilities;

  CallLine(
      Message request,
      Consumer<JsonObject> notices,
      Predicate<String> logged,
      BooleanSupplier cancelled,
      JsonObject capabilities) {
    this.request = request;
    this.notices = notices;
    this.logged = logged;
    this.cancelled = cancelled;
    this.capabilities = capabilities;
  }

  @Override
  public void progress(double done, @Nullable Double total, String message) {
    Object token = request.meta().get(PROGRESS_TOKEN);
    if (token == null) return;
    notices.accept(
        Message.notice(
            PROGRESS,
            JsonObject.of(PROGRESS_TOKEN, token, "progress", done)
                .with("total", total)
                .with("message", message)));
  }

  @Override
  public void log(String level, String text) {
    if (!logged.test(level)) return;
    notices.accept(
        Message.notice(LOG, JsonObject.of("level", level, "logger", "mainstay", "data", text)));
  }

  @Override
  public boolean clientCan(String capability) {
    return capabilities.has(capability);
  }

  @Override
  public boolean isCancelled() {
    return cancelled.getAsBoolean();
  }
}
