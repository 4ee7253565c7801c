package dev.mainstay.context;

import dev.mainstay.domain.JournalEntry;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Text;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation with a model. Only an assistant's message calls tools, and a tool's
 * message answers exactly one call.
 */
public record Message(
    String id, Role role, String content, List<ToolCall> calls, @Nullable String answers) {
  public static final int ID_CHARS_MAX = 200;

  /** Ids that begin so are given by the conversation itself. */
  static final String OWN_ID = "mainstay/";

  /** A shorter reference names a message or a call; only a longer one is looked for in texts. */
  private static final int REF_IN_TEXT_CHARS_MIN = 8;

  /** Who speaks. */
  public enum Role {
    SYSTEM,
    USER,
    ASSISTANT,
    TOOL
  }

  /** What a model wants done; the arguments are the JSON text it wrote. */
  public record ToolCall(String id, String name, String arguments) {
    public ToolCall {
      id = Text.line("a tool call's id", id, ID_CHARS_MAX);
    }
  }

  public Message {
    id = Text.line("a message's id", id, ID_CHARS_MAX);
    calls = List.copyOf(calls);
    if (!calls.isEmpty() && role != Role.ASSISTANT) {
      throw Refusal.invalid("message " + id + " calls tools; only an assistant's message may");
    }
    if ((answers != null) != (role == Role.TOOL)) {
      throw Refusal.invalid(
          "message " + id + " is " + role + "; exactly a tool's message names the call it answers");
    }
  }

  public static Message user(String id, String content) {
    return new Message(id, Role.USER, content, List.of(), null);
  }

  public static Message assistant(String id, String content, ToolCall... calls) {
    return new Message(id, Role.ASSISTANT, content, List.of(calls), null);
  }

  public static Message tool(String id, String call, String content) {
    return new Message(id, Role.TOOL, content, List.of(), call);
  }

  /** All its fields; what is not there is left out. */
  public JsonObject toJson() {
    return MessageJson.write(this);
  }

  Message withContent(String newContent) {
    return new Message(id, role, newContent, calls, answers);
  }

  /** Whether one of the references is this message, its call, or something it speaks of. */
  boolean isNamedBy(Set<String> refs) {
    return refs.stream().anyMatch(this::isNamedBy);
  }

  private boolean isNamedBy(String ref) {
    if (ref.equals(id) || ref.equals(answers)) return true;
    if (calls.stream().anyMatch(call -> ref.equals(call.id()))) return true;
    return ref.length() >= REF_IN_TEXT_CHARS_MIN && texts().anyMatch(text -> text.contains(ref));
  }

  /** Everything in it that is text of its own. */
  Stream<String> texts() {
    return Stream.concat(Stream.of(content), calls.stream().map(ToolCall::arguments));
  }

  /** The SHA-256 of some messages with all their fields, in hexadecimal digits. */
  static String hash(List<Message> messages) {
    var fields = new StringBuilder();
    for (Message message : messages) {
      field(fields, message.id);
      field(fields, message.role.name());
      field(fields, message.content);
      field(fields, message.answers == null ? "" : message.answers);
      for (ToolCall call : message.calls) {
        field(fields, call.id());
        field(fields, call.name());
        field(fields, call.arguments());
      }
      fields.append(';');
    }
    return JournalEntry.sha256(fields.toString());
  }

  // Lengths before the texts: no two different messages can be written as the same line.
  private static void field(StringBuilder fields, String text) {
    fields.append(text.length()).append(':').append(text).append(',');
  }
}
