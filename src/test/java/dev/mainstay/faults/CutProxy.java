package dev.mainstay.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A network that can be cut without anybody being told: connections stay open, and nothing comes
 * through, not even that one side has left. Once healed, what was on its way arrives late.
 */
final class CutProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int serverPort;
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private final AtomicLong held = new AtomicLong();
  private boolean cut;

  CutProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** How often something was on its way when the network was cut. */
  long held() {
    return held.get();
  }

  synchronized void cut() {
    cut = true;
  }

  synchronized void heal() {
    cut = false;
    notifyAll();
  }

  private synchronized void pass(boolean counted) throws InterruptedException {
    if (cut && counted) held.incrementAndGet();
    while (cut) wait();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        daemon(() -> connect(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client) {
    open.add(client);
    try {
      pass(false);
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      open.add(server);
      daemon(() -> pump(server, client));
      pump(client, server);
    } catch (IOException | InterruptedException gone) {
      close(client);
    }
  }

  private void pump(Socket from, Socket to) {
    try {
      byte[] buffer = new byte[64 * 1024];
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n; (n = in.read(buffer)) > 0; ) {
        pass(true);
        out.write(buffer, 0, n);
        out.flush();
      }
      pass(false); // that somebody left is told no sooner than what he said
    } catch (IOException | InterruptedException gone) {
      return;
    } finally {
      close(from);
      close(to);
      open.remove(from);
      open.remove(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException closed) {
      return;
    }
  }

  private static void daemon(Runnable run) {
    Thread thread = new Thread(run, "cut-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    heal();
    for (Socket each : open) each.close();
  }
}
