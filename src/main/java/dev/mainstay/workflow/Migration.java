package dev.mainstay.workflow;

import dev.mainstay.bpmn.Definition;
import dev.mainstay.bpmn.Edge;
import dev.mainstay.bpmn.Node;
import dev.mainstay.bpmn.Token;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Workflow;
import dev.mainstay.domain.WorkflowEvent;
import dev.mainstay.domain.WorkflowWait;
import dev.mainstay.store.Tx;
import dev.mainstay.store.WorkflowTable;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lets an execution go on by another version, if it could stand there as it stands now. */
final class Migration {
  private final Tx tx;
  private final Moving moving;
  private final Running running;

  Migration(Tx tx, Moving moving, Running running) {
    this.tx = tx;
    this.moving = moving;
    this.running = running;
  }

  void to(@Nullable Long version, Call call) {
    Workflow from = tx.workflows().get(running.execution().workflow());
    String name = from.name();
    Workflow to =
        (version == null ? tx.workflows().newest(name) : tx.workflows().version(name, version))
            .orElseThrow(() -> WorkflowTable.unknown(name + "@" + version));
    if (to.id().equals(from.id())) {
      throw Refusal.conflict(
          Phrase.of("%s runs by version %d of %s already", running.id(), to.version(), name));
    }
    Definition next = moving.definitions().of(tx, to.id());
    Set<String> against = against(next);
    if (!against.isEmpty()) {
      throw Refusal.conflict(
          Phrase.of(
              "%s cannot go on by version %d of %s: %s",
              running.id(), to.version(), name, String.join("; ", against)));
    }
    running.migrated(to.id(), next);
    moving.journal(running, new WorkflowEvent.Migrated(from.id(), to.id()), call);
  }

  private Set<String> against(Definition next) {
    Set<String> reasons = new LinkedHashSet<>();
    for (Token token : running.marking().tokens()) {
      lookAt(token.position(), next, reasons);
      if (token.status() == Token.Status.WAITING) lookAtTrigger(token.position(), next, reasons);
      String edge = token.load().edge();
      if (edge != null) lookAtEdge(edge, next, reasons);
    }
    for (WorkflowWait wait : running.waits()) lookAt(wait.node(), next, reasons);
    return reasons;
  }

  private void lookAt(String id, Definition next, Set<String> reasons) {
    Node was = running.definition().find(id).orElse(null);
    Node is = next.find(id).orElse(null);
    if (was == null) return;
    if (is == null) {
      reasons.add(Phrase.of("it stands at %s, which is not there", id));
    } else if (is.kind() != was.kind()) {
      reasons.add(
          Phrase.of("%s is a %s there, not a %s", id, is.kind().typed(), was.kind().typed()));
    } else if (!Objects.equals(is.frame(), was.frame())) {
      reasons.add(Phrase.of("%s lies elsewhere there", id));
    } else if ((is.traits().loop() == null) != (was.traits().loop() == null)) {
      reasons.add(Phrase.of("%s is done once for each item in only one of them", id));
    }
  }

  /** What it waits for already would be something else there. */
  private void lookAtTrigger(String id, Definition next, Set<String> reasons) {
    Node was = running.definition().find(id).orElse(null);
    Node is = next.find(id).orElse(null);
    if (was == null || is == null || is.kind() != was.kind()) return;
    if (!Objects.equals(is.traits().trigger(), was.traits().trigger())) {
      reasons.add(Phrase.of("it waits at %s, which waits for something else there", id));
    }
  }

  private void lookAtEdge(String id, Definition next, Set<String> reasons) {
    Edge was = running.definition().findEdge(id).orElse(null);
    Edge is = next.findEdge(id).orElse(null);
    if (was == null) return;
    boolean same =
        is != null && is.source().equals(was.source()) && is.target().equals(was.target());
    if (!same) reasons.add(Phrase.of("it is on the way %s, which is not there", id));
    else lookAt(was.target(), next, reasons);
  }
}
