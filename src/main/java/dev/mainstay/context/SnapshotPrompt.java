package dev.mainstay.context;

import dev.mainstay.render.Delimiters;
import java.util.ArrayList;
import java.util.List;

/**
 * What to send instead of a transcript: the rules, what is there now, and what remains to be done,
 * always in this order. It is as long after a hundred turns as after one.
 */
public final class SnapshotPrompt {
  private SnapshotPrompt() {}

  /** The snapshot is data and rendered as such; what is blank is left away. */
  public static List<Message> of(String system, String snapshot, String request) {
    var messages = new ArrayList<Message>();
    if (!system.isBlank()) {
      String id = Message.OWN_ID + "system";
      messages.add(new Message(id, Message.Role.SYSTEM, system, List.of(), null));
    }
    if (!snapshot.isBlank()) {
      String block = Delimiters.block("repository", snapshot);
      messages.add(Message.user(Message.OWN_ID + "snapshot", block));
    }
    if (!request.isBlank()) messages.add(Message.user(Message.OWN_ID + "request", request));
    return messages;
  }
}
