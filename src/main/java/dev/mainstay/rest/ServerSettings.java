package dev.mainstay.rest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens, under which other names it may be called, and whom it lets listen to
 * events.
 */
public record ServerSettings(
    String host,
    int port,
    List<String> names,
    Readers readers,
    ServerLimits limits,
    @Nullable Tls tls) {
  public static final int PORT = 7717;
  public static final String HOST = "127.0.0.1";
  public static final Duration READER_STALL_MAX = Duration.ofSeconds(30);
  public static final int READERS_MAX = 1_000;

  /** The limit of open files assumed where the system does not report one. */
  private static final int FILES = 4_096;

  /** Of those who listen to events: how long one may take nothing, and how many there may be. */
  public record Readers(Duration stall, int max) {
    static final Readers DEFAULT = new Readers(READER_STALL_MAX, READERS_MAX);
  }

  public ServerSettings {
    names = List.copyOf(names);
  }

  public static ServerSettings on(String host, int port) {
    return new ServerSettings(
        host, port, List.of(), Readers.DEFAULT, ServerLimits.within(FILES), null);
  }

  public ServerSettings called(List<String> other) {
    return new ServerSettings(host, port, other, readers, limits, tls);
  }

  /** Speaks TLS; null leaves it plain. */
  public ServerSettings with(@Nullable Tls other) {
    return new ServerSettings(host, port, names, readers, limits, other);
  }

  public ServerSettings with(Readers other) {
    return new ServerSettings(host, port, names, other, limits, tls);
  }

  public ServerSettings with(ServerLimits other) {
    return new ServerSettings(host, port, names, readers, other, tls);
  }
}
