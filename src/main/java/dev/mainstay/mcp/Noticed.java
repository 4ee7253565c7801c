package dev.mainstay.mcp;

import java.util.List;
import java.util.function.Consumer;

/** A registry whose instructions begin with a notice for the agent. */
public record Noticed(String notice, Registry registry) implements Registry {
  @Override
  public String instructions() {
    return notice + " " + registry.instructions();
  }

  @Override
  public List<Tool> tools() {
    return registry.tools();
  }

  @Override
  public List<Resource> resources() {
    return registry.resources();
  }

  @Override
  public List<Prompt> prompts() {
    return registry.prompts();
  }

  @Override
  public List<String> complete(Asking asking, String reference, String argument, String typed) {
    return registry.complete(asking, reference, argument, typed);
  }

  @Override
  public void warmUp() {
    registry.warmUp();
  }

  @Override
  public Subscription listen(Consumer<String> changed) {
    return registry.listen(changed);
  }

  @Override
  public void alive(Guest guest) {
    registry.alive(guest);
  }
}
