package dev.mainstay.domain;

import java.util.Locale;
import java.util.Optional;

/**
 * What must have been seen to end well before a task of some type counts as done: {@code tests},
 * which any command that runs tests fulfils, or one command in so many words.
 */
public record Requirement(String text) {
  /** Whatever runs tests. */
  public static final Requirement TESTS = new Requirement("tests");

  public Requirement {
    String line = Text.line("a requirement", text, Evidence.COMMAND_CHARS_MAX);
    if (line.toLowerCase(Locale.ROOT).equals("tests")) {
      text = "tests";
    } else if (line.matches("[A-Za-z_-]+")) {
      throw Refusal.invalid(
          Phrase.of(
              "\"%s\" cannot be required; say tests, or a whole command such as \"mvn -B verify\" or ./check.sh",
              line));
    } else {
      text = Argv.join(Argv.split(line)); // as 'evidence run' writes what it ran
    }
  }

  public boolean isTests() {
    return text.equals("tests");
  }

  boolean isAbout(Evidence evidence) {
    return isTests() ? TestCommand.isOne(evidence.command()) : text.equals(evidence.command());
  }

  /** The newest evidence that speaks for it or against it. */
  Optional<Evidence> newest(Observed observed) {
    return observed.evidence().stream().filter(this::isAbout).reduce((a, b) -> b);
  }

  @Override
  public String toString() {
    return text;
  }
}
