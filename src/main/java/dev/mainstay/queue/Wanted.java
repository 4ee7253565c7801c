package dev.mainstay.queue;

import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskJson;
import dev.mainstay.domain.TaskType;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Once;
import java.time.Duration;
import java.util.List;

/** What a worker asks for; without types, anything. */
public record Wanted(String worker, List<TaskType> types, int limit, Duration length) {
  public static final int TYPES_MAX = 20;

  public Wanted {
    worker = Terminal.id(worker);
    Leases.checkLength(length);
    if (limit < 1 || limit > Leases.CLAIMED_AT_ONCE_MAX) {
      throw Refusal.invalid(
          Phrase.of("a worker claims between 1 and %d tasks at once", Leases.CLAIMED_AT_ONCE_MAX));
    }
    if (types.size() > TYPES_MAX) {
      throw Refusal.invalid(
          Phrase.of("a worker names at most %d types; without any it gets every type", TYPES_MAX));
    }
    types = types.stream().distinct().toList();
  }

  /** One task of any type. */
  public static Wanted any(String worker, Duration length) {
    return new Wanted(worker, List.of(), 1, length);
  }

  /** How a claim is known again, whichever way it is made. */
  Once<List<Task>> once(Call call) {
    var names = types.stream().map(TaskType::name).toList();
    var asked = JsonObject.of("worker", worker, "types", names, "limit", limit, "length", length);
    return Once.of(call, "task.claim", asked, Wanted::write, Wanted::read);
  }

  private static JsonObject write(List<Task> tasks) {
    return JsonObject.of("tasks", tasks.stream().map(TaskJson::write).toList());
  }

  private static List<Task> read(JsonObject json) {
    return json.objects("tasks").stream().map(TaskJson::read).toList();
  }
}
