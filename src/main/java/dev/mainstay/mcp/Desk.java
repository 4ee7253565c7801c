package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers what both eras of the protocol ask in the same way, from the one registry. */
final class Desk {
  static final int PAGE_ITEMS_MAX = 100;
  static final int COMPLETIONS_MAX = 100;
  private static final String BUG = "an error that should not happen; the server's log has it";

  private final Registry registry;
  private final String version;
  private final Consumer<Throwable> bugs;

  private interface Answering {
    JsonObject answer(Asking asking, JsonObject params);
  }

  private final Map<String, Answering> methods =
      Map.of(
          "tools/list",
          (asking, params) -> page("tools", registry().toolList(), params),
          "tools/call",
          this::call,
          "resources/list",
          (asking, params) -> page("resources", resources(false), params),
          "resources/templates/list",
          (asking, params) -> page("resourceTemplates", resources(true), params),
          "resources/read",
          this::read,
          "prompts/list",
          (asking, params) -> page("prompts", prompts(), params),
          "prompts/get",
          this::prompt,
          "completion/complete",
          this::complete);

  /** What flies and is no refusal is told to {@code bugs} once, and never to the caller. */
  Desk(Registry registry, String version, Consumer<Throwable> bugs) {
    this.registry = registry;
    this.version = version;
    this.bugs = bugs;
  }

  Registry registry() {
    return registry;
  }

  Iterable<String> methods() {
    return methods.keySet();
  }

  boolean knows(String method) {
    return methods.containsKey(method);
  }

  JsonObject serverInfo() {
    return JsonObject.of("name", "mainstay", "title", "Mainstay", "version", version);
  }

  /** The lists never change while the server runs, so no notice of that is promised. */
  static JsonObject capabilities() {
    return JsonObject.of("tools", JsonObject.EMPTY, "prompts", JsonObject.EMPTY)
        .with("resources", JsonObject.of("subscribe", true))
        .with("completions", JsonObject.EMPTY)
        .with("logging", JsonObject.EMPTY);
  }

  /** The result, or a {@link WireError}. */
  JsonObject answer(Message request, Asking asking) {
    Answering method = methods.get(request.called());
    if (method == null) throw WireError.noSuchMethod(request.called());
    try {
      return method.answer(asking, request.params());
    } catch (Refusal refused) {
      throw WireError.invalid(refused.sentence());
    } catch (WireError error) {
      throw error;
    } catch (RuntimeException | Error bug) {
      throw told(bug);
    }
  }

  /** Notes a bug, and says no more than that there is one. */
  WireError told(Throwable bug) {
    bugs.accept(bug);
    return new WireError(WireError.INTERNAL, BUG, null);
  }

  private JsonObject call(Asking asking, JsonObject params) {
    String name = text(params, "name");
    Tool tool =
        registry.tools().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> WireError.invalid("there is no tool \"" + name + "\""));
    Reply reply = called(tool, asking, params.object("arguments"));
    return JsonObject.of("content", reply.content(), "structuredContent", reply.structured())
        .with("isError", reply.isError() ? true : null);
  }

  private static Reply called(Tool tool, Asking asking, JsonObject arguments) {
    if (!asking.guest().mayWrite() && !tool.hints().readOnly()) {
      return Reply.error("this token may only look; ask a person for one of an agent to change it");
    }
    try {
      return tool.doing().call(asking, arguments);
    } catch (Refusal refused) {
      return Reply.error(refused.sentence());
    }
  }

  private List<JsonObject> resources(boolean templates) {
    return registry.resources().stream()
        .filter(each -> each.isTemplate() == templates)
        .map(
            each ->
                JsonObject.of(templates ? "uriTemplate" : "uri", each.uri(), "name", each.name())
                    .with("description", each.description())
                    .with("mimeType", each.mimeType()))
        .toList();
  }

  private JsonObject read(Asking asking, JsonObject params) {
    String uri = text(params, "uri");
    Resource resource =
        registry.resources().stream().filter(r -> r.fits(uri)).findFirst().orElse(null);
    if (resource == null) throw notFound(uri, "there is no resource " + uri);
    try {
      return JsonObject.of("contents", resource.reading().read(asking, uri));
    } catch (Refusal refused) {
      if (refused.code() == Refusal.Code.NOT_FOUND) throw notFound(uri, refused.sentence());
      throw refused;
    }
  }

  private static WireError notFound(String uri, String sentence) {
    return new WireError(WireError.RESOURCE_NOT_FOUND, sentence, JsonObject.of("uri", uri));
  }

  private List<JsonObject> prompts() {
    return registry.prompts().stream()
        .map(
            prompt ->
                JsonObject.of("name", prompt.name(), "description", prompt.description())
                    .with("arguments", prompt.arguments().stream().map(Desk::argument).toList()))
        .toList();
  }

  private static JsonObject argument(Prompt.Argument argument) {
    return JsonObject.of("name", argument.name(), "description", argument.description())
        .with("required", argument.required());
  }

  private JsonObject prompt(Asking asking, JsonObject params) {
    String name = text(params, "name");
    Prompt prompt =
        registry.prompts().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> WireError.invalid("there is no prompt \"" + name + "\""));
    JsonObject arguments = params.object("arguments");
    for (Prompt.Argument each : prompt.arguments()) {
      if (each.required() && arguments.get(each.name()) == null) {
        throw WireError.invalid("the prompt \"" + name + "\" needs \"" + each.name() + "\"");
      }
    }
    return JsonObject.of(
        "description", prompt.description(), "messages", prompt.saying().say(asking, arguments));
  }

  private JsonObject complete(Asking asking, JsonObject params) {
    JsonObject ref = params.object("ref");
    String reference = text(ref, "ref/prompt".equals(ref.get("type")) ? "name" : "uri");
    JsonObject argument = params.object("argument");
    String typed = String.valueOf(argument.asMap().getOrDefault("value", ""));
    List<String> values = registry.complete(asking, reference, text(argument, "name"), typed);
    boolean more = values.size() > COMPLETIONS_MAX;
    return JsonObject.of(
        "completion",
        JsonObject.of("values", more ? values.subList(0, COMPLETIONS_MAX) : values)
            .with("total", values.size())
            .with("hasMore", more));
  }

  private static JsonObject page(String name, List<JsonObject> all, JsonObject params) {
    int from = start(params.textOrNull("cursor"), all.size());
    int to = Math.min(all.size(), from + PAGE_ITEMS_MAX);
    return JsonObject.of(name, all.subList(from, to))
        .with("nextCursor", to < all.size() ? String.valueOf(to) : null);
  }

  private static int start(@Nullable String cursor, int size) {
    if (cursor == null) return 0;
    if (cursor.matches("\\d{1,9}") && Integer.parseInt(cursor) <= size) {
      return Integer.parseInt(cursor);
    }
    throw WireError.invalid("this cursor is not one of ours; begin the list again without one");
  }

  private static String text(JsonObject params, String field) {
    if (params.get(field) instanceof String text && !text.isEmpty()) return text;
    throw WireError.invalid("\"" + field + "\" is missing");
  }
}
