package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.render.Neutral;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.NewMessage;
import java.util.ArrayList;
import java.util.List;

/** {@code message}: reads what came, or says something to another agent. */
final class MessageTool implements Offered {
  /** So many are given at once. */
  static final int PULLED_MAX = 10;

  /** Whoever started the terminal. */
  private static final String LEAD = "lead";

  private final Rooms rooms;
  private final Visits visits;

  MessageTool(Rooms rooms, Visits visits) {
    this.rooms = rooms;
    this.visits = visits;
  }

  @Override
  public String name() {
    return "message";
  }

  @Override
  public String description() {
    return "Without arguments: read your messages. With text: send to a terminal, to lead (who"
        + " started you), or answer by reply_to.";
  }

  @Override
  public JsonObject schema() {
    return Schemas.object(
        List.of(),
        "to",
        Schemas.text(),
        "text",
        Schemas.text(Message.MESSAGE_CHARS_MAX),
        "reply_to",
        Schemas.said("message number", Schemas.number()));
  }

  @Override
  public Tool.Hints hints() {
    return WRITES;
  }

  @Override
  public Reply call(Visit visit, JsonObject arguments) {
    String text = arguments.textOrNull("text");
    String to = arguments.textOrNull("to");
    Long answered = arguments.numberOrNull("reply_to");
    if (text == null && to == null && answered == null) return pulled(visit);
    if (text == null) throw Refusal.invalid("message needs a \"text\" to send");
    if ((to == null) == (answered == null)) {
      throw Refusal.invalid("message needs either \"to\" or \"reply_to\" with its text");
    }
    Message sent =
        to != null ? sent(visit, to, text) : answer(visit, arguments.number("reply_to"), text);
    return Reply.told(
        Phrase.of("message %d is on its way to %s.", sent.id(), sent.receiver()),
        JsonObject.of("message_id", sent.id(), "to", sent.receiver()));
  }

  private Message sent(Visit visit, String to, String text) {
    boolean known = !to.equals(LEAD) || isTerminal(LEAD);
    if (known) return rooms.inbox().send(NewMessage.to(to, text), visit.callAsHolder("send"));
    return rooms.inbox().report(visit.session().holder(), text, visit.callAsHolder("report"));
  }

  private boolean isTerminal(String id) {
    return isTerminal(rooms, id);
  }

  /** Whether somebody of that name has an inbox. */
  static boolean isTerminal(Rooms rooms, String id) {
    try {
      rooms.terminals().get(id);
      return true;
    } catch (Refusal none) {
      return false;
    }
  }

  /** Only who received a message answers it. */
  private Message answer(Visit visit, long id, String text) {
    if (!rooms.inbox().show(id).receiver().equals(visit.session().holder())) {
      throw Refusal.notFound(
          Phrase.of("there is no message %d for you; message without arguments reads yours", id));
    }
    return rooms.inbox().reply(id, text, visit.callAsHolder("reply"));
  }

  private Reply pulled(Visit visit) {
    String holder = visit.session().holder();
    List<Message> messages =
        isTerminal(holder)
            ? rooms.inbox().pull(holder, PULLED_MAX, Inbox.LEASE, visit.callAsHolder("pull"))
            : List.of();
    if (messages.isEmpty()) {
      return Reply.text(Phrase.of("No message waits. Others reach you as %s.", holder));
    }
    visits.handed(visit.guest(), messages.stream().map(Message::id).toList());
    List<String> texts = new ArrayList<>();
    for (Message each : messages) texts.add(shown(each));
    texts.add("Answer with reply_to. They count as read with your next call.");
    return Reply.text(String.join("\n\n", texts));
  }

  /** A message as its reader sees it: somebody's words, and nothing but that. */
  static String shown(Message message) {
    return Phrase.of(
        "[message %d from %s]\n%s",
        message.id(), Neutral.line(message.sender()), Neutral.block(message.text()));
  }
}
