package dev.mainstay.domain;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is there and what remains to be done: the files of a workspace, sorted by path, and the open
 * tasks of the story that is worked on, in their order.
 */
public record RepoState(
    String workDir,
    @Nullable String storyId,
    List<FileMeta> files,
    List<OpenTask> openTasks,
    Instant lastUpdated) {
  public static final int STORY_CHARS_MAX = 128;
  public static final int OPEN_TASKS_MAX = 200;

  /** What became of a file since the story began. */
  public enum FileStatus {
    CREATED,
    MODIFIED,
    UNCHANGED,
    DELETED;

    public String typed() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static FileStatus parse(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /**
   * One file. The hash is the SHA-256 of its content in hexadecimal digits; a file that was too
   * large or came too late to be hashed has none yet.
   */
  public record FileMeta(
      String path, @Nullable String hash, long size, Instant modTime, FileStatus status) {
    /** Its last extension or its whole name, as {@link FileType} knows it. */
    public FileType type() {
      return FileType.of(path);
    }

    public boolean isThere() {
      return status != FileStatus.DELETED;
    }

    public JsonObject toJson() {
      return JsonObject.of("path", path, "hash", hash, "size", size)
          .with("mod_time", Times.write(modTime))
          .with("type", type().name())
          .with("status", status.typed());
    }

    static FileMeta fromJson(JsonObject json) {
      return new FileMeta(
          json.text("path"),
          json.textOrNull("hash"),
          json.number("size"),
          Times.read(json.text("mod_time")),
          FileStatus.parse(json.text("status")));
    }
  }

  /** One thing that remains to be done; a lower priority number comes first. */
  public record OpenTask(String description, Status status, int priority) {
    public static final int DESCRIPTION_CHARS_MAX = 256;
    public static final int PRIORITY_MAX = 999_999_999;

    /** How far it is, in the words of the snapshot. */
    public enum Status {
      PENDING,
      IN_PROGRESS,
      COMPLETED;

      public String typed() {
        return name().toLowerCase(Locale.ROOT);
      }

      public static Status parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
      }
    }

    public OpenTask {
      description = Text.line("an open task", description, DESCRIPTION_CHARS_MAX);
    }

    public boolean isOpen() {
      return status != Status.COMPLETED;
    }

    public JsonObject toJson() {
      return JsonObject.of(
          "description", description, "status", status.typed(), "priority", priority);
    }

    public static OpenTask fromJson(JsonObject json) {
      return new OpenTask(
          json.text("description"), Status.parse(json.text("status")), json.integer("priority"));
    }
  }

  public RepoState {
    if (storyId != null) storyId = Text.line("a story's id", storyId, STORY_CHARS_MAX);
    files = files.stream().sorted(Comparator.comparing(FileMeta::path)).toList();
    openTasks = openTasks.stream().sorted(Comparator.comparingInt(OpenTask::priority)).toList();
    if (openTasks.size() > OPEN_TASKS_MAX) {
      throw Refusal.tooLarge(
          Phrase.of(
              "a story has at most %d open tasks, not %d; put some of them together",
              OPEN_TASKS_MAX, openTasks.size()));
    }
  }

  /** The files that are there, without those that were deleted. */
  public List<FileMeta> present() {
    return files.stream().filter(FileMeta::isThere).toList();
  }

  /** The document's shape. */
  public JsonObject toJson() {
    return JsonObject.of("work_dir", workDir, "story_id", storyId)
        .with("files", files.stream().map(FileMeta::toJson).toList())
        .with("open_tasks", openTasks.stream().map(OpenTask::toJson).toList())
        .with("last_updated", Times.write(lastUpdated));
  }

  /** The open tasks of a written state, read as leniently as any other list of tasks. */
  public static List<OpenTask> openTasks(JsonObject json) {
    return json.get("open_tasks") instanceof List<?> items
        ? OpenTasks.gather(OpenTasks.drafts(items)).tasks()
        : List.of();
  }

  public static RepoState fromJson(JsonObject json) {
    return new RepoState(
        json.text("work_dir"),
        json.textOrNull("story_id"),
        json.objects("files").stream().map(FileMeta::fromJson).toList(),
        json.objects("open_tasks").stream().map(OpenTask::fromJson).toList(),
        Times.read(json.text("last_updated")));
  }
}
