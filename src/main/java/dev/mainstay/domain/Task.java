package dev.mainstay.domain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One unit of work. A lease exists exactly while somebody holds it; the table CHECKs the same. */
public record Task(TaskId id, Brief brief, Links links, Progress progress, Stamps stamps) {
  public static final int TITLE_CHARS_MAX = 256;
  public static final int DESCRIPTION_CHARS_MAX = 65_536;
  public static final int METADATA_CHARS_MAX = 65_536;
  public static final int DEPENDENCIES_MAX = 1_000;
  public static final int PRIORITY_MAX = 1_000_000;
  public static final int REASON_CHARS_MAX = 4_096;

  /** What is to be done. Higher priority is more urgent. */
  public record Brief(
      String title,
      String description,
      TaskType type,
      int priority,
      JsonObject metadata,
      @Nullable String alias) {
    /** The mark in the metadata of what a prompt opened; nobody else sets it. */
    public static final String OPENED_BY = "opened_by";

    private static final String PROMPT = "prompt";

    /** A task that its caller gives no name. */
    public Brief(
        String title, String description, TaskType type, int priority, JsonObject metadata) {
      this(title, description, type, priority, metadata, null);
    }

    public Brief {
      title = Text.wholeLine("a task's title", title, TITLE_CHARS_MAX);
      description = Text.body("a task's description", description, DESCRIPTION_CHARS_MAX);
      if (Math.abs((long) priority) > PRIORITY_MAX) {
        throw Refusal.invalid("a priority lies between -1,000,000 and 1,000,000");
      }
      Text.body("a task's metadata", metadata.toString(), METADATA_CHARS_MAX);
      if (alias != null) alias = Text.line("a task's alias", alias, TaskAlias.CHARS_MAX);
    }

    /** A task that somebody asked for in these words; the first line of them is its title. */
    public static Brief ofWords(String words) {
      String title = words.strip().lines().findFirst().orElse("").replaceAll("\\p{Cntrl}+", " ");
      return new Brief(
          Graphemes.cut(title.strip(), TITLE_CHARS_MAX),
          Graphemes.cut(words, DESCRIPTION_CHARS_MAX),
          TaskType.CODE,
          0,
          JsonObject.EMPTY);
    }

    /** The same as what a prompt opened: it is for the agent that was prompted, not for a queue. */
    public Brief openedByPrompt() {
      return with(metadata.with(OPENED_BY, PROMPT));
    }

    public boolean isOpenedByPrompt() {
      return isMark(metadata);
    }

    public static boolean isMark(JsonObject metadata) {
      return PROMPT.equals(metadata.get(OPENED_BY));
    }

    /** The same under a name that its caller chose; see {@link TaskAlias}. */
    public Brief named(@Nullable String newAlias) {
      return new Brief(title, description, type, priority, metadata, newAlias);
    }

    public Brief with(JsonObject newMetadata) {
      return new Brief(title, description, type, priority, newMetadata, alias);
    }

    /** What is to be done in one text: the title, and what the description adds to it. */
    public String inWords() {
      String more = description.strip();
      if (more.startsWith(title)) return more;
      return more.isEmpty() ? title : title + "\n\n" + more;
    }

    /** The fields by name, as events and doors write them. */
    public JsonObject toJson() {
      return JsonObject.of("title", title, "description", description, "task_type", type.name())
          .with("priority", priority)
          .with("metadata", metadata)
          .with("alias", alias);
    }

    static Brief fromJson(JsonObject json) {
      return new Brief(
          json.text("title"),
          json.text("description"),
          new TaskType(json.text("task_type")),
          json.integer("priority"),
          json.object("metadata"),
          json.textOrNull("alias"));
    }
  }

  /** What it belongs to, waits for, and on what terms it is done. */
  public record Links(
      @Nullable String workflow,
      @Nullable TaskId parent,
      List<Dependency> dependencies,
      Terms terms,
      Waiting waiting) {
    public Links {
      dependencies = List.copyOf(dependencies);
      if (dependencies.size() > DEPENDENCIES_MAX) {
        throw Refusal.tooLarge(
            "a task waits for at most 1,000 others; put a task in between that gathers them");
      }
      if (waiting.unmet() > dependencies.size()) {
        throw new IllegalStateException(waiting.unmet() + " unmet of " + dependencies.size());
      }
    }

    /** How many of the dependencies are not met; counted, no part of the journal. */
    public int unmet() {
      return waiting.unmet();
    }

    public boolean dependsOn(TaskId other) {
      return dependencies.stream().anyMatch(dependency -> dependency.on().equals(other));
    }

    public Links withUnmet(int count) {
      return with(waiting.withUnmet(count));
    }

    public Links with(Waiting other) {
      return new Links(workflow, parent, dependencies, terms, other);
    }

    public Links with(List<Dependency> others) {
      return new Links(workflow, parent, others, terms, waiting);
    }

    Links with(Terms others) {
      return new Links(workflow, parent, dependencies, others, waiting);
    }

    Links with(Dependency dependency) {
      var more = new ArrayList<>(dependencies);
      more.add(dependency);
      return with(more);
    }

    Links without(TaskId other) {
      var fewer = dependencies.stream().filter(d -> !d.on().equals(other)).toList();
      return withUnmet(Math.min(unmet(), fewer.size())).with(fewer);
    }
  }

  /** How far it is. The reason says why it was cancelled, failed or given back. */
  public record Progress(
      TaskStatus status, @Nullable String reason, int attempt, long fence, @Nullable Lease lease) {
    public static final Progress NEW = new Progress(TaskStatus.PENDING, null, 0, 0, null);

    public Progress {
      if (status.isHeld() != (lease != null)) {
        throw new IllegalStateException("a task that is " + status + " with lease " + lease);
      }
    }
  }

  /** Version counts the changes of this record; a writer may insist on the one it has seen. */
  public record Stamps(
      long version, Instant createdAt, Instant updatedAt, @Nullable Instant completedAt) {
    Stamps next(Instant at) {
      return new Stamps(version + 1, createdAt, at, completedAt);
    }

    Stamps moved(Instant at, boolean completed) {
      return new Stamps(version + 1, createdAt, at, completed ? at : null);
    }
  }

  public TaskStatus status() {
    return progress.status();
  }

  public String title() {
    return brief.title();
  }

  public long fence() {
    return progress.fence();
  }

  public Optional<Lease> lease() {
    return Optional.ofNullable(progress.lease());
  }

  /** The status, and whether a pending task is ready: lists show READY for it. */
  public String standing() {
    return isReady() ? "PENDING (ready)" : status().name();
  }

  /** Ready means: nobody has it, nobody needs to be waited for. */
  public boolean isReady() {
    return status() == TaskStatus.PENDING && links.waiting().isNothing();
  }

  /**
   * Refuses a call that may not write. While the task is held, an agent must be its holder or one
   * of the holder's helpers, and give the fence of the lease. Persons and Mainstay itself need no
   * fence. A fence that is given must be the current one, for every caller.
   */
  public void admit(Call call) {
    boolean stale = call.fence() != null && (!status().isHeld() || call.fence() != fence());
    if (stale) {
      throw Refusal.leaseLost(
          Phrase.of(
              "lease lost: fence %d of %s is no longer valid (%s); claim the task again",
              call.fence(), id, heldBy()));
    }
    Lease lease = progress.lease();
    if (lease == null || !call.actor().isAgent()) return;
    if (!lease.isOf(call)) {
      throw Refusal.notHolder(
          Phrase.of(
              "%s is held by %s; you are %s: ask %s to name you as a helper, or a person at a"
                  + " terminal to do it",
              id, lease.holder(), call.actor(), lease.holder()));
    }
    if (call.fence() == null) {
      throw Refusal.leaseLost(
          Phrase.of(
              "%s is held by %s; an agent gives the fence of its claim with each change"
                  + " (--fence N, Mainstay-Fence)",
              id, lease.holder()));
    }
  }

  /** Whether a call may write. */
  public boolean admits(Call call) {
    try {
      admit(call);
      return true;
    } catch (Refusal lost) {
      return false;
    }
  }

  /** Refuses a change by somebody who has seen another version than the current one. */
  public void expectVersion(@Nullable Long expected) {
    if (expected != null && expected != stamps.version()) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is at version %d, not %d: read it again and repeat the change",
              id, stamps.version(), expected));
    }
  }

  private String heldBy() {
    return lease()
        .map(lease -> "it is held by " + lease.holder())
        .orElse("it is " + status() + " and nobody holds it");
  }

  /** The task on its own, when what it was a part of is gone. */
  public Task withoutParent() {
    var alone =
        new Links(links.workflow(), null, links.dependencies(), links.terms(), links.waiting());
    return with(alone);
  }

  /** The same task with what it waits for counted anew. */
  public Task with(Links newLinks) {
    return new Task(id, brief, newLinks, progress, stamps);
  }

  Task changed(Instant at, Brief newBrief) {
    return new Task(id, newBrief, links, progress, stamps.next(at));
  }

  /** The lease of a task that is held; of another it is a bug to ask for it. */
  Lease mustBeHeld() {
    Lease lease = progress.lease();
    if (lease == null) throw new IllegalStateException(id + " is " + status() + ", not held");
    return lease;
  }

  /** The same task, held under another lease of the same holder. */
  Task leased(Instant at, Lease lease) {
    var was = progress;
    var next = new Progress(was.status(), was.reason(), was.attempt(), was.fence(), lease);
    return new Task(id, brief, links, next, stamps.next(at));
  }

  Task linked(Instant at, Links newLinks) {
    return new Task(id, brief, newLinks, progress, stamps.next(at));
  }

  /** Another status, which the table of {@link TaskStatus} must allow. */
  Task moved(Instant at, Progress next) {
    if (status() == next.status()) throw Refusal.conflict(id + " is " + standing() + " already");
    if (!status().mayBecome(next.status())) {
      throw Refusal.conflict(
          Phrase.of(
              "%s is %s and cannot become %s; from %s it may become: %s",
              id, standing(), next.status(), status(), followers()));
    }
    return new Task(
        id, brief, links, next, stamps.moved(at, next.status() == TaskStatus.COMPLETED));
  }

  private String followers() {
    var followers = status().followers();
    return followers.isEmpty() ? "nothing more" : TaskStatus.names(followers);
  }
}
