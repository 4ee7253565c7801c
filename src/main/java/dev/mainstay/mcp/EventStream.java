package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The answer to one request that stands for itself: plain JSON, unless something is to be said
 * before it; then events, which have no ids because none can be asked for again.
 */
final class EventStream {
  private final HttpServletResponse response;
  private boolean open;
  private volatile boolean gone;

  EventStream(HttpServletResponse response) {
    this.response = response;
  }

  /** Whether nobody reads any more, which is how such a request is called off. */
  boolean isGone() {
    return gone;
  }

  synchronized void send(JsonObject message) {
    if (gone) return;
    if (!open) begin();
    write("event: message\ndata: " + JsonText.write(message) + "\n\n");
  }

  synchronized void beat() {
    if (open && !gone) write(":\n\n");
  }

  /** The answer itself, and with it the end. */
  synchronized void finish(int status, JsonObject answer) {
    if (open) {
      send(answer);
      return;
    }
    response.setStatus(status);
    response.setContentType("application/json");
    write(JsonText.write(answer));
  }

  private void begin() {
    open = true;
    response.setStatus(HttpServletResponse.SC_OK);
    response.setContentType("text/event-stream");
    response.setHeader("X-Accel-Buffering", "no");
  }

  private void write(String text) {
    try {
      response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      response.getOutputStream().flush();
    } catch (IOException left) {
      gone = true;
    }
  }
}
