package dev.mainstay.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients that stall, a third in each way: the head of a request half sent, its body half sent, and
 * answers that are asked for and not read until the server has nowhere to put them. A client whose
 * half request the server gave up sends it again at once, on another connection.
 */
final class StalledCrowd implements AutoCloseable {
  private static final int WAYS = 3;
  private static final int LOOK_MILLIS = 1;

  /** So little that one answer does not fit; Linux doubles it. */
  private static final int HEARD_BYTES = 4 * 1024;

  /** More than the server's side of a connection holds on to. */
  private static final int ANSWERS = 100;

  private final int port;
  private final List<Half> halves = new ArrayList<>();
  private final List<Socket> answers = new ArrayList<>();
  private volatile boolean over;

  /** Half a request, and the connection it was sent on last. */
  private static final class Half {
    final String sent;
    Socket socket;

    Half(String sent, Socket socket) {
      this.sent = sent;
      this.socket = socket;
    }
  }

  StalledCrowd(int port, String token, int clients) throws IOException {
    this.port = port;
    String host = "Host: 127.0.0.1:" + port + "\r\nAuthorization: Bearer " + token + "\r\n";
    String head = "POST /tasks HTTP/1.1\r\n" + host;
    String body =
        head + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"title\": ";
    String asked = ("GET /openapi.json HTTP/1.1\r\n" + host + "\r\n").repeat(ANSWERS);
    for (int i = 0; i < clients; i++) {
      switch (i % WAYS) {
        case 0 -> halves.add(new Half(head, stall(port, head)));
        case 1 -> halves.add(new Half(body, stall(port, body)));
        default -> answers.add(stall(port, asked));
      }
    }
    Thread again = new Thread(this::sendAgain, "stalled");
    again.setDaemon(true);
    again.start();
  }

  private void sendAgain() {
    try {
      while (!over) renew();
    } catch (IOException ended) {
      // Then stillStalled tells that fewer are left.
    }
  }

  private synchronized void renew() throws IOException {
    for (Half each : halves) {
      if (over || isSilent(each.socket)) continue;
      each.socket.close();
      each.socket = stall(port, each.sent);
    }
  }

  private static Socket stall(int port, String sent) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(HEARD_BYTES);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(LOOK_MILLIS);
    socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** How many the server still has: not answered where half was sent, not read to the end else. */
  synchronized int stillStalled() throws IOException {
    renew();
    int stalled = 0;
    for (Half each : halves) if (isSilent(each.socket)) stalled++;
    for (Socket each : answers) if (each.getInputStream().available() > 0) stalled++;
    return stalled;
  }

  private static boolean isSilent(Socket socket) {
    try {
      socket.getInputStream().read();
      return false; // it was answered, or the connection ended
    } catch (SocketTimeoutException silent) {
      return true;
    } catch (IOException reset) {
      return false;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    over = true;
    for (Half each : halves) each.socket.close();
    for (Socket each : answers) each.close();
  }
}
