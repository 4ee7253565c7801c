package dev.mainstay.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.WorkflowEvent.Controlled;
import dev.mainstay.domain.WorkflowExecution.Caller;
import dev.mainstay.domain.WorkflowExecution.Home;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the journal is told of workflows, their executions and their messages. */
class WorkflowToldTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Workflow RELEASE = new Workflow("WF-002", "release", 2, "Release", NOON);

  private static WorkflowExecution execution(Caller caller) {
    return new WorkflowExecution(
        "EX-001",
        "WF-002",
        new Home("s", "host", "/repo", caller),
        new WorkflowExecution.Standing(
            WorkflowExecution.Status.RUNNING, "n", JsonObject.EMPTY, null, 1),
        new WorkflowExecution.Stamps("person:ada", NOON, null));
  }

  @Test
  void a_version_is_told_with_its_hash_and_comes_back_from_what_was_told() {
    var imported = new WorkflowEvent.Imported(RELEASE, "abc");
    assertThat(imported.kind()).isEqualTo("workflow.imported");
    assertThat(imported.payload().text("content_hash")).isEqualTo("abc");
    assertThat(Workflow.fromJson(imported.payload())).isEqualTo(RELEASE);
    assertThat(RELEASE.toJson())
        .isEqualTo(
            JsonObject.of("id", "WF-002", "name", "release", "version", 2, "title", "Release")
                .with("created_at", Times.write(NOON)));
    assertThat(Workflow.stream("release")).isEqualTo("workflow/release");
  }

  @Test
  void an_execution_is_told_with_where_it_works_and_who_called_it() {
    var own = new WorkflowEvent.Started(execution(null));
    JsonObject home =
        JsonObject.of("workflow_id", "WF-002", "session_name", "s")
            .with("host", "host")
            .with("work_dir", "/repo");
    assertThat(own.kind()).isEqualTo("workflow.started");
    assertThat(own.payload()).isEqualTo(home);
    var called = new WorkflowEvent.Started(execution(new Caller("EX-000", "token-3")));
    assertThat(called.payload())
        .isEqualTo(home.with("parent_execution", "EX-000").with("parent_token", "token-3"));
  }

  @Test
  void every_event_has_its_kind_and_says_what_it_is_about() {
    JsonObject due = JsonObject.of("what", "due");
    assertTold(new WorkflowEvent.Held(due), "workflow.held", due);
    assertTold(
        new Controlled(Controlled.PAUSED, "lunch"),
        "workflow.paused",
        JsonObject.of("reason", "lunch"));
    assertTold(new Controlled(Controlled.RESUMED, null), "workflow.resumed", JsonObject.EMPTY);
    assertTold(new Controlled(Controlled.CANCELLED, null), "workflow.cancelled", JsonObject.EMPTY);
    assertTold(
        new WorkflowEvent.Migrated("WF-001", "WF-002"),
        "workflow.migrated",
        JsonObject.of("from", "WF-001", "to", "WF-002"));
    assertTold(new WorkflowEvent.Scheduled(true), "workflow.scheduled", JsonObject.EMPTY);
    assertTold(new WorkflowEvent.Scheduled(false), "workflow.unscheduled", JsonObject.EMPTY);
  }

  @Test
  void a_message_is_told_when_it_is_kept_taken_or_too_old() {
    JsonObject content = JsonObject.of("order", 7);
    assertTold(
        new WorkflowEvent.MessageKept("c", content),
        "workflow.message_kept",
        JsonObject.of("correlation", "c", "content", content));
    assertTold(
        new WorkflowEvent.MessageGone(4, "c", "EX-001"),
        "workflow.message_taken",
        JsonObject.of("id", 4, "correlation", "c", "execution_id", "EX-001"));
    assertTold(
        new WorkflowEvent.MessageGone(4, null, null),
        "workflow.message_expired",
        JsonObject.of("id", 4));
  }

  private static void assertTold(WorkflowEvent event, String kind, JsonObject payload) {
    assertThat(event.kind()).isEqualTo(kind);
    assertThat(event.payload()).isEqualTo(payload);
  }

  @Test
  void the_tokens_that_moved_are_told_without_what_did_not_change() {
    JsonObject data = JsonObject.of("numbered", 3);
    var still =
        WorkflowEvent.Moved.between(data, data, JsonObject.EMPTY, List.of(JsonObject.EMPTY));
    assertTold(
        still, "workflow.moved", JsonObject.of("numbered", 3, "traces", List.of(JsonObject.EMPTY)));
  }

  @Test
  void a_message_shows_who_sent_it_when() {
    var message =
        new WorkflowMessage(
            4, "paid", "c", JsonObject.of("a", 1), new WorkflowMessage.Sent("person:ada", NOON));
    assertThat(WorkflowMessage.stream("paid")).isEqualTo("message/paid");
    assertThat(message.toJson())
        .isEqualTo(
            JsonObject.of("id", 4, "name", "paid", "correlation", "c")
                .with("content", JsonObject.of("a", 1))
                .with("sent_by", "person:ada")
                .with("sent_at", Times.write(NOON)));
  }

  @Test
  void a_start_is_by_a_moment_or_by_a_message_and_by_nothing_else() {
    var timed = new WorkflowStart("WF-002", "begin", NOON, null, 3);
    assertThat(timed.toJson())
        .isEqualTo(JsonObject.of("node", "begin", "fired", 3, "next", Times.write(NOON)));
    var told = new WorkflowStart("WF-002", "begin", null, "paid", 0);
    assertThat(told.toJson())
        .isEqualTo(JsonObject.of("node", "begin", "fired", 0, "message", "paid"));
    assertThatThrownBy(() -> new WorkflowStart("WF-002", "begin", null, null, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("begin");
    assertThatThrownBy(() -> new WorkflowStart("WF-002", "begin", NOON, "paid", 0))
        .isInstanceOf(IllegalStateException.class);
  }
}
