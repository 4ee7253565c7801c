package dev.mainstay.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.spi.ToolProvider;

/**
 * A {@code javac} for the scripts of a test. Each of them still compiles what it names and nothing
 * else, but in the process of the test, whose compiler is warm: a process of its own for each took
 * most of a minute together.
 */
final class WarmCompiler implements AutoCloseable {
  private final HttpServer server;
  private final Path folder;

  /** Puts the program into a folder, which goes to the front of {@code PATH}. */
  WarmCompiler(Path folder) throws IOException {
    this.folder = folder;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String path = "/" + UUID.randomUUID(); // others of this machine have no business here
    server.createContext(path, WarmCompiler::compile);
    server.start();
    Path program = folder.resolve("javac");
    // Words travel one to a line; what the compiler says comes back as the answer.
    Files.writeString(
        program,
        """
        #!/bin/sh
        set -eu
        said=$(mktemp)
        code=$(printf '%%s\\n' "$PWD" "$@" |
          curl -q -sS --noproxy '*' -o "$said" -w '%%{http_code}' --data-binary @- http://127.0.0.1:%d%s)
        cat "$said" >&2
        rm -f "$said"
        [ "$code" = 200 ]
        """
            .formatted(server.getAddress().getPort(), path));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  Path folder() {
    return folder;
  }

  private static void compile(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] asked = exchange.getRequestBody().readAllBytes();
      List<String> words = new String(asked, StandardCharsets.UTF_8).lines().toList();
      StringWriter said = new StringWriter();
      int code = run(Path.of(words.get(0)), words.subList(1, words.size()), new PrintWriter(said));
      byte[] answer = said.toString().getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(code == 0 ? 200 : 422, answer.length == 0 ? -1 : answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  /** Options for the JVM of a compiler are none of this one's; sources are named from a folder. */
  private static int run(Path from, List<String> words, PrintWriter said) {
    List<String> argv = new ArrayList<>();
    for (String word : words) {
      if (word.startsWith("-J")) continue;
      argv.add(word.endsWith(".java") ? from.resolve(word).toString() : word);
    }
    return ToolProvider.findFirst("javac")
        .orElseThrow()
        .run(said, said, argv.toArray(String[]::new));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
