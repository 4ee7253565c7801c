package dev.mainstay.mcp;

import dev.mainstay.domain.AgentName;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection: always an agent, never a person, whatever token it came
 * with. The connection's id stands for the host's session where the host names none.
 */
public record Guest(
    String agent, String connection, @Nullable String terminal, Path folder, boolean mayWrite) {
  public Guest {
    agent = AgentName.of(agent);
  }
}
