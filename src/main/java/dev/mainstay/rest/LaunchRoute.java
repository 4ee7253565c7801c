package dev.mainstay.rest;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.json.JsonText;
import dev.mainstay.rest.Route.Verb;
import dev.mainstay.terminal.LaunchOrder;
import dev.mainstay.terminal.LaunchOrder.Where;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /terminals/launch}: an agent in a window of its own, in a folder of the project. */
final class LaunchRoute {
  private LaunchRoute() {}

  static Route of(Rooms rooms) {
    Schema body =
        TerminalRoutes.told(
            Schema.fields()
                .needs("agent_profile", Schema.text("what it is to be"))
                .may("provider", Schema.text("its program, in place of its profile's"))
                .may("session", Schema.text("the tmux session it is in (default mainstay)"))
                .may("work_dir", Schema.text("a folder of the project (default: all of it)"))
                .may(
                    "reuse",
                    Schema.truth(
                        "whether a free terminal of the profile in that session and folder will do"))
                .may("program", Schema.list(Schema.text("a word; for persons alone"))));
    return Route.of(Verb.POST, "/terminals/launch", ScreenRoutes.TAG, "Start an agent in a window")
        .takes(
            body,
            JsonText.object(
                """
                {"agent_profile": "developer", "provider": "shell",
                 "initial_prompt": "Work on {{branch}}.", "variables": {"branch": "feature/x"}}"""))
        .gives(201, Schemas.TERMINAL, ScreenRoutes.EXAMPLE)
        .by(request -> launched(rooms, request));
  }

  private static Reply launched(Rooms rooms, Request request) {
    LaunchOrder order = order(rooms, request.body());
    try {
      boolean reuse = Boolean.TRUE.equals(request.body().get("reuse"));
      Terminal made =
          reuse
              ? rooms.launches().findOrLaunch(order, request.call())
              : rooms.launches().launch(order, request.call());
      return TerminalRoutes.created(made);
    } catch (Refusal refused) {
      boolean agent = request.caller().actor().isAgent();
      boolean never = agent && !order.program().isEmpty();
      boolean invalid = refused.code() == Refusal.Code.INVALID;
      throw never && invalid ? DoorRefusal.forbidden(refused.sentence()) : refused;
    }
  }

  private static LaunchOrder order(Rooms rooms, JsonObject body) {
    String session = body.textOrNull("session");
    List<String> program = body.texts("program");
    if (!program.isEmpty() && program.get(0).isBlank()) {
      throw Refusal.invalid("the first word of \"program\" names it and cannot be blank");
    }
    Path folder = below(rooms.root(), body.textOrNull("work_dir"));
    return new LaunchOrder(
        body.text("agent_profile"),
        body.textOrNull("provider"),
        new Where(session == null ? LaunchOrder.SESSION : session, folder),
        TerminalRoutes.told(body),
        program);
  }

  /** A folder of the project by its true path: whoever calls may start nothing elsewhere. */
  private static Path below(Path root, @Nullable String typed) {
    try {
      Path whole = root.toRealPath();
      if (typed == null) return whole;
      Path path = Path.of(typed);
      Path found = whole.resolve(path).toRealPath();
      if (!path.isAbsolute() && found.startsWith(whole)) return found;
    } catch (IOException | InvalidPathException missing) {
      throw noFolder(typed);
    }
    throw noFolder(typed);
  }

  /** The same whether it is missing or lies elsewhere, which would tell what the host has. */
  private static Refusal noFolder(@Nullable String typed) {
    return Refusal.invalid(
        Phrase.of(
            "there is no folder \"%s\" in the project; name one by its path from the project's root",
            typed));
  }
}
