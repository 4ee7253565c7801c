package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way through the SDK, which keeps neither its number nor who brought it. The
 * connection is null where the SDK's own session is the connection.
 */
record Incoming(
    Message message,
    Origin origin,
    @Nullable Connection connection,
    @Nullable Consumer<JsonObject> notices) {
  /** Where it lies in the SDK's context and among the attributes of a request. */
  static final String KEY = "dev.mainstay.mcp.incoming";
}
