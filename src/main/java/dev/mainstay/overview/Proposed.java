package dev.mainstay.overview;

import dev.mainstay.domain.Execution;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Proposal;
import dev.mainstay.domain.Times;
import dev.mainstay.store.OverviewTable;
import java.util.stream.Stream;

/** What a person is asked to allow, one line each. */
final class Proposed {
  private Proposed() {}

  static Stream<JsonObject> lines(OverviewTable.Proposed found) {
    Execution execution = found.execution();
    return execution.review().open().stream().map(each -> line(found, each));
  }

  private static JsonObject line(OverviewTable.Proposed found, Proposal proposal) {
    return JsonObject.of("task_id", found.task().value(), "title", found.title())
        .with("number", proposal.number())
        .with("kind", proposal.kind())
        .with("what", proposal.what())
        .with("wanted", proposal.wanted())
        .with("sentence", proposal.shown(found.execution()))
        .with("actor", proposal.origin().actor())
        .with("at", Times.write(proposal.origin().at()));
  }
}
