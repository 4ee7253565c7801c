package dev.mainstay.app;

import dev.mainstay.cli.Door;
import dev.mainstay.cli.Io;
import dev.mainstay.mcp.ConformanceOffer;
import java.nio.file.Path;
import java.util.Map;

/** {@code mainstay} as it is, but with the fixtures of the conformance suite to offer over MCP. */
public final class ConformanceServer {
  private ConformanceServer() {}

  public static void main(String[] args) {
    ServerLog.choose(args);
    Map<String, String> env = System.getenv();
    Wiring wiring = new Wiring(env, Path.of(""), rooms -> new ConformanceOffer());
    var io = new Io(System.in, System.out, System.err, env, Io.Screen.PIPE);
    System.exit(Door.run(args, io, wiring));
  }
}
