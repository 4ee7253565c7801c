package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The way out: one message a line, whole, written through at once; over when nobody reads. */
final class Wire {
  private final OutputStream out;
  private final Runnable whenGone;
  private boolean gone;

  Wire(OutputStream out, Runnable whenGone) {
    this.out = out;
    this.whenGone = whenGone;
  }

  void send(JsonObject message) {
    send(JsonText.write(message));
  }

  synchronized void send(String line) {
    if (gone) return;
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException nobody) {
      gone = true;
      whenGone.run();
    }
  }

  synchronized boolean isGone() {
    return gone;
  }
}
