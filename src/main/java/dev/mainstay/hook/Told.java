package dev.mainstay.hook;

import java.nio.file.Path;
import java.util.Map;

/**
 * One event as a host told it: the event's name, the agent it comes from, the JSON it printed, the
 * folder it ran in, and the environment.
 */
public record Told(
    String event, String agent, String payload, Path folder, Map<String, String> env) {
  /**
   * What names the telling itself among the variables, where it was put down to be heard; hearing
   * it again is then known, also where the host gives what happens no id.
   */
  public static final String RECEIPT = "mainstay.receipt";

  /**
   * What the launcher saw of whoever started the host, among the variables: "agent" or "person".
   * The host may be gone when an event that waited is heard.
   */
  public static final String STARTER = "mainstay.starter";

  public Told {
    env = Map.copyOf(env);
  }
}
