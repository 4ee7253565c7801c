package dev.mainstay.context;

import dev.mainstay.context.Message.Role;
import dev.mainstay.context.Message.ToolCall;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Locale;

/** A message as a JSON object and back, without loss. */
final class MessageJson {
  private MessageJson() {}

  static JsonObject write(Message message) {
    JsonObject json =
        JsonObject.of("id", message.id(), "role", message.role().name().toLowerCase(Locale.ROOT))
            .with("content", message.content())
            .with("answers", message.answers());
    if (message.calls().isEmpty()) return json;
    return json.with("calls", message.calls().stream().map(MessageJson::write).toList());
  }

  private static JsonObject write(ToolCall call) {
    return JsonObject.of("id", call.id(), "name", call.name(), "arguments", call.arguments());
  }

  static Message read(JsonObject json) {
    List<ToolCall> calls = json.objects("calls").stream().map(MessageJson::call).toList();
    return new Message(
        json.text("id"),
        role(json.text("role")),
        json.text("content"),
        calls,
        json.textOrNull("answers"));
  }

  private static ToolCall call(JsonObject json) {
    return new ToolCall(json.text("id"), json.text("name"), json.text("arguments"));
  }

  private static Role role(String name) {
    for (Role role : Role.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(name)) return role;
    }
    throw Refusal.invalid("a message's role is system, user, assistant or tool, not " + name);
  }
}
