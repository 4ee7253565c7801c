package dev.mainstay.app;

import java.nio.file.Path;

/**
 * Loads what commands, MCP and servers need, in a folder of its own: what {@link dev.mainstay.Jvm}
 * archives.
 */
public final class Training {
  private Training() {}

  public static void main(String[] args) {
    System.exit(WarmUp.run(Path.of(args[0]), "all"));
  }
}
