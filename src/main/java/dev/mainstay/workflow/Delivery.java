package dev.mainstay.workflow;

import dev.mainstay.bpmn.Wish.Posting;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Text;
import dev.mainstay.domain.WorkflowExecution.Status;
import dev.mainstay.domain.WorkflowMessage;
import dev.mainstay.domain.WorkflowStart;
import dev.mainstay.store.Tx;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages from outside: each goes to one execution, begins one, or is kept. */
final class Delivery {
  private static final int NAME_CHARS_MAX = 256;

  private final Tx tx;
  private final Moving moving;
  private final Wishing wishing;

  Delivery(Tx tx, Moving moving) {
    this.tx = tx;
    this.moving = moving;
    this.wishing = new Wishing(tx, moving);
  }

  /** A message without secrets and within limits. */
  static NewMessage checked(NewMessage given) {
    if (given.keep() && given.execution() != null) {
      throw Refusal.invalid(
          "a message is kept for whoever waits first, not for one execution; leave one of the two out");
    }
    return new NewMessage(
        Text.line("a message's name", given.name(), NAME_CHARS_MAX),
        correlation(given.correlation()),
        given.execution(),
        Given.data("the message", given.content()),
        given.keep());
  }

  private static @Nullable String correlation(@Nullable String given) {
    if (given == null) return null;
    String kept = Redactor.DEFAULT.redact(given);
    return Text.line("a message's correlation", kept, WorkflowMessage.CORRELATION_CHARS_MAX);
  }

  static JsonObject json(NewMessage message) {
    return JsonObject.of("name", message.name(), "correlation", message.correlation())
        .with("execution", message.execution())
        .with("content", message.content())
        .with("keep", message.keep());
  }

  /** Who got it; nobody if it is kept. */
  Optional<Running> of(NewMessage message, Call call) {
    Posting posting = new Posting(message.name(), message.correlation(), message.content());
    String only = message.execution();
    if (only != null) return Optional.of(toOne(only, posting, call));
    // Nothing is locked yet, so that whoever waits longest can be waited for.
    tx.workflowWaits().forMessage(posting.message(), posting.correlation(), null, 1).stream()
        .findFirst()
        .ifPresent(first -> moving.lock(first.execution()));
    Optional<Running> got = wishing.deliver(posting, null, call);
    if (got.isPresent()) return got;
    Optional<WorkflowStart> start = wishing.startFor(posting);
    if (start.isPresent()) {
      var home = Errand.home(tx, start.get().workflow());
      return Optional.of(wishing.begin(start.get(), posting.content(), home, call));
    }
    if (!message.keep() && !wishing.isAwaited(posting)) throw nobodyWaits(posting, "");
    wishing.keep(posting, call);
    return Optional.empty();
  }

  private Running toOne(String id, Posting posting, Call call) {
    Running one = moving.lock(id);
    if (one.status() == Status.PAUSED) {
      throw Refusal.conflict(Phrase.of("%s is PAUSED; resume it first, then send it again", id));
    }
    return wishing.deliver(posting, id, call).orElseThrow(() -> nobodyWaits(posting, " in " + id));
  }

  private static Refusal nobodyWaits(Posting posting, String where) {
    return Refusal.conflict(
        Phrase.of(
            "nobody waits for the message %s%s with that correlation; keep it for later with --keep, or look at what is waited for with 'mainstay workflow show'",
            posting.message(), where));
  }
}
