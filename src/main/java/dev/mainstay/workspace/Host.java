package dev.mainstay.workspace;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine we are on, by its name: a folder's path means nothing on another. */
public final class Host {
  private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final String NAME = name();

  private Host() {}

  public static String current() {
    return NAME;
  }

  /** The kernel knows it without asking the network. */
  private static String name() {
    try {
      String name = Files.readString(KERNEL_NAME).strip();
      if (!name.isEmpty()) return name;
    } catch (IOException otherSystem) {
      // Not Linux: the resolver is asked below.
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
