package dev.mainstay.domain;

import dev.mainstay.domain.RepoState.OpenTask;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A folder on one host in which agents work. */
public record Workspace(String id, Place place, Story story, Files files, Instant updatedAt) {
  private static final int ID_DIGITS = 12;

  /** Where it is; the same folder on another host is another workspace. */
  public record Place(String host, String workDir) {
    public static final int HOST_CHARS_MAX = 255;

    public Place {
      host = Text.line("a host's name", host, HOST_CHARS_MAX);
    }

    /** The same for the same place, so that nobody needs to look it up. */
    public String id() {
      return "w-" + JournalEntry.sha256(host + "\n" + workDir).substring(0, ID_DIGITS);
    }
  }

  /** What is worked on there. The list is what a model or a person says remains to be done. */
  public record Story(@Nullable String id, List<OpenTask> tasks) {
    public static final Story NONE = new Story(null, List.of());

    public Story {
      if (id != null) id = Text.line("a story's id", id, RepoState.STORY_CHARS_MAX);
      tasks = List.copyOf(tasks);
      if (tasks.size() > RepoState.OPEN_TASKS_MAX) {
        throw Refusal.tooLarge(
            Phrase.of(
                "a story has at most %d open tasks, not %d; put some of them together",
                RepoState.OPEN_TASKS_MAX, tasks.size()));
      }
    }

    /** The task whose id the story has, if it looks like one. */
    public Optional<TaskId> task() {
      return id != null && TaskId.isOne(id) ? Optional.of(TaskId.parse(id)) : Optional.empty();
    }

    public Story with(List<OpenTask> newTasks) {
      return new Story(id, newTasks);
    }
  }

  /**
   * Its files as they were last seen: a hash that stands for the content of all of them, how often
   * they changed, and the hash of the view that was written of them, if one fits.
   */
  public record Files(String treeHash, long version, @Nullable String viewHash) {}

  /** The journal stream of what was written there through Mainstay. */
  public static String stream(String id) {
    return "workspace/" + id;
  }
}
