package dev.mainstay.rest;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens, under which other names it may be called, and how long one who listens
 * to events may take nothing.
 */
public record ServerSettings(
    String host, int port, List<String> names, Duration readerStall, @Nullable Tls tls) {
  public static final int PORT = 7717;
  public static final String HOST = "127.0.0.1";
  public static final Duration READER_STALL_MAX = Duration.ofSeconds(30);

  public ServerSettings {
    names = List.copyOf(names);
  }

  public static ServerSettings on(String host, int port) {
    return new ServerSettings(host, port, List.of(), READER_STALL_MAX, null);
  }

  public ServerSettings called(List<String> other) {
    return new ServerSettings(host, port, other, readerStall, tls);
  }

  /** Speaks TLS; null leaves it plain. */
  public ServerSettings with(@Nullable Tls other) {
    return new ServerSettings(host, port, names, readerStall, other);
  }

  public ServerSettings withReaderStall(Duration stall) {
    return new ServerSettings(host, port, names, stall, tls);
  }
}
