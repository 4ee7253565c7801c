package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Yield;
import dev.mainstay.bpmn.Token.Load;
import dev.mainstay.domain.CompactJson;
import dev.mainstay.domain.Graphemes;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.References;
import dev.mainstay.domain.Refusal;
import dev.mainstay.rules.Expression;
import dev.mainstay.rules.Expression.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variables as a token sees them: its own, those of what it lives in, and those of all. What is
 * written goes to the innermost that has it; in a round of a loop it stays in that round.
 */
final class Sight {
  /** How much of the variables an incident tells. */
  private static final int SHOWN_CHARS_MAX = 1_000;

  private final Board board;

  Sight(Board board) {
    this.board = board;
  }

  JsonObject of(Token token) {
    Deque<Token> outwards = new ArrayDeque<>();
    Optional<Token> each = Optional.of(token);
    while (each.isPresent()) {
      if (!each.get().load().locals().isEmpty()) outwards.push(each.get());
      each = board.find(each.get().parent());
    }
    Map<String, @Nullable Object> seen = new HashMap<>(board.variables());
    for (Token outer : outwards) seen.putAll(outer.load().locals().asMap());
    return JsonObject.copyOf(seen);
  }

  /** Sets a variable; a null is a value too. */
  void set(Token token, String name, @Nullable Object value) {
    Optional<Token> each = Optional.of(token);
    while (each.isPresent()) {
      Token owner = each.get();
      if (board.isRound(owner) || owner.load().locals().has(name)) {
        // The board may have moved on from the token that was given.
        Token now = board.find(owner.id()).orElse(owner);
        Load load = now.load();
        JsonObject locals = load.locals().withAny(name, value);
        Load next = new Load(load.edge(), locals, load.loop(), load.problem());
        board.put(new Token(now.id(), now.position(), now.status(), now.parent(), next));
        return;
      }
      each = board.find(owner.parent());
    }
    board.variables().put(name, value);
  }

  /** Leaves the result of a token's node where the node says. */
  void take(Token token, @Nullable Object result) {
    String name = board.node(token).result();
    if (!name.equals(Yield.FIELDS)) {
      set(token, name, result);
    } else if (result instanceof JsonObject fields) {
      fields.asMap().forEach((field, value) -> set(token, field, value));
    }
  }

  /** What an expression gives; one that gives nothing is refused, with what it was asked about. */
  @Nullable Object value(String what, String expression, Token token) {
    JsonObject seen = of(token);
    Answer answer;
    try {
      answer = Expression.compile(expression).ask(seen);
    } catch (Refusal wrong) {
      throw cannot(what, expression, wrong.getMessage(), seen);
    }
    if (answer.problem() != null) throw cannot(what, expression, answer.problem(), seen);
    return answer.value();
  }

  /** Whether a condition holds. */
  boolean holds(String what, String condition, Token token) {
    Object value = value(what, condition, token);
    if (value instanceof Boolean flag) return flag;
    String why = "it gives " + CompactJson.of(value) + " and neither true nor false";
    throw cannot(what, condition, why, of(token));
  }

  private static Refusal cannot(
      String what, String expression, @Nullable String why, JsonObject seen) {
    String variables = CompactJson.of(seen);
    return Refusal.invalid(
        Phrase.of(
            "%s, \"%s\", cannot be told: %s; the variables are %s",
            what, expression, why, Graphemes.excerpt(variables, SHOWN_CHARS_MAX)));
  }

  /** A text with its references filled in; what a variable holds is taken as it stands. */
  String filled(String what, String template, Token token) {
    if (!template.contains("{{")) return template;
    Object text = References.resolve(template, (JsonObject) literal(of(token)), what);
    return text instanceof String words ? words : CompactJson.of(text);
  }

  private static Object literal(@Nullable Object value) {
    if (value instanceof String text) return References.literal(text);
    if (value instanceof JsonObject object) {
      Map<String, @Nullable Object> fields = new HashMap<>();
      object.asMap().forEach((name, each) -> fields.put(name, each == null ? null : literal(each)));
      return JsonObject.copyOf(fields);
    }
    if (value instanceof List<?> items) {
      List<@Nullable Object> copy = new ArrayList<>();
      for (Object item : items) copy.add(item == null ? null : literal(item));
      return copy;
    }
    return value == null ? "" : value;
  }
}
