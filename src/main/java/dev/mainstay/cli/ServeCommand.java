package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code mainstay serve}: answer over HTTP until interrupted. */
@CommandLine.Command(
    name = "serve",
    description = "Answer over HTTP until interrupted; prints where, with a link for the browser.",
    footer = {
      "",
      "The link holds the token of .mainstay/token; whoever has it may do what you may.",
      "",
      "Example:",
      "  mainstay serve --port 7717"
    })
final class ServeCommand extends Command {
  private static final int PORT_MAX = 65_535;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "7717",
      description = "where to listen (default 7717; 0 takes any that is free)")
  int port;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "on which address (default 127.0.0.1); others than loopback need TLS")
  String host;

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "a certificate chain in PEM")
  @Nullable Path certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "its private key in PEM")
  @Nullable Path key;

  ServeCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    if (port < 0 || port > PORT_MAX) throw Refusal.invalid("a port lies between 0 and 65,535");
    var wanted = new Serving.Wanted(host, port, certificate, key);
    try (Serving serving = session.services().serve(db, wanted)) {
      if (json) {
        session.json(JsonObject.of("address", serving.address(), "link", serving.link()));
      } else {
        session.print("Mainstay listens on " + serving.address());
        session.print("open: " + serving.link());
      }
      session.io().out().flush();
      serving.await();
    }
    return ExitCodes.OK;
  }
}
