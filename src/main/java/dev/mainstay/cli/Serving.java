package dev.mainstay.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A server that answers until it is closed. */
public interface Serving extends AutoCloseable {
  /** Where it shall listen; with certificate and key it speaks TLS. */
  record Wanted(String host, int port, @Nullable Path certificate, @Nullable Path key) {}

  /** Such as {@code http://127.0.0.1:7717}. */
  String address();

  /** The address with the person's token behind it, for a browser. */
  String link();

  /** Waits until it is closed. */
  void await();

  @Override
  void close();
}
