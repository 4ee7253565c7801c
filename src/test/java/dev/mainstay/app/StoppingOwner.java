package dev.mainstay.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

  private final Path heard;
  private final Set<String> stopped = ConcurrentHashMap.newKeySet();

  private StoppingOwner(Path heard) {
    this.heard = heard;
  }

  /** Folder of the project, folder for sockets, jar, file of what was heard, moment. */
  public static void main(String[] args) throws Exception {
    Project project = Project.around(Path.of(args[0]));
    Map<String, String> env = Map.of("XDG_RUNTIME_DIR", args[1]);
    Build build = Build.of(args[2], "1.2.3");
    StoppingOwner performer = new StoppingOwner(Path.of(args[3]));
    if (args[4].equals(ANSWERING)) {
      performer.answerInParts(project, SocketPlace.of(project.folder(), env), build);
      return;
    }
    SocketOwner owner = SocketOwner.start(project, env, build, performer);
    while (System.in.read() >= 0) {}
    owner.close();
  }

  static Process start(OnSocket place, Path heard, String moment) throws IOException {
    return new ProcessBuilder(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                StoppingOwner.class.getName(),
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
    } catch (IOException | InterruptedException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Hears one event, and says the first half of an answer that looks whole. */
  private void answerInParts(Project project, Path socket, Build build) throws IOException {
    Spool spool = Spool.of(project);
    spool.prepare();
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      long self = ProcessHandle.current().pid();
      String lines = new SocketState(socket, build.jar(), self, build.version()).lines();
      Files.writeString(SocketState.file(project), lines);
      try (SocketChannel client = server.accept()) {
        client.read(ByteBuffer.allocate(4096));
        String name = spool.waiting().get(0).name();
        Spool.Taken taken = spool.take(name).orElseThrow();
        note(taken.request());
        spool.remove(taken);
        String first = "done 0\n" + name + "Half of a sentence.";
        String rest = " And its end.";
        String head = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n";
        write(client, head.formatted(first.length() + rest.length() + 1) + first);
        stop();
        write(client, rest + ".");
      }
    }
  }

  private static void write(SocketChannel client, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) client.write(bytes);
  }
}
