package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.bpmn.Node.TimerKind;
import dev.mainstay.bpmn.Node.Trigger.Message;
import dev.mainstay.bpmn.Node.Trigger.Timer;
import dev.mainstay.bpmn.Node.Wording;
import dev.mainstay.bpmn.Wish.Posting;
import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Text;
import dev.mainstay.domain.WorkflowMessage;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What nodes ask for, with the variables of a token in it. What cannot be told is refused. */
final class Orders {
  private final Board board;
  private final Sight sight;

  Orders(Board board, Sight sight) {
    this.board = board;
    this.sight = sight;
  }

  /** The work of a token's node. */
  Order work(Token token) {
    Node node = board.node(token);
    Order order = node.traits().order() == null ? Order.USUAL : node.traits().order();
    Wording words = order.wording();
    String wanted = words.title().isBlank() ? node.title() : words.title();
    String title = sight.filled("the title of " + node.id(), wanted, token);
    String description =
        sight.filled("the description of " + node.id(), words.description(), token);
    if (board.isChooser(token)) description = choice(node, description);
    JsonObject metadata = metadata(node, order.metadata(), token);
    return new Order(
        order.type(),
        order.priority(),
        new Wording(title, description, words.answers()),
        order.hands(),
        metadata);
  }

  private JsonObject metadata(Node node, JsonObject templates, Token token) {
    JsonObject filled = templates;
    for (var field : templates.asMap().entrySet()) {
      if (!(field.getValue() instanceof String text)) continue;
      String where = Phrase.of("%s of %s", field.getKey(), node.id());
      filled = filled.with(field.getKey(), sight.filled(where, text, token));
    }
    return filled;
  }

  private String choice(Node node, String description) {
    String choices =
        board.definition.starts(node.id()).stream()
            .map(each -> Phrase.of("- %s: %s", each.id(), each.title()))
            .collect(Collectors.joining("\n"));
    return Phrase.of(
            "%s\n\nChoose what is done next and complete this task with {\"next\": \"ID\"}%s, or with {\"done\": true} when nothing more is to be done. The ids are:\n%s",
            description,
            AdHocs.isSequential(node) ? "" : " or {\"next\": [\"ID\", \"ID\"]}",
            choices)
        .strip();
  }

  /** When a timer is due first. */
  Instant due(Timer timer, Token token) {
    Timing timing = Timing.of(new Timer(timer.kind(), text(timer, token)));
    return timing
        .first(board.now)
        .orElseThrow(
            () -> Refusal.invalid(Phrase.of("\"%s\" names no moment that comes", timer.text())));
  }

  /** The text of a timer, which may be an expression. */
  String text(Timer timer, Token token) {
    String text = timer.text().strip();
    if (!text.startsWith("=")) return text;
    Object value = sight.value("the timer of " + token.position(), text.substring(1), token);
    return value instanceof String words ? words : CompactJson.of(value);
  }

  static boolean isCycle(Timer timer) {
    return timer.kind() == TimerKind.CYCLE;
  }

  @Nullable String correlation(Message message, Token token) {
    String asked = message.correlation();
    if (asked == null) return null;
    Object value = sight.value("the correlation of " + token.position(), asked, token);
    String words = value instanceof String text ? text : CompactJson.of(value);
    String what = "the correlation of " + token.position();
    return Text.line(what, words, WorkflowMessage.CORRELATION_CHARS_MAX);
  }

  Posting posting(Message message, Token token) {
    String asked = message.content();
    JsonObject content = JsonObject.EMPTY;
    if (asked != null) {
      Object value = sight.value("the content of " + token.position(), asked, token);
      if (!(value instanceof JsonObject object)) {
        throw Refusal.invalid(
            Phrase.of(
                "the content of %s, \"%s\", must be an object such as {\"version\": version}",
                token.position(), asked));
      }
      content = object;
    }
    return new Posting(message.name(), correlation(message, token), content);
  }
}
