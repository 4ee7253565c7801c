package dev.mainstay.bpmn;

import dev.mainstay.domain.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * How an execution stands: its tokens in the order of their numbers, its variables, and the last
 * number that was given to a token.
 */
public record Marking(List<Token> tokens, JsonObject variables, long numbered) {
  /** Before anything began. */
  public static final Marking EMPTY = new Marking(List.of(), JsonObject.EMPTY, 0);

  public Marking {
    tokens = List.copyOf(tokens);
  }

  public Optional<Token> find(String token) {
    return tokens.stream().filter(each -> each.id().equals(token)).findFirst();
  }

  public JsonObject toJson() {
    return JsonObject.of(
        "tokens", tokens.stream().map(Token::toJson).toList(),
        "variables", variables,
        "numbered", numbered);
  }

  public static Marking fromJson(JsonObject json) {
    return new Marking(
        json.objects("tokens").stream().map(Token::fromJson).toList(),
        json.object("variables"),
        json.number("numbered"));
  }
}
