package dev.mainstay.terminal;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Terminal;
import org.jspecify.annotations.Nullable;

/** A message to be sent, by a terminal that is named or by whoever calls. Secrets are taken out. */
public record NewMessage(@Nullable String sender, String receiver, String text) {
  public NewMessage {
    sender = sender == null ? null : Terminal.id(sender);
    receiver = Terminal.id(receiver);
    text = Message.text(Redactor.DEFAULT.redact(text));
  }

  /** By whoever calls. */
  public static NewMessage to(String receiver, String text) {
    return new NewMessage(null, receiver, text);
  }

  JsonObject toJson() {
    return JsonObject.of("sender", sender, "receiver", receiver, "message", text);
  }
}
