package dev.mainstay.app;

import dev.mainstay.Jvm;
import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An owner of a socket in a process of its own that stops itself, as SIGSTOP does, at the moment
 * that an event's input names; what it has heard it writes to a file.
 */
final class StoppingOwner implements Desk.Performer {
  /** The request was read and its event not yet taken. */
  static final String READ = "read";

  /** The event was taken and is not yet heard. */
  static final String TAKEN = "taken";

  /** The event was heard, and the first sentences of the answer are out. */
  static final String ANSWERING = "answering";

  /** The event was taken, and for a while nothing is said although much is done. */
  static final String BUSY = "busy";

  /** The same, and it is never done. */
  static final String BUSY_FOR_GOOD = "busy for good";

  private static final Duration STOPPED_AFTER = Duration.ofMillis(300);
  private static final Duration BUSY_FOR = Duration.ofMillis(1200);

  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n";

  private final Path heard;
  private final Set<String> stopped = ConcurrentHashMap.newKeySet();

  private StoppingOwner(Path heard) {
    this.heard = heard;
  }

  /** Folder of the project, folder for sockets, jar, file of what was heard, moment. */
  public static void main(String[] args) throws Exception {
    Project project = Project.around(Path.of(args[0]), UserFolders.of(Map.of()));
    Map<String, String> env = Map.of("XDG_RUNTIME_DIR", args[1]);
    Build build = Build.of(args[2], "1.2.3");
    StoppingOwner performer = new StoppingOwner(Path.of(args[3]));
    if (args[4].equals(ANSWERING) || args[4].equals(BUSY)) {
      performer.listen(project, SocketPlace.of(project.folder(), env), build, args[4]);
      return;
    }
    SocketOwner owner = SocketOwner.start(project, env, build, performer);
    while (System.in.read() >= 0) {}
    owner.close();
  }

  static Process start(OnSocket place, Path heard, String moment) throws IOException {
    return new ProcessBuilder(
            Jvm.words(
                List.of(),
                StoppingOwner.class,
                place.folder.toString(),
                place.env.getOrDefault("XDG_RUNTIME_DIR", ""),
                place.build().jar(),
                heard.toString(),
                moment))
        .redirectErrorStream(true)
        .start();
  }

  @Override
  public boolean accepts(Request request) {
    stopOnce(READ, request);
    return true;
  }

  @Override
  public Desk.Done perform(Request request) {
    stopOnce(TAKEN, request);
    note(request);
    return new Desk.Done(0, "heard", "");
  }

  private void note(Request request) {
    try {
      Files.writeString(
          heard, text(request) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }

  private static String text(Request request) {
    try {
      return new String(request.input().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException never) {
      throw new UncheckedIOException(never);
    }
  }

  private void stopOnce(String moment, Request request) {
    String text = text(request);
    if (text.startsWith(moment) && stopped.add(text)) stop();
  }

  /** Comes back when the process was told to go on. */
  private static void stop() {
    try {
      String self = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("kill", "-STOP", self).start().waitFor();
      // One thread hears of it and stops the others; on a busy machine this one could go on first.
      Thread.sleep(STOPPED_AFTER.toMillis());
    } catch (IOException | InterruptedException fault) {
      throw new IllegalStateException(fault);
    }
  }

  private void listen(Project project, Path socket, Build build, String moment) throws IOException {
    Spool spool = Spool.of(project);
    spool.prepare();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      long self = ProcessHandle.current().pid();
      String lines = new SocketState(socket, build.jar(), self, build.version()).lines();
      Files.writeString(SocketState.file(project), lines);
      if (moment.equals(BUSY)) answerWhenDone(server, spool);
      else answerInParts(server, spool);
    }
  }

  /** Hears one event, and says the first half of an answer that looks whole. */
  private void answerInParts(ServerSocketChannel server, Spool spool) throws IOException {
    try (SocketChannel client = server.accept()) {
      String name = hearFirst(client, spool);
      String first = "done 0\n" + name + "Half of a sentence.";
      String rest = " And its end.";
      write(client, HEAD.formatted(first.length() + rest.length() + 1) + first);
      stop();
      write(client, rest + ".");
    }
  }

  /** Hears one event, is busy with it, and answers whoever still asks for it then. */
  private void answerWhenDone(ServerSocketChannel server, Spool spool) throws IOException {
    String name;
    try (SocketChannel client = server.accept()) {
      name = hearFirst(client, spool);
      do {
        work();
      } while (Files.readString(heard).startsWith(BUSY_FOR_GOOD));
    }
    String answer = "done 0\n" + name + "heard.";
    while (true) {
      try (SocketChannel client = server.accept()) {
        client.read(ByteBuffer.allocate(4096));
        write(client, HEAD.formatted(answer.length()) + answer);
      } catch (IOException gone) {
        // It gave up before, and asks again.
      }
    }
  }

  /** The processor's time counts, not the clock's: a busy machine gives little of it. */
  private static void work() {
    var bean = ManagementFactory.getThreadMXBean();
    long end = bean.getCurrentThreadCpuTime() + BUSY_FOR.toNanos();
    while (bean.getCurrentThreadCpuTime() < end) Thread.onSpinWait();
  }

  private String hearFirst(SocketChannel client, Spool spool) throws IOException {
    client.read(ByteBuffer.allocate(4096));
    String name = spool.waiting().get(0).name();
    Spool.Taken taken = spool.take(name).orElseThrow();
    note(taken.request());
    spool.remove(taken);
    return name;
  }

  private static void write(SocketChannel client, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) client.write(bytes);
  }
}
