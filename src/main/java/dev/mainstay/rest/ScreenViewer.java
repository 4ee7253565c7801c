package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.terminal.FollowListener;
import dev.mainstay.terminal.OutputText;
import dev.mainstay.terminal.ScreenShape;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One who looks at a terminal, as server-sent events. It is written to by the thread that hears the
 * terminal, which waits for a slow reader, so that what it cannot take is dropped there and told.
 */
final class ScreenViewer implements FollowListener {
  private final String terminal;
  private final boolean escapes;
  private final boolean named;
  private final Outlet outlet;
  private final OutputText text;
  private final CountDownLatch shown = new CountDownLatch(1);

  /**
   * A viewer that writes to an answer of its own or, by name, to one that it shares with others.
   *
   * @param named whether each event says of which terminal it tells
   */
  ScreenViewer(String terminal, boolean escapes, boolean named, Outlet outlet) {
    this.terminal = terminal;
    this.escapes = escapes;
    this.named = named;
    this.outlet = outlet;
    this.text = new OutputText(escapes);
  }

  String terminal() {
    return terminal;
  }

  boolean isNamed() {
    return named;
  }

  /** What is there now; only after the first it is told the rest. */
  void show(String screen, @Nullable ScreenShape shape) {
    // A terminal's lines begin where the last ended, unless they are told to begin at the left.
    String lines = escapes ? screen.replace("\n", "\r\n") : screen;
    JsonObject size = JsonObject.EMPTY;
    if (shape != null) {
      size =
          JsonObject.of("columns", shape.columns(), "rows", shape.rows())
              .with("column", shape.column())
              .with("row", shape.row());
    }
    write("screen", "text", lines, size);
    shown.countDown();
  }

  /** Why there is nothing to see; nothing follows. */
  void refuse(String sentence) {
    write("refused", "detail", sentence, JsonObject.EMPTY);
    outlet.ended();
  }

  @Override
  public void output(byte[] bytes) {
    String piece = text.text(bytes);
    if (!piece.isEmpty()) tell("output", "text", piece);
  }

  @Override
  public void missed(long bytes) {
    tell("missed", "bytes", bytes);
  }

  @Override
  public void interrupted() {
    tell("interrupted", "text", null);
  }

  @Override
  public void ended() {
    tell("ended", "text", null);
    outlet.ended();
  }

  private void tell(String event, String field, @Nullable Object data) {
    try {
      shown.await();
      write(event, field, data, JsonObject.EMPTY);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(String event, String field, @Nullable Object data, JsonObject more) {
    Object told = named ? more.with("terminal_id", terminal).with(field, data) : data;
    outlet.write(event, told);
  }

  /** Whoever waits to write is let go; the answer says nothing more by then. */
  void leave() {
    shown.countDown();
  }
}
