package dev.mainstay.domain;

/**
 * What happened to a message, in the journal of the terminal it is for. That somebody took it is a
 * matter of the moment and no event.
 */
public sealed interface InboxEvent extends Event {
  Message message();

  /** Somebody said something to the terminal. */
  record Sent(Message message) implements InboxEvent {
    @Override
    public String kind() {
      return "inbox.sent";
    }

    @Override
    public JsonObject payload() {
      return about(message).with("message", message.text());
    }
  }

  /** The terminal has it. */
  record Delivered(Message message) implements InboxEvent {
    @Override
    public String kind() {
      return "inbox.delivered";
    }

    @Override
    public JsonObject payload() {
      return about(message).with("attempts", message.standing().attempts());
    }
  }

  /** The terminal will not get it. */
  record Failed(Message message) implements InboxEvent {
    @Override
    public String kind() {
      return "inbox.failed";
    }

    @Override
    public JsonObject payload() {
      return about(message)
          .with("attempts", message.standing().attempts())
          .with("reason", message.standing().reason());
    }
  }

  /** It was typed onto a screen, and nobody can tell for sure whether it arrived once. */
  record Doubtful(Message message, String why) implements InboxEvent {
    @Override
    public String kind() {
      return "inbox.doubtful";
    }

    @Override
    public JsonObject payload() {
      return about(message)
          .with("attempts", message.standing().attempts())
          .with("reason", Message.reason(why));
    }
  }

  private static JsonObject about(Message message) {
    return JsonObject.of("message_id", message.id(), "sender_id", message.sender());
  }
}
