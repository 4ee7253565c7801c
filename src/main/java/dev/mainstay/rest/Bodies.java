package dev.mainstay.rest;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of requests. Each has a deadline that grows with what has arrived, so that a
 * sender is as fast as {@link ServerLimits} asks; what is not small is counted, in all and by
 * caller, so that no caller uses up the memory or the places of the others.
 */
final class Bodies {
  /** A body up to this size needs no place of its caller. */
  static final int UNCOUNTED_BYTES_MAX = 16 * 1024;

  /** A body beyond this size is understood in turn. */
  static final int SMALL_BYTES_MAX = 256 * 1024;

  static final int SMALL_MAX = 64;
  static final int SMALL_BY_CALLER_MAX = 16;

  /** How many large bodies are read at once; each is up to 4 MiB. */
  static final int LARGE_MAX = 8;

  static final int LARGE_BY_CALLER_MAX = 2;
  static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Doubled until it holds the body, so that both sizes above are met exactly. */
  private static final int FIRST_BYTES = 4 * 1024;

  private static final Pattern CHARSET =
      Pattern.compile(";\\s*charset\\s*=\\s*\"?([^\";\\s]*)", Pattern.CASE_INSENSITIVE);
  private static final String BUSY = "too many large requests are being read; try again later";

  private final ServerLimits limits;
  private final Places small = new Places(SMALL_MAX, SMALL_BY_CALLER_MAX, BUSY);
  private final Places large = new Places(LARGE_MAX, LARGE_BY_CALLER_MAX, BUSY);

  Bodies(ServerLimits limits) {
    this.limits = limits;
  }

  /** How many large bodies are being read now. */
  int largeOnes() {
    return large.taken();
  }

  /** The bytes of a body; closing it frees its place, and drops nothing. */
  static final class Body implements AutoCloseable {
    private byte[] bytes = {};
    private Places.@Nullable Place place;

    byte[] bytes() {
      return bytes;
    }

    boolean isLarge() {
      return bytes.length > SMALL_BYTES_MAX;
    }

    private void hold(Places.Place other) {
      close();
      place = other;
    }

    @Override
    public void close() {
      Places.Place taken = place;
      place = null;
      if (taken != null) taken.close();
    }
  }

  /**
   * Reads a body, or its first {@code bytesMax} + 1 bytes if it is longer.
   *
   * @param caller whose places it counts for
   * @throws DoorRefusal if it arrives too slowly, if it is encoded, or if too many are being read
   * @throws IOException if its sender broke it off
   */
  Body read(HttpServletRequest http, String caller, int bytesMax) throws IOException {
    refuseEncoded(http);
    Body body = new Body();
    try {
      body.bytes = arrived(http, caller, bytesMax, body);
      return body;
    } catch (IOException | RuntimeException failed) {
      body.close();
      throw failed;
    }
  }

  /**
   * Reads and drops what an answer left unread, for a while. Closed at once, the connection would
   * be reset, and a client that still sends would lose the answer.
   */
  void drain(HttpServletRequest http) {
    // A client that waits to be asked for its body sends none.
    if (http.getHeader("Expect") != null) return;
    EndPoint endPoint = endPoint(http);
    long idleMillis = endPoint.getIdleTimeout();
    byte[] piece = new byte[FIRST_BYTES];
    long end = System.nanoTime() + limits.body().toNanos();
    try {
      InputStream in = http.getInputStream();
      int got = 0;
      for (long length = 0; got >= 0 && length <= Request.BODY_BYTES_MAX; length += got) {
        got = read(in, piece, 0, Duration.ofNanos(end - System.nanoTime()), endPoint);
      }
    } catch (IOException | DoorRefusal slow) {
      return; // it has had its time
    } finally {
      endPoint.setIdleTimeout(idleMillis);
    }
  }

  private byte[] arrived(HttpServletRequest http, String caller, int bytesMax, Body body)
      throws IOException {
    EndPoint endPoint = endPoint(http);
    long idleMillis = endPoint.getIdleTimeout();
    InputStream in = http.getInputStream();
    byte[] bytes = new byte[FIRST_BYTES];
    int length = 0;
    long begun = System.nanoTime();
    try {
      while (length <= bytesMax && length != http.getContentLengthLong()) {
        Duration left = limits.allowed(length).minusNanos(System.nanoTime() - begun);
        int got = read(in, bytes, length, left, endPoint);
        if (got < 0) break;
        length += got;
        if (length < bytes.length) continue;
        long full = System.nanoTime();
        takePlace(length, caller, body);
        begun += System.nanoTime() - full; // the sender is not to blame for this wait
        bytes = Arrays.copyOf(bytes, Math.min(2 * length, bytesMax + 1));
        if (length == bytes.length) break;
      }
    } finally {
      endPoint.setIdleTimeout(idleMillis);
    }
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }

  private static int read(InputStream in, byte[] into, int from, Duration left, EndPoint endPoint)
      throws IOException {
    long millis = left.toMillis();
    if (millis <= 0) throw DoorRefusal.tooSlow();
    // Setting it costs a timer, and most bodies arrive together with their heads.
    if (in.available() == 0 && millis < endPoint.getIdleTimeout()) endPoint.setIdleTimeout(millis);
    long begun = System.nanoTime();
    try {
      return in.read(into, from, into.length - from);
    } catch (IOException fault) {
      if (!isTimeout(fault)) throw fault;
      // A server that stops shortens all timeouts; until the deadline the body may still come.
      long waited = (System.nanoTime() - begun) / 1_000_000;
      if (waited > 0 && waited < millis) return 0;
      throw DoorRefusal.tooSlow();
    }
  }

  private static boolean isTimeout(Throwable fault) {
    for (Throwable each = fault; each != null; each = each.getCause()) {
      if (each instanceof TimeoutException) return true;
    }
    return false;
  }

  /** A body that grows beyond a size needs another place, and gives back the one it had. */
  private void takePlace(int length, String caller, Body body) {
    if (length == UNCOUNTED_BYTES_MAX) body.hold(small.take(caller, PATIENCE));
    if (length == SMALL_BYTES_MAX) body.hold(large.take(caller, PATIENCE));
  }

  private static EndPoint endPoint(HttpServletRequest http) {
    return ServletContextRequest.getServletContextRequest(http)
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint();
  }

  /** What would be read as something else than it is must be refused, not guessed. */
  private static void refuseEncoded(HttpServletRequest http) {
    String encoding = http.getHeader("Content-Encoding");
    if (encoding != null && !encoding.strip().equalsIgnoreCase("identity")) {
      throw DoorRefusal.unsupported("send the body without Content-Encoding");
    }
    String type = http.getContentType();
    Matcher charset = CHARSET.matcher(type == null ? "" : type);
    if (charset.find() && !charset.group(1).equalsIgnoreCase("utf-8")) {
      throw DoorRefusal.unsupported("send the body as UTF-8; leave out the charset or name utf-8");
    }
  }
}
