package dev.mainstay.bpmn;

import dev.mainstay.bpmn.Node.Order;
import dev.mainstay.domain.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What an execution wants done for one of its tokens, in the order in which it came to want it. */
public sealed interface Wish {
  String token();

  /** A task for the queue, its texts filled in. */
  record Work(String token, String node, Order order) implements Wish {}

  /** A person's answer, the question filled in. */
  record Ask(String token, String node, Order order) implements Wish {}

  /** To be told at this moment. */
  record Wake(String token, Instant due) implements Wish {}

  /** To be told when this message comes. */
  record Listen(String token, String message, @Nullable String correlation) implements Wish {}

  /** A message sent; the token has gone on. */
  record Send(String token, Posting posting) implements Wish {}

  /** Another workflow run with these variables. */
  record Call(String token, String workflow, JsonObject variables) implements Wish {}

  /** Whatever was wanted for this token is wanted no more. */
  record Withdraw(String token) implements Wish {}

  record Posting(String message, @Nullable String correlation, JsonObject content) {}
}
