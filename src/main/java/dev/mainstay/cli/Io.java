package dev.mainstay.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The world as a command sees it: three streams, the environment, and a screen or none. */
public record Io(
    InputStream in, PrintStream out, PrintStream err, Map<String, String> env, Screen screen) {

  /**
   * How wide lines may be and whether colour is wanted; a pipe has neither.
   *
   * @param isAttended whether the caller has a terminal, at which a person may sit
   */
  public record Screen(
      boolean isTerminal, int columns, boolean colour, BooleanSupplier isAttended) {
    public static final int COLUMNS = 100;
    public static final Screen PIPE = new Screen(false, COLUMNS, false);

    /** Of this process; whether it has a terminal is looked at when it matters. */
    public Screen(boolean isTerminal, int columns, boolean colour) {
      this(isTerminal, columns, colour, Identity::hasTerminal);
    }

    /** For a caller who is not this process. */
    public Screen attended(boolean attended) {
      return new Screen(isTerminal, columns, colour, () -> attended);
    }
  }
}
