package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.List;

/** Words that a person can have put before a model, by name. */
public record Prompt(String name, String description, List<Argument> arguments, Saying saying) {
  public Prompt {
    arguments = List.copyOf(arguments);
  }

  public record Argument(String name, String description, boolean required) {}

  /** The messages as the protocol writes them. */
  @FunctionalInterface
  public interface Saying {
    List<JsonObject> say(Asking asking, JsonObject arguments);
  }
}
