package dev.mainstay.cli;

import dev.mainstay.json.JsonText;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mainstay hook EVENT}: hear what an agent's host tells, and answer in its format. */
@CommandLine.Command(
    name = "hook",
    description = "Hear an event of an agent's host on standard input; 'mainstay init' wires it.",
    footer = {"", "Example:", "  mainstay hook SessionStart --agent claude-code < payload.json"})
final class HookCommand extends Command {
  private static final int REST_BYTES = 64 * 1024;
  private static final long REST_BYTES_MAX = 64L * 1024 * 1024;

  @Parameters(paramLabel = "EVENT", description = "the host's name for the event")
  String event;

  @Option(
      names = "--agent",
      paramLabel = "AGENT",
      description = "claude-code, codex, gemini or opencode (default: by the environment)")
  @Nullable String agent;

  HookCommand(Session session) {
    super(session);
  }

  @Override
  int run() {
    return run(session, db, event, agent);
  }

  static int run(Session session, @Nullable String db, String event, @Nullable String agent) {
    var heard = session.services().hear(db, event, agent, payload(session.io().in()));
    session.io().out().print(heard.out());
    session.io().err().print(heard.err());
    return heard.exit();
  }

  /**
   * What the host prints, or one byte more than may be; the rest is read and let go, for a host
   * must not stumble over a closed pipe.
   */
  private static byte[] payload(InputStream in) {
    try {
      byte[] payload = in.readNBytes(JsonText.DOCUMENT_BYTES_MAX + 1);
      byte[] rest = new byte[REST_BYTES];
      for (long skipped = 0; skipped < REST_BYTES_MAX; ) {
        int read = in.read(rest);
        if (read < 0) break;
        skipped += read;
      }
      return payload;
    } catch (IOException cutOff) {
      return new byte[0];
    }
  }
}
