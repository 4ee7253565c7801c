package dev.mainstay.terminal;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskEvent;
import dev.mainstay.domain.TaskId;
import dev.mainstay.queue.NewTask;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Work that somebody wants done by an agent of a profile.
 *
 * @param provider in place of the profile's own; null for that
 * @param worktree whether the worker gets a git worktree of its own
 */
public record NewDelegation(
    Work work, String profile, @Nullable String provider, Where where, boolean worktree) {

  /** A task to be made, or one that is there. */
  public record Work(@Nullable NewTask task, @Nullable TaskId existing) {
    public Work {
      if ((task == null) == (existing == null)) {
        throw Refusal.invalid("delegate a new task by its title, or one that is there by --task");
      }
    }
  }

  /** In which session and folder; null for the caller's own, or else the usual ones. */
  public record Where(@Nullable String session, @Nullable Path folder) {
    public static final Where ANYWHERE = new Where(null, null);

    public Where {
      if (session != null) TmuxNames.check("session", session);
      folder = folder == null ? null : folder.toAbsolutePath().normalize();
    }
  }

  public NewDelegation {
    profile = AgentProfile.name("a profile's name", profile);
    provider = provider == null ? null : AgentProfile.name("a provider's name", provider);
  }

  public static NewDelegation of(NewTask task, String profile) {
    return new NewDelegation(new Work(task, null), profile, null, Where.ANYWHERE, false);
  }

  public static NewDelegation of(TaskId existing, String profile) {
    return new NewDelegation(new Work(null, existing), profile, null, Where.ANYWHERE, false);
  }

  public NewDelegation on(@Nullable String newProvider) {
    return new NewDelegation(work, profile, newProvider, where, worktree);
  }

  public NewDelegation in(@Nullable String session, @Nullable Path folder) {
    return new NewDelegation(work, profile, provider, new Where(session, folder), worktree);
  }

  /** With a git worktree of its own, or without. */
  public NewDelegation apart(boolean newWorktree) {
    return new NewDelegation(work, profile, provider, where, newWorktree);
  }

  JsonObject toJson() {
    NewTask task = work.task();
    TaskId existing = work.existing();
    return JsonObject.of("task", task == null ? null : payload(task))
        .with("task_id", existing == null ? null : existing.value())
        .with("agent_profile", profile)
        .with("provider", provider)
        .with("tmux_session", where.session())
        .with("work_dir", where.folder() == null ? null : where.folder().toString())
        .with("worktree", worktree);
  }

  private static JsonObject payload(NewTask task) {
    return new TaskEvent.Created(
            task.brief(), task.workflow(), task.parent(), task.dependencies(), task.terms())
        .payload();
  }
}
