package dev.mainstay.workspace;

import dev.mainstay.context.Message;
import dev.mainstay.context.SnapshotHistory;
import dev.mainstay.context.SnapshotPrompt;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.PromptSize;
import dev.mainstay.render.Tokens;
import dev.mainstay.workspace.Tracker.Snapshot;
import java.util.List;

/** What an agent loop in this workspace sends to its model. */
public final class RepoPrompts {
  private final Tracker tracker;

  public RepoPrompts(Tracker tracker) {
    this.tracker = tracker;
  }

  /**
   * What a prompt is made of: the rules, more context, and whether the snapshot stands for the
   * history. The history is what {@link SnapshotHistory#toJson} gave, or empty.
   */
  public record Wanted(
      String template, String additional, List<JsonObject> history, boolean useSnapshot) {}

  /** A prompt and its size. */
  public record Prompt(List<JsonObject> messages, int tokens) {
    public JsonObject toJson() {
      return JsonObject.of("messages", messages, "tokens", tokens);
    }
  }

  /** System, snapshot, last exchange, request; or the full history when the flag is off. */
  public Prompt build(Wanted wanted) {
    SnapshotHistory history =
        wanted.history().isEmpty()
            ? SnapshotHistory.start(wanted.template(), Tokens.O200K::count)
            : SnapshotHistory.fromJson(wanted.history(), Tokens.O200K::count);
    Snapshot snapshot = tracker.snapshot();
    List<Message> messages =
        history.messages(
            wanted.useSnapshot(), snapshot.state(), snapshot.touched(), wanted.additional());
    int tokens = SnapshotPrompt.tokens(messages, Tokens.O200K::count);
    if (!wanted.history().isEmpty()) {
      tracker.promptGiven(PromptSize.of(tokens, history.tokens()), "repo");
    }
    return new Prompt(messages.stream().map(Message::toJson).toList(), tokens);
  }
}
