package dev.mainstay.rest;

import dev.mainstay.access.Caller;
import dev.mainstay.json.JsonText;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
  private final transient IntSupplier port;

  MountedDoor(Mounted door, Doorkeeper doorkeeper, Telemetry telemetry, IntSupplier port) {
    this.door = door;
    this.doorkeeper = doorkeeper;
    this.telemetry = telemetry;
    this.port = port;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.headers(response::setHeader);
    Telemetry.Watch watch = telemetry.watch(request, door);
    @Nullable String caller = null;
    @Nullable Throwable fault = null;
    try {
      doorkeeper.checkPlace(request, port.getAsInt());
      if (!door.open()) {
        Caller known = doorkeeper.bearer(request.getHeader("Authorization"));
        caller = known.actor().toString();
        request.setAttribute(Mounted.CALLER, known);
      }
      door.servlet().service(request, response);
    } catch (DoorRefusal refused) {
      write(response, Problem.of(refused));
    } catch (ServletException | RuntimeException | Error bug) {
      fault = bug;
      if (!response.isCommitted()) write(response, Problem.bug());
    } finally {
      watch.end(response.getStatus(), caller, fault);
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
