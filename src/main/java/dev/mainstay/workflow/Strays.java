package dev.mainstay.workflow;

import dev.mainstay.bpmn.Marking;
import dev.mainstay.bpmn.Token;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WorkflowWaitTable.Ended;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tokens whose task has ended while nobody followed, as in a process that knows of no workflows.
 * They are rare, so that they are looked for at first and then now and again.
 */
final class Strays {
  static final Duration LOOK_EVERY = Duration.ofMinutes(1);

  private static final int PAGE_MAX = 500;

  /** So many are brought in one turn. */
  private static final int AT_ONCE_MAX = 1_000;

  private @Nullable Instant next;

  /** Those there are, or none if somebody has just looked. */
  List<WorkflowWait> in(Tx tx) {
    return isTime(tx.now()) ? all(tx) : List.of();
  }

  private synchronized boolean isTime(Instant now) {
    if (next != null && now.isBefore(next)) return false;
    next = now.plus(LOOK_EVERY);
    return true;
  }

  private static List<WorkflowWait> all(Tx tx) {
    List<WorkflowWait> found = new ArrayList<>();
    Map<String, Set<String>> working = new HashMap<>();
    String after = "";
    List<Ended> page;
    do {
      page = tx.workflowWaits().ended(after, PAGE_MAX);
      for (Ended each : page) {
        WorkflowWait wait = each.seen();
        after = wait.name();
        // One that failed and is known to have failed waits for somebody who tries it again.
        boolean isStray =
            each.isWell()
                || working
                    .computeIfAbsent(wait.execution(), id -> working(tx, id))
                    .contains(wait.token());
        if (isStray) found.add(wait);
      }
    } while (page.size() == PAGE_MAX && found.size() < AT_ONCE_MAX);
    return found;
  }

  private static Set<String> working(Tx tx, String execution) {
    Set<String> tokens = new HashSet<>();
    Marking marking = Marking.fromJson(tx.workflowExecutions().get(execution).standing().data());
    for (Token token : marking.tokens()) {
      if (token.status() == Token.Status.IN_PROGRESS) tokens.add(token.id());
    }
    return tokens;
  }
}
