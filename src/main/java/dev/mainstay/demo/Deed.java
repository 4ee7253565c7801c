package dev.mainstay.demo;

import dev.mainstay.process.Child;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A program that does what a text asks for: the text is its input, its lines are the answer. */
final class Deed implements AutoCloseable {
  static final int LINES_MAX = 1_000;
  private static final int LINE_CHARS_MAX = 2_000;

  private final Child child;

  private Deed(Child child) {
    this.child = child;
  }

  /** Starts it; empty if it cannot be run. The last thing that is heard is its end. */
  static Optional<Deed> start(
      List<String> argv, String text, Consumer<String> lines, Runnable atEnd) {
    Optional<Child> started = Child.start(argv, Set.of());
    if (started.isEmpty()) return Optional.empty();
    Child child = started.get();
    // One that never reads its input may still print, and the other way round.
    thread("deed-input", () -> tell(child, text));
    thread(
        "deed-output",
        () -> {
          hear(child, lines);
          atEnd.run();
        });
    return Optional.of(new Deed(child));
  }

  private static void thread(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void tell(Child child, String text) {
    try (OutputStream in = child.input()) {
      in.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException notRead) {
      // It has the right not to listen.
      return;
    }
  }

  private static void hear(Child child, Consumer<String> lines) {
    StringBuilder line = new StringBuilder();
    int count = 0;
    try (Reader out =
        new BufferedReader(new InputStreamReader(child.output(), StandardCharsets.UTF_8))) {
      for (int c = out.read(); c >= 0; c = out.read()) {
        if (c != '\n' && line.length() < LINE_CHARS_MAX) line.append((char) c);
        if (c != '\n') continue;
        if (count++ < LINES_MAX) lines.accept(line.toString());
        line.setLength(0);
      }
      if (line.length() > 0 && count++ < LINES_MAX) lines.accept(line.toString());
    } catch (IOException ended) {
      // What it said so far is its answer.
    }
    if (count > LINES_MAX) lines.accept("and " + (count - LINES_MAX) + " lines more");
  }

  @Override
  public void close() {
    child.close();
  }
}
