package dev.mainstay.mcp;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.PrintWriter;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A stream that a session's client keeps open; nothing is written once it is over. */
final class OpenStream implements AsyncListener {
  private final AsyncContext context;
  private final PrintWriter writer;
  private final Set<OpenStream> all;
  private final BooleanSupplier stillMay;
  private boolean over;

  OpenStream(
      AsyncContext context, PrintWriter writer, Set<OpenStream> all, BooleanSupplier stillMay) {
    this.stillMay = stillMay;
    this.context = context;
    this.writer = writer;
    this.all = all;
  }

  /** Says something that means nothing, so that the stream is not taken for a dead one. */
  synchronized void beat() {
    if (over) return;
    writer.write(":\n");
    writer.flush();
    if (writer.checkError() || !stillMay.getAsBoolean()) end();
  }

  synchronized void end() {
    if (over) return;
    over = true;
    all.remove(this);
    context.complete();
  }

  @Override
  public synchronized void onComplete(AsyncEvent event) {
    over = true;
    all.remove(this);
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
