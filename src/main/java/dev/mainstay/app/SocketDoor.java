package dev.mainstay.app;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Unix socket on which launchers ask for their requests: as much HTTP as curl needs for {@code
 * GET /NAME}, one to a connection. What is asked lies in the spool and not in the connection.
 */
final class SocketDoor implements AutoCloseable {
  private static final int HEAD_BYTES_MAX = 4096;
  private static final int CONNECTIONS_MAX = 64;
  private static final int BACKLOG_MAX = 128;
  private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(5);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
  private static final Pattern ASKED = Pattern.compile("GET /([0-9A-Za-z-]{1,80}) HTTP/1\\.[01]");

  private final ServerSocketChannel server;
  private final Desk desk;
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor clock;

  private SocketDoor(ServerSocketChannel server, Desk desk) {
    this.server = server;
    this.desk = desk;
    this.threads =
        new ThreadPoolExecutor(
            1,
            CONNECTIONS_MAX + 1,
            1,
            TimeUnit.MINUTES,
            new SynchronousQueue<>(),
            SocketDoor::named);
    this.clock = new ScheduledThreadPoolExecutor(1, SocketDoor::named);
    clock.setRemoveOnCancelPolicy(true);
  }

  private static Thread named(Runnable work) {
    Thread thread = new Thread(work, "mainstay-socket-door");
    thread.setDaemon(true);
    return thread;
  }

  /** Listens at the path, where nobody else may listen; what lies there is a dead owner's. */
  static SocketDoor open(Path path, Desk desk) throws IOException {
    Files.deleteIfExists(path);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(path), BACKLOG_MAX);
      // The folder is closed to others, so nobody came in between.
      Files.setPosixFilePermissions(
          path, Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
      SocketDoor door = new SocketDoor(server, desk);
      door.threads.execute(door::accept);
      return door;
    } catch (IOException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  boolean isOpen() {
    return server.isOpen();
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        try {
          threads.execute(() -> serve(client));
        } catch (RejectedExecutionException full) {
          client.close(); // the launcher does without us
        }
      } catch (IOException closed) {
        if (!server.isOpen()) return;
      }
    }
  }

  private void serve(SocketChannel client) {
    var limit =
        clock.schedule(() -> close(client), CONNECTION_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    try (client) {
      Optional<String> name = read(client).flatMap(SocketDoor::asked);
      if (name.isEmpty()) {
        write(client, "400 Bad Request", new byte[0]);
        return;
      }
      byte[] answer = desk.answer(name.get());
      write(client, "200 OK", answer);
      desk.delivered(name.get(), answer);
    } catch (IOException gone) {
      // The launcher gave up waiting; its request is performed all the same, or waits.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      limit.cancel(false);
    }
  }

  private static Optional<String> asked(String head) {
    Matcher matcher = ASKED.matcher(head.substring(0, Math.max(0, head.indexOf("\r\n"))));
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** The head of the request, with the empty line that ends it. */
  private static Optional<String> read(SocketChannel client) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES_MAX);
    while (bytes.hasRemaining() && client.read(bytes) >= 0) {
      String head = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
      if (head.endsWith("\r\n\r\n")) return Optional.of(head);
    }
    return Optional.empty();
  }

  private static void write(SocketChannel client, String status, byte[] body) throws IOException {
    String head =
        "HTTP/1.1 "
            + status
            + "\r\nContent-Length: "
            + body.length
            + "\r\nConnection: close\r\n\r\n";
    ByteBuffer all = ByteBuffer.allocate(head.length() + body.length);
    all.put(head.getBytes(StandardCharsets.ISO_8859_1)).put(body).flip();
    while (all.hasRemaining()) client.write(all);
  }

  private static void close(SocketChannel client) {
    try {
      client.close();
    } catch (IOException alreadyGone) {
      // That is what was wanted.
    }
  }

  /** Takes no more callers, and lets those who are here have their answer. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException gone) {
      // Nobody is listening, as wanted.
    }
    threads.shutdown();
    try {
      threads.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
    clock.shutdownNow();
  }
}
