package dev.mainstay.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.Map;

/** The world as a command sees it: three streams, the environment, and a screen or none. */
public record Io(
    InputStream in, PrintStream out, PrintStream err, Map<String, String> env, Screen screen) {

  /** How wide lines may be and whether colour is wanted; a pipe has neither. */
  public record Screen(boolean isTerminal, int columns, boolean colour) {
    public static final int COLUMNS = 100;
    public static final Screen PIPE = new Screen(false, COLUMNS, false);
  }
}
