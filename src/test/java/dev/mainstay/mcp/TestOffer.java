package dev.mainstay.mcp;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Refusal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** A few things to call, so that the ways to them can be tried. */
public final class TestOffer implements Registry {
  static final String NOTE = "test://note";
  static final String TEMPLATE = "test://notes/{id}";

  final CountDownLatch waiting = new CountDownLatch(1);
  final CountDownLatch released = new CountDownLatch(1);
  final CountDownLatch sawCancellation = new CountDownLatch(1);
  private final Set<Consumer<String>> listeners = ConcurrentHashMap.newKeySet();

  @Override
  public String instructions() {
    return "Call echo to hear yourself.";
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        tool("echo", true, TestOffer::echo),
        tool("change", false, (asking, arguments) -> Reply.text("changed")),
        tool(
            "refuse",
            true,
            (asking, arguments) -> {
              throw Refusal.conflict("somebody else has it; take another");
            }),
        tool(
            "break",
            true,
            (asking, arguments) -> {
              throw new IllegalStateException("secret detail");
            }),
        tool(
            "report",
            true,
            (asking, arguments) -> {
              asking.line().progress(1, 2.0, "half");
              asking.line().log("warning", "look out");
              asking.line().log("debug", "nothing");
              return Reply.text("reported");
            }),
        tool(
            "need",
            true,
            (asking, arguments) -> {
              if (!asking.line().clientCan("sampling")) throw WireError.missing("sampling");
              return Reply.text("has it");
            }),
        tool("wait", true, this::await),
        tool(
            "touch",
            true,
            (asking, arguments) -> {
              changed(NOTE);
              return Reply.text("touched");
            }));
  }

  private static Reply echo(Asking asking, JsonObject arguments) {
    Guest guest = asking.guest();
    return Reply.of(
        "said " + arguments.textOrNull("words"),
        JsonObject.of("agent", guest.agent(), "connection", guest.connection())
            .with("terminal", guest.terminal())
            .with("folder", guest.folder().toString())
            .with("key", asking.key()));
  }

  private Reply await(Asking asking, JsonObject arguments) {
    waiting.countDown();
    try {
      while (!released.await(5, java.util.concurrent.TimeUnit.MILLISECONDS)) {
        if (asking.line().isCancelled()) {
          sawCancellation.countDown();
          return Reply.text("called off");
        }
      }
    } catch (InterruptedException told) {
      Thread.currentThread().interrupt();
    }
    return Reply.text("waited");
  }

  static Tool tool(String name, boolean readOnly, Tool.Doing doing) {
    return new Tool(
        name,
        "Does " + name + ".",
        JsonObject.of("type", "object"),
        new Tool.Hints(readOnly, true),
        doing);
  }

  @Override
  public List<Resource> resources() {
    return List.of(
        new Resource(NOTE, "note", "A note.", "text/plain", (asking, uri) -> text(uri, "a note")),
        new Resource(
            TEMPLATE,
            "notes",
            "A note by its number.",
            "text/plain",
            (asking, uri) -> {
              if (uri.endsWith("/404")) throw Refusal.notFound("there is no such note; list them");
              return text(uri, "one of many");
            }));
  }

  private static List<JsonObject> text(String uri, String text) {
    return List.of(JsonObject.of("uri", uri, "mimeType", "text/plain", "text", text));
  }

  @Override
  public List<Prompt> prompts() {
    return List.of(
        new Prompt(
            "greet",
            "Greets somebody.",
            List.of(new Prompt.Argument("name", "Whom.", true)),
            (asking, arguments) ->
                List.of(
                    JsonObject.of(
                        "role",
                        "user",
                        "content",
                        JsonObject.of(
                            "type", "text", "text", "Hello " + arguments.text("name"))))));
  }

  @Override
  public List<String> complete(Asking asking, String reference, String argument, String typed) {
    return List.of("ada", "alan", "grace").stream().filter(n -> n.startsWith(typed)).toList();
  }

  @Override
  public Subscription listen(Consumer<String> changed) {
    listeners.add(changed);
    return () -> listeners.remove(changed);
  }

  void changed(String uri) {
    listeners.forEach(each -> each.accept(uri));
  }

  int listeners() {
    return listeners.size();
  }
}
