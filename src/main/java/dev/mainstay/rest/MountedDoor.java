package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Bodies.Body;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Stands before a mounted door: lets in whom the doorkeeper lets in, and no fault out. */
final class MountedDoor extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Mounted door;
  private final transient Doorkeeper doorkeeper;
  private final transient Telemetry telemetry;
  private final transient Place place;

  /** Where the server listens, and how it reads bodies. */
  record Place(IntSupplier port, Bodies bodies) {}

  MountedDoor(Mounted door, Doorkeeper doorkeeper, Telemetry telemetry, Place place) {
    this.door = door;
    this.doorkeeper = doorkeeper;
    this.telemetry = telemetry;
    this.place = place;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.headers(response::setHeader);
    Telemetry.Watch watch = telemetry.watch(request, door);
    @Nullable String caller = null;
    String holder = "";
    @Nullable Throwable fault = null;
    try {
      doorkeeper.checkPlace(request, place.port().getAsInt());
      if (!door.open()) {
        Caller known = doorkeeper.bearer(request.getHeader("Authorization"));
        caller = known.actor().toString();
        holder = known.credential();
        request.setAttribute(Mounted.CALLER, known);
      }
      serve(request, response, holder);
    } catch (DoorRefusal refused) {
      boolean unread = Answers.isUnread(request);
      if (unread) response.setHeader("Connection", "close");
      write(response, Problem.of(refused));
      if (unread) {
        response.flushBuffer();
        place.bodies().drain(request);
      }
    } catch (ServletException | RuntimeException | Error bug) {
      fault = bug;
      if (!response.isCommitted()) write(response, Problem.bug());
    } finally {
      watch.end(response.getStatus(), caller, fault);
    }
  }

  /** The body is read before, so that its deadline and its places hold for every door. */
  private void serve(HttpServletRequest request, HttpServletResponse response, String holder)
      throws IOException, ServletException {
    if (door.open()) { // gives files alone
      door.servlet().service(request, response);
      return;
    }
    try (Body body = place.bodies().read(request, holder, Request.BODY_BYTES_MAX)) {
      if (body.bytes().length <= Request.BODY_BYTES_MAX) Answers.noteRead(request);
      door.servlet().service(new ReadRequest(request, body.bytes()), response);
    }
  }

  /** A request whose body was read from the connection. */
  private static final class ReadRequest extends HttpServletRequestWrapper {
    private final ByteArrayInputStream body;

    ReadRequest(HttpServletRequest request, byte[] body) {
      super(request);
      this.body = new ByteArrayInputStream(body);
    }

    @Override
    public ServletInputStream getInputStream() {
      return new ServletInputStream() {
        @Override
        public int read() {
          return body.read();
        }

        @Override
        public int read(byte[] into, int from, int length) {
          return body.read(into, from, length);
        }

        @Override
        public boolean isFinished() {
          return body.available() == 0;
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
          throw new IllegalStateException("the body is read already");
        }
      };
    }
  }

  private void write(HttpServletResponse response, Problem problem) throws IOException {
    if (problem.status() == 401) response.setHeader("WWW-Authenticate", Answers.CHALLENGE);
    response.setStatus(problem.status());
    response.setContentType(Problem.MEDIA_TYPE);
    String text = JsonText.write(problem.toJson(door.path()));
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }
}
