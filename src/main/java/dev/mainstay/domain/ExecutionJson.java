package dev.mainstay.domain;

import dev.mainstay.domain.Execution.Figures;
import dev.mainstay.domain.Execution.Head;
import dev.mainstay.domain.Execution.Identity;
import dev.mainstay.domain.Execution.Review;
import dev.mainstay.domain.Execution.Running;

/** An execution as the doors show it and snapshots keep it, and back again. */
public final class ExecutionJson {
  private ExecutionJson() {}

  public static JsonObject write(Execution execution) {
    if (!execution.isBegun()) return JsonObject.EMPTY;
    Head head = execution.head();
    Running running = head.running();
    Figures figures = execution.figures();
    Review review = execution.review();
    return head.identity()
        .toJson()
        .with("status", head.status())
        .with("last_updated", Times.write(head.updatedAt()))
        .with("running", running == null ? null : running.toJson())
        .with("review_for", head.reviewFor())
        .with("constraints", execution.constraints().toJson())
        .with("total", figures.total().toJson())
        .with("records", figures.records())
        .with("failures", figures.failures())
        .with("consecutive_failures", figures.consecutiveFailures())
        .with("pages", execution.pages().toJson())
        .with("proposals", review.proposals())
        .with("open_proposals", review.open().stream().map(Proposal::toJson).toList())
        .with("approved", review.approved())
        .with("standing_rules", review.standing());
  }

  public static Execution read(JsonObject json) {
    if (json.isEmpty()) return Execution.NONE;
    return new Execution(
        head(json),
        Constraints.fromJson(json.object("constraints")),
        new Figures(
            Spent.fromJson(json.object("total")),
            json.integer("records"),
            json.integer("failures"),
            json.integer("consecutive_failures")),
        Pages.fromJson(json.object("pages")),
        new Review(
            json.integer("proposals"),
            json.objects("open_proposals").stream().map(Proposal::fromJson).toList(),
            json.texts("approved"),
            json.texts("standing_rules")));
  }

  private static Head head(JsonObject json) {
    return new Head(
        Identity.fromJson(json),
        ExecutionStatus.parse(json.text("status")),
        Times.read(json.text("last_updated")),
        json.has("running") ? Running.fromJson(json.object("running")) : null,
        json.textOrNull("review_for"));
  }
}
