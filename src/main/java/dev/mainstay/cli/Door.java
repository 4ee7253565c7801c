package dev.mainstay.cli;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import java.util.Locale;

/**
 * Where a command comes in. The commands that agents call all the time are answered here; picocli
 * and everything it needs is loaded only behind {@link Cli}, for all others.
 */
public final class Door {
  private Door() {}

  /** Runs one command to its end and gives its exit code. */
  public static int run(String[] args, Io io, Services services) {
    Session session = new Session(io, services);
    try {
      refuseUnreadable(args);
      int hot = HotCommands.tryRun(args, session);
      return hot >= 0 ? hot : Cli.run(args, session);
    } catch (Refusal refused) {
      return refuse(refused, args, io);
    } finally {
      io.out().flush();
      io.err().flush();
    }
  }

  static int refuse(Refusal refused, String[] args, Io io) {
    if (wantsJson(args)) {
      String code = refused.code().name().toLowerCase(Locale.ROOT);
      io.err().println(JsonText.write(JsonObject.of("error", code, "message", refused.sentence())));
    } else {
      io.err().println("mainstay: " + Printable.line(refused.sentence()));
    }
    return ExitCodes.of(refused.code());
  }

  private static boolean wantsJson(String[] args) {
    for (String arg : args) if (arg.equals("--json")) return true;
    return false;
  }

  /** Java puts a mark where bytes were not valid in the terminal's encoding; such text is lost. */
  private static void refuseUnreadable(String[] args) {
    for (String arg : args) {
      if (arg.indexOf('\ufffd') >= 0) {
        throw Refusal.invalid("an argument is not valid UTF-8; give it in UTF-8 or from a file");
      }
    }
  }
}
