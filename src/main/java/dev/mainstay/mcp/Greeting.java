package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.Map;

/** The answer to {@code initialize}. */
final class Greeting {
  private Greeting() {}

  static McpSchema.InitializeResult of(Desk desk, String asked) {
    var capabilities =
        McpSchema.ServerCapabilities.builder()
            .tools(false)
            .prompts(false)
            .resources(true, false)
            .completions()
            .logging()
            .build();
    var info =
        McpSchema.Implementation.builder(
                desk.serverInfo().text("name"), desk.serverInfo().text("version"))
            .title(desk.serverInfo().text("title"))
            .build();
    return McpSchema.InitializeResult.builder(Revision.agreed(asked), capabilities, info)
        .instructions(desk.registry().instructions())
        .build();
  }

  /**
   * What a client begins with, taken from its message by hand: the SDK's data binding alone would
   * take a third of the time that an agent waits for its first answer.
   */
  static McpSchema.InitializeRequest request(Map<?, ?> params) {
    JsonObject given = JsonObject.copyOf(params);
    JsonObject client = given.object("clientInfo");
    JsonObject can = given.object("capabilities");
    var capabilities = McpSchema.ClientCapabilities.builder();
    if (can.has("sampling")) capabilities.sampling();
    if (can.has("elicitation")) capabilities.elicitation();
    if (can.has("roots"))
      capabilities.roots(can.object("roots").get("listChanged") == Boolean.TRUE);
    var info =
        McpSchema.Implementation.builder(
                String.valueOf(client.asMap().getOrDefault("name", "unknown")),
                String.valueOf(client.asMap().getOrDefault("version", "unknown")))
            .build();
    String version = String.valueOf(given.get("protocolVersion"));
    return McpSchema.InitializeRequest.builder(version, capabilities.build(), info).build();
  }

  static JsonObject json(Desk desk, McpSchema.InitializeResult greeting) {
    return JsonObject.of("protocolVersion", greeting.protocolVersion())
        .with("capabilities", Desk.capabilities())
        .with("serverInfo", desk.serverInfo())
        .with("instructions", greeting.instructions());
  }
}
