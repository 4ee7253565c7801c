package dev.mainstay.app;

import dev.mainstay.Jvm;
import dev.mainstay.trust.UserFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An owner of a socket in a process of its own, which a test may kill. */
final class SocketProcess {
  private SocketProcess() {}

  /** Folder of the project, folder for sockets, jar: owns until its input ends. */
  public static void main(String[] args) throws IOException {
    var echo = new OnSocket.Echo("process");
    SocketOwner owner =
        SocketOwner.start(
            Project.around(Path.of(args[0]), UserFolders.of(Map.of())),
            Map.of("XDG_RUNTIME_DIR", args[1]),
            Build.of(args[2], "1.2.3"),
            echo);
    while (System.in.read() >= 0) {}
    owner.close();
  }

  static Process start(OnSocket place) throws IOException {
    List<String> command =
        Jvm.words(
            List.of(),
            SocketProcess.class,
            place.folder.toString(),
            place.env.getOrDefault("XDG_RUNTIME_DIR", ""),
            place.build().jar());
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }
}
