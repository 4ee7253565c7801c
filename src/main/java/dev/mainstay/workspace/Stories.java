package dev.mainstay.workspace;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.RepoState.OpenTask;
import dev.mainstay.domain.Workspace;
import dev.mainstay.domain.Workspace.Story;
import dev.mainstay.domain.WorkspaceEvent;
import dev.mainstay.json.JsonText;
import dev.mainstay.store.Once;
import java.util.List;

/** What is worked on in a workspace, and what remains to be done beside the plan. */
final class Stories {
  private final Site site;

  Stories(Site site) {
    this.site = site;
  }

  /** Begins a story with the files as they are; one that is under way goes on. */
  void begin(String story, FileBook book, Call call) {
    Story wanted = new Story(story, List.of());
    site.store()
        .inTransaction(
            Once.unkeyed(),
            tx -> {
              Workspace before = tx.workspaces().lock(site.id());
              if (story.equals(before.story().id())) return before;
              book.load(tx, before);
              FileBook.write(tx, site.id(), book.rebased());
              tx.workspaces().setStory(site.id(), wanted);
              var begun = new WorkspaceEvent.StoryBegun(story);
              tx.journal().append(Workspace.stream(site.id()), call, List.of(begun));
              return before;
            });
  }

  void setTasks(List<OpenTask> tasks, Call call) {
    List<OpenTask> kept = RepoStates.redacted(tasks);
    String asked = JsonText.write(kept.stream().map(OpenTask::toJson).toList());
    site.store()
        .inTransaction(
            Once.of(
                call,
                "repo.tasks",
                JsonObject.of("workspace", site.id(), "tasks", asked),
                done -> JsonObject.EMPTY,
                json -> true),
            tx -> {
              Workspace before = tx.workspaces().lock(site.id());
              tx.workspaces().setStory(site.id(), before.story().with(kept));
              return true;
            });
  }
}
