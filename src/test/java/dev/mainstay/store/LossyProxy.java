package dev.mainstay.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network between a client and PostgreSQL that can lose an answer: it lets a COMMIT through,
 * waits until the server has carried it out, and cuts the connection instead of passing the answer
 * on.
 */
final class LossyProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int serverPort;
  private final AtomicInteger answersToLose = new AtomicInteger();
  private final AtomicInteger answersLost = new AtomicInteger();
  private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
  private volatile boolean forGood;

  LossyProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void loseNextCommitAnswers(int count) {
    answersToLose.set(count);
  }

  /** Loses one answer, and from then on lets nobody through. */
  void loseNextCommitAnswersForGood() {
    forGood = true;
    answersToLose.set(1);
  }

  int answersLost() {
    return answersLost.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        open.add(server);
        daemon(() -> toServer(client, server));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void toServer(Socket client, Socket server) {
    try (client;
        server) {
      Pump answers = new Pump(server, client);
      daemon(answers);
      byte[] buffer = new byte[64 * 1024];
      InputStream in = client.getInputStream();
      OutputStream out = server.getOutputStream();
      for (int n; (n = in.read(buffer)) > 0; ) {
        boolean commit = new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("COMMIT");
        boolean lose = commit && answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        if (lose) answers.swallowNext();
        out.write(buffer, 0, n);
        out.flush();
        if (lose) {
          answers.awaitSwallowed();
          answersLost.incrementAndGet();
          if (forGood) cutAll();
          return;
        }
      }
    } catch (IOException cut) {
      return;
    }
  }

  /** Passes the server's answers on, or keeps the next one for itself. */
  private static final class Pump implements Runnable {
    private final Socket from;
    private final Socket to;
    private volatile boolean swallow;
    private final CountDownLatch swallowed = new CountDownLatch(1);

    Pump(Socket from, Socket to) {
      this.from = from;
      this.to = to;
    }

    void swallowNext() {
      swallow = true;
    }

    void awaitSwallowed() {
      try {
        swallowed.await();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void run() {
      try {
        byte[] buffer = new byte[64 * 1024];
        for (int n; (n = from.getInputStream().read(buffer)) > 0; ) {
          if (swallow) {
            swallowed.countDown();
            return;
          }
          to.getOutputStream().write(buffer, 0, n);
          to.getOutputStream().flush();
        }
      } catch (IOException cut) {
        swallowed.countDown();
      }
    }
  }

  private void cutAll() throws IOException {
    listener.close();
    for (Socket each : open) each.close();
  }

  private static void daemon(Runnable run) {
    Thread thread = new Thread(run, "lossy-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
