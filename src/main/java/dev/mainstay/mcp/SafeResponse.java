package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * What the SDK answers, without what it should not say: the bodies of its errors carry a stack
 * trace, and its events an id that is the same for all and promises a resumption that there is not.
 */
final class SafeResponse extends HttpServletResponseWrapper {
  private static final int ERROR_STATUS_MIN = 400;
  private final StringWriter errors = new StringWriter();
  private @Nullable PrintWriter writer;

  SafeResponse(HttpServletResponse response) {
    super(response);
  }

  @Override
  public void sendError(int status) {
    setStatus(status);
  }

  @Override
  public void sendError(int status, String message) {
    setStatus(status);
  }

  @Override
  public synchronized PrintWriter getWriter() throws IOException {
    if (writer == null) writer = new Filter(super.getWriter());
    return writer;
  }

  private boolean isError() {
    return getStatus() >= ERROR_STATUS_MIN;
  }

  /** Says in our own words what the SDK's error was about. */
  void finish(@Nullable Object id) throws IOException {
    if (!isError() || isCommitted()) return;
    WireError error = new WireError(code(), sentence(), null);
    setContentType("application/json");
    setCharacterEncoding("UTF-8");
    PrintWriter out = super.getWriter();
    out.write(JsonText.write(Message.error(id, error)));
    out.flush();
  }

  private int code() {
    return getStatus() >= 500 ? WireError.INTERNAL : WireError.INVALID_REQUEST;
  }

  private String sentence() {
    switch (getStatus()) {
      case 404:
        return "there is no such session any more; begin one with initialize";
      case 503:
        return "the server is stopping";
      default:
        String said = said();
        return said != null && getStatus() < 500 ? said : "the request cannot be answered";
    }
  }

  private @Nullable String said() {
    try {
      JsonObject json = JsonText.object(errors.toString());
      return json.object("jsonRpcError").textOrNull("message");
    } catch (Refusal other) {
      return null;
    }
  }

  /** Lets through what may be said; each call of the SDK writes whole lines. */
  private final class Filter extends PrintWriter {
    Filter(PrintWriter to) {
      super(to);
    }

    @Override
    public void write(String text) {
      synchronized (lock) {
        if (isError() && !isCommitted()) errors.write(text);
        else if (!text.startsWith("id: ")) super.write(text);
      }
    }

    @Override
    public void flush() {
      if (!isError() || isCommitted()) super.flush();
    }
  }
}
