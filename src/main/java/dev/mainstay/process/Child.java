package dev.mainstay.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A program that goes on beside this one: told through its input, heard through its output. */
public final class Child implements AutoCloseable {
  private final Process process;

  private Child(Process process) {
    this.process = process;
  }

  /**
   * Starts a program by its argument list; empty when it is not installed.
   *
   * @param unset variables of the environment that it does not inherit
   */
  public static Optional<Child> start(List<String> argv, Set<String> unset) {
    try {
      var builder = new ProcessBuilder(argv).redirectErrorStream(true);
      builder.environment().keySet().removeAll(unset);
      return Optional.of(new Child(builder.start()));
    } catch (IOException notInstalled) {
      return Optional.empty();
    }
  }

  /** Both what it prints and what it complains about. */
  public InputStream output() {
    return process.getInputStream();
  }

  public OutputStream input() {
    return process.getOutputStream();
  }

  public long pid() {
    return process.pid();
  }

  /** Ends the program itself; what it started goes on. */
  @Override
  public void close() {
    process.destroy();
  }
}
