package dev.mainstay.mcp;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where requests come from, whoever sends them: a terminal of ours perhaps, and a folder. */
public record Origin(@Nullable String terminal, Path folder, boolean mayWrite) {
  Guest guest(@Nullable String client, String connection) {
    return new Guest(client == null ? "" : client, connection, terminal, folder, mayWrite);
  }
}
