package dev.mainstay.mcp;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskId;
import dev.mainstay.json.JsonText;
import dev.mainstay.render.Budget;
import dev.mainstay.session.Places;
import dev.mainstay.state.Known;
import dev.mainstay.state.Prompts;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What can be read by its address: state and prompt of each task, and the files of a worktree. */
final class TaskResources {
  static final String STATE = "mainstay://tasks/{id}/state";
  static final String PROMPT = "mainstay://tasks/{id}/prompt";
  static final String SNAPSHOT = "mainstay://workspace/snapshot";

  private static final int SMALLER = 80;
  private static final Pattern TASK = Pattern.compile("mainstay://tasks/([^/]+)/(state|prompt)");

  private final Rooms rooms;

  TaskResources(Rooms rooms) {
    this.rooms = rooms;
  }

  List<Resource> all() {
    return List.of(
        new Resource(
            SNAPSHOT,
            "workspace snapshot",
            "Files and open work of the worktree, compared with the disk",
            "text/plain",
            this::snapshot),
        new Resource(
            STATE,
            "task state",
            "What is known of a task, as JSON",
            "application/json",
            this::state),
        new Resource(
            PROMPT,
            "task prompt",
            "What an agent is shown of a task, most important first",
            "text/plain",
            this::prompt));
  }

  /** The two addresses of a task. */
  static List<String> of(TaskId id) {
    return List.of(STATE.replace("{id}", id.value()), PROMPT.replace("{id}", id.value()));
  }

  private List<JsonObject> state(Asking asking, String uri) {
    Known known = rooms.notebooks().known(id(uri));
    return content(uri, "application/json", fitting(known, Actor.agent(asking.guest().agent())));
  }

  /**
   * All of it where that fits into a reply; else the most important as text, and how to read on.
   */
  private String fitting(Known known, Actor reader) {
    String all = JsonText.write(known.toJson());
    if (fits(all)) return all;
    Task task = rooms.tasks().show(known.task());
    JsonObject rest =
        JsonObject.of("task_id", known.task().value(), "number", known.number())
            .with("rest", "recall " + StateText.reference(known));
    // Within JSON a text is longer than by itself.
    for (int budget = Portion.PAGE_TOKENS_MAX; budget >= Budget.TOKENS_MIN; budget -= SMALLER) {
      String shown = StateText.within(budget, task, known, JsonObject.EMPTY, reader);
      String text = JsonText.write(rest.with("shown", shown));
      if (fits(text)) return text;
    }
    return JsonText.write(rest);
  }

  private static boolean fits(String text) {
    return Portion.isShort(text, Portion.REPLY_TOKENS_MAX)
        || Portion.tokens(text) <= Portion.REPLY_TOKENS_MAX;
  }

  private List<JsonObject> prompt(Asking asking, String uri) {
    return content(uri, "text/plain", rooms.prompts().render(id(uri), Prompts.Wanted.by("api")));
  }

  private List<JsonObject> snapshot(Asking asking, String uri) {
    if (!uri.equals(SNAPSHOT)) throw none(uri);
    Path root = Path.of(Places.around(asking.guest().folder()).worktree());
    return content(uri, "text/plain", rooms.workspace(root).snapshot().text());
  }

  private TaskId id(String uri) {
    Matcher task = TASK.matcher(uri);
    if (!task.matches()) throw none(uri);
    return rooms.tasks().resolve(task.group(1));
  }

  private static Refusal none(String uri) {
    String shown = uri.length() <= 100 ? uri : uri.substring(0, 100) + "...";
    return Refusal.notFound(
        Phrase.of("nothing is at %s; there are %s, %s and %s", shown, STATE, PROMPT, SNAPSHOT));
  }

  private static List<JsonObject> content(String uri, String type, String text) {
    return List.of(JsonObject.of("uri", uri, "mimeType", type, "text", text));
  }
}
