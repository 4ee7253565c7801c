package dev.mainstay.app;

import dev.mainstay.mcp.Offer;
import dev.mainstay.mcp.Origin;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.file.Path;

/** Doors with any bytes, over a store that is open already. */
public final class FuzzedDoors {
  private FuzzedDoors() {}

  /** MCP on standard input until the bytes end. */
  public static void mcp(Mainstay house, Path folder, ByteArrayInputStream in, OutputStream out) {
    var running = new RunningMcp(house::borrowed, mainstay -> () -> {}, Offer::new);
    running.run(in, out, new Origin(null, folder, true), "fuzz");
  }
}
