package dev.mainstay.terminal;

import dev.mainstay.domain.Argv;
import dev.mainstay.domain.Flow;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.json.JsonText;
import dev.mainstay.process.Hearing;
import dev.mainstay.process.Hearing.Heard;
import dev.mainstay.process.Programs.Order;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CancellationException;

/**
 * The program that decides whether a flow is worth an agent now, and with which values: it prints
 * {@code {"execute": true, "output": {"name": "value"}}}.
 */
final class FlowScript {
  static final Duration RUN_MAX = Duration.ofSeconds(60);
  private static final int COMPLAINT_CHARS_MAX = 300;

  /** Whether an agent is to be started, and the values for its text. */
  record Decision(boolean execute, JsonObject output) {}

  private FlowScript() {}

  /**
   * Asks a flow's script, if it has one; one that fails, takes too long or answers something else
   * is refused.
   *
   * @throws CancellationException when whoever waits for it is told to stop
   */
  static Decision ask(Flow flow, Duration limit) {
    String script = flow.work().script();
    if (script == null) return new Decision(true, JsonObject.EMPTY);
    Heard heard =
        Hearing.of(
            new Order(
                Argv.split(script),
                Path.of(flow.place().workDir()),
                limit,
                OutputStream.nullOutputStream()));
    return switch (heard.end()) {
      case EXITED -> decision(heard);
      case NOT_STARTED -> throw Refusal.invalid("the script cannot be run: " + heard.complaints());
      case TOO_SLOW ->
          throw Refusal.invalid(
              Phrase.of("the script took longer than %d seconds", limit.toSeconds()));
      case INTERRUPTED -> throw new CancellationException(flow.name());
    };
  }

  private static Decision decision(Heard heard) {
    if (heard.exit() != 0) {
      String said = heard.complaints().isBlank() ? heard.output() : heard.complaints();
      String why = Graphemes.excerpt(said.strip(), COMPLAINT_CHARS_MAX);
      throw Refusal.invalid(
          Phrase.of(
              "the script ended with exit code %d%s",
              heard.exit(), why.isEmpty() ? "" : ": " + why));
    }
    try {
      JsonObject answer = JsonText.object(heard.output().strip());
      if (answer.get("execute") instanceof Boolean execute) {
        return new Decision(execute, answer.object("output"));
      }
      throw Refusal.invalid("\"execute\" must be true or false");
    } catch (Refusal refused) {
      throw Refusal.invalid(
          Phrase.of(
              "the script must print one object such as {\"execute\": true, \"output\": {}}, but: %s",
              refused.sentence()));
    }
  }
}
