package dev.mainstay.terminal;

import dev.mainstay.process.Child;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One client of tmux in control mode. Answers come in the order of the commands; once the
 * connection is lost, every command that waits and every later one fails.
 */
final class TmuxConnection implements AutoCloseable {
  private static final int ANSWER_BYTES_MAX = 16 << 20;
  private static final String BEGIN = "%begin ";

  /** What tmux answered to one command. */
  record Reply(boolean fine, List<String> lines) {
    String text() {
      return String.join("; ", lines);
    }
  }

  /** An answer that is still coming; nobody waits for one that tmux gives of its own accord. */
  private static final class Block {
    final String stamp;
    final @Nullable CompletableFuture<Reply> waiting;
    final List<String> lines = new ArrayList<>();
    int bytes;

    Block(String stamp, @Nullable CompletableFuture<Reply> waiting) {
      this.stamp = stamp;
      this.waiting = waiting;
    }
  }

  private final Child child;
  private final TmuxListener listener;
  private final Runnable onLost;
  private final Queue<CompletableFuture<Reply>> waiting = new ArrayDeque<>();
  private final CompletableFuture<Reply> greeting = new CompletableFuture<>();
  private final Thread reader;
  private @Nullable Block block;
  private volatile String stray = "";
  private boolean lost;

  TmuxConnection(Child child, TmuxListener listener, Runnable onLost) {
    this.child = child;
    this.listener = listener;
    this.onLost = onLost;
    this.reader = new Thread(this::read, "tmux-control");
    reader.setDaemon(true);
  }

  /** Begins to listen; what comes is tmux's answer to the command line it was started with. */
  CompletableFuture<Reply> greeting() {
    reader.start();
    return greeting;
  }

  /** Sends commands as one piece; what tmux answers to each comes later. */
  List<CompletableFuture<Reply>> send(List<List<String>> commands) {
    if (Thread.currentThread() == reader) {
      throw new IllegalStateException("a listener must not give tmux commands");
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (List<String> each : commands) lines.writeBytes(TmuxLine.of(each));
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (int i = 0; i < commands.size(); i++) replies.add(new CompletableFuture<>());
    synchronized (waiting) {
      if (lost) return fail(replies);
      waiting.addAll(replies);
      try {
        child.input().write(lines.toByteArray());
        child.input().flush();
      } catch (IOException gone) {
        child.close();
      }
    }
    return replies;
  }

  boolean isLost() {
    synchronized (waiting) {
      return lost;
    }
  }

  long pid() {
    return child.pid();
  }

  private void read() {
    try (InputStream in = new BufferedInputStream(child.output(), 1 << 16)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = in.read(); b >= 0; b = in.read()) {
        if (b != '\n') {
          line.write(b);
          if (line.size() > ANSWER_BYTES_MAX) break;
        } else {
          take(line.toByteArray());
          line.reset();
        }
      }
    } catch (IOException ended) {
      stray = String.valueOf(ended.getMessage());
    } finally {
      lose();
    }
  }

  private void take(byte[] line) throws IOException {
    Block open = block;
    if (open != null) takeInside(open, line);
    else if (startsWith(line, BEGIN)) block = begin(text(line, BEGIN.length()));
    else if (startsWith(line, "%output ")) takeOutput(line);
    else if (startsWith(line, "%")) takeNotice(text(line, 1));
    else stray = text(line, 0);
  }

  /** The last figure says whether a line of ours is answered, or something tmux does by itself. */
  private Block begin(String stamp) {
    if (!stamp.endsWith(" 1")) return new Block(stamp, greeting);
    synchronized (waiting) {
      return new Block(stamp, waiting.poll());
    }
  }

  private void takeInside(Block open, byte[] line) throws IOException {
    boolean end = startsWith(line, "%end ");
    boolean error = startsWith(line, "%error ");
    if ((end || error) && text(line, end ? 5 : 7).equals(open.stamp)) {
      block = null;
      if (open.waiting != null) open.waiting.complete(new Reply(end, List.copyOf(open.lines)));
      return;
    }
    open.bytes += line.length;
    if (open.bytes > ANSWER_BYTES_MAX) throw new IOException("an answer of tmux was too long");
    open.lines.add(text(line, 0));
  }

  private void takeOutput(byte[] line) {
    int from = "%output ".length();
    int space = from;
    while (space < line.length && line[space] != ' ') space++;
    String pane = new String(line, from, space - from, StandardCharsets.US_ASCII);
    listener.output(pane, TmuxLine.unescape(line, Math.min(space + 1, line.length)));
  }

  private void takeNotice(String notice) {
    int space = notice.indexOf(' ');
    String kind = space < 0 ? notice : notice.substring(0, space);
    listener.notice(kind, space < 0 ? "" : notice.substring(space + 1));
  }

  private static boolean startsWith(byte[] line, String start) {
    if (line.length < start.length()) return false;
    for (int i = 0; i < start.length(); i++) if (line[i] != start.charAt(i)) return false;
    return true;
  }

  private static String text(byte[] line, int from) {
    return new String(line, from, line.length - from, StandardCharsets.UTF_8);
  }

  private void lose() {
    List<CompletableFuture<Reply>> left;
    synchronized (waiting) {
      lost = true;
      left = new ArrayList<>(waiting);
      waiting.clear();
    }
    Block open = block;
    if (open != null && open.waiting != null) left.add(open.waiting);
    left.add(greeting);
    fail(left);
    child.close();
    onLost.run();
  }

  private List<CompletableFuture<Reply>> fail(List<CompletableFuture<Reply>> replies) {
    IOException gone = new IOException(stray.isEmpty() ? "the connection ended" : stray);
    for (var each : replies) each.completeExceptionally(gone);
    return replies;
  }

  @Override
  public void close() {
    child.close();
  }
}
