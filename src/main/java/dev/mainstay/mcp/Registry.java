package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.function.Consumer;

/** All that a server offers: the one list that every transport and both eras serve from. */
public interface Registry {
  /** What a model is told once, at the beginning. */
  String instructions();

  List<Tool> tools();

  List<Resource> resources();

  List<Prompt> prompts();

  /**
   * Values that begin with what was typed, for an argument of a prompt or of a resource template;
   * the reference is {@code ref/prompt}'s name or {@code ref/resource}'s uri.
   */
  List<String> complete(Asking asking, String reference, String argument, String typed);

  /** Makes ready what the first answers do not need and later ones would wait for. */
  default void warmUp() {}

  /** Tells of addresses whose content has changed, until what is returned is closed. */
  Subscription listen(Consumer<String> changed);

  /**
   * Whoever called a tool is still there: its lease is renewed. Told by the process that sees it
   * alive, never by a model.
   */
  default void alive(Guest guest) {}

  /** Something is heard until this is closed. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** The list of tools as the protocol writes it, in a stable order. */
  default List<JsonObject> toolList() {
    return tools().stream()
        .map(
            tool ->
                JsonObject.of(
                    "name",
                    tool.name(),
                    "description",
                    tool.description(),
                    "inputSchema",
                    tool.inputSchema(),
                    "annotations",
                    JsonObject.of(
                        "readOnlyHint",
                        tool.hints().readOnly(),
                        "idempotentHint",
                        tool.hints().idempotent())))
        .toList();
  }
}
