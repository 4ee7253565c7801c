package dev.mainstay.domain;

import dev.mainstay.domain.Task.Brief;
import dev.mainstay.domain.Task.Links;
import dev.mainstay.domain.Task.Progress;
import dev.mainstay.domain.Task.Stamps;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A task as the doors show it, and back again. */
public final class TaskJson {
  private TaskJson() {}

  public static JsonObject write(Task task) {
    var lease = task.lease();
    Waiting waiting = task.links().waiting();
    Map<String, String> kinds = new TreeMap<>();
    for (var dependency : task.links().dependencies()) {
      if (dependency.kind() != Dependency.Kind.BLOCKS) {
        kinds.put(dependency.on().value(), dependency.kind().typed());
      }
    }
    return task.brief()
        .toJson()
        .with("id", task.id().value())
        .with("status", task.status())
        .with("workflow_id", task.links().workflow())
        .with("parent_id", task.links().parent())
        .with("dependencies", ids(task.links().dependencies()))
        .with("dependency_kinds", kinds.isEmpty() ? null : kinds)
        .with("terms", task.links().terms().isNone() ? null : task.links().terms().toJson())
        .with("unmet_dependencies", waiting.unmet())
        .with("open_children", waiting.openChildren())
        .with("delayed_until", text(waiting.delayedUntil()))
        .with("over_budget", waiting.overBudget() ? true : null)
        .with("reason", task.progress().reason())
        .with("attempt", task.progress().attempt())
        .with("fence", task.fence())
        .with("lease_holder", lease.map(Lease::holder).orElse(null))
        .with("helpers", lease.map(Lease::helpers).filter(all -> !all.isEmpty()).orElse(null))
        .with("lease_since", lease.map(Lease::since).map(Times::write).orElse(null))
        .with("heartbeat_at", lease.map(Lease::heartbeat).map(Times::write).orElse(null))
        .with("lease_until", lease.map(Lease::until).map(Times::write).orElse(null))
        .with("version", task.stamps().version())
        .with("created_at", Times.write(task.stamps().createdAt()))
        .with("updated_at", Times.write(task.stamps().updatedAt()))
        .with("completed_at", text(task.stamps().completedAt()));
  }

  public static Task read(JsonObject json) {
    JsonObject kinds = json.object("dependency_kinds");
    List<Dependency> dependencies =
        json.texts("dependencies").stream().map(id -> dependency(id, kinds)).toList();
    String parent = json.textOrNull("parent_id");
    String holder = json.textOrNull("lease_holder");
    return new Task(
        new TaskId(json.text("id")),
        Brief.fromJson(json),
        new Links(
            json.textOrNull("workflow_id"),
            parent == null ? null : new TaskId(parent),
            dependencies,
            Terms.fromJson(json.object("terms")),
            waiting(json)),
        new Progress(
            TaskStatus.valueOf(json.text("status")),
            json.textOrNull("reason"),
            json.integer("attempt"),
            json.number("fence"),
            holder == null ? null : lease(holder, json)),
        new Stamps(
            json.number("version"),
            Times.read(json.text("created_at")),
            Times.read(json.text("updated_at")),
            instant(json.textOrNull("completed_at"))));
  }

  /** Answers that were stored by an earlier version lack what came later. */
  private static Waiting waiting(JsonObject json) {
    Integer children = json.integerOrNull("open_children");
    return new Waiting(
        json.integer("unmet_dependencies"),
        children == null ? 0 : children,
        instant(json.textOrNull("delayed_until")),
        Boolean.TRUE.equals(json.get("over_budget")));
  }

  private static Lease lease(String holder, JsonObject json) {
    Instant until = Times.read(json.text("lease_until"));
    Instant since = instant(json.textOrNull("lease_since"));
    Instant heartbeat = instant(json.textOrNull("heartbeat_at"));
    return new Lease(
        holder,
        since == null ? until : since,
        heartbeat == null ? until : heartbeat,
        until,
        json.texts("helpers"));
  }

  /** The ids a task waits for, in the order they were given. */
  public static List<String> ids(List<Dependency> dependencies) {
    return dependencies.stream().map(dependency -> dependency.on().value()).toList();
  }

  private static Dependency dependency(String id, JsonObject kinds) {
    String kind = kinds.textOrNull(id);
    return new Dependency(
        new TaskId(id), kind == null ? Dependency.Kind.BLOCKS : Dependency.Kind.parse(kind));
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : Times.write(instant);
  }

  private static @Nullable Instant instant(@Nullable String text) {
    return text == null ? null : Times.read(text);
  }
}
