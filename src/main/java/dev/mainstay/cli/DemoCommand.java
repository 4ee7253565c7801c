package dev.mainstay.cli;

import dev.mainstay.domain.Phrase;
import dev.mainstay.domain.Refusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/**
 * {@code mainstay demo}: a story, played by the real parts on a store of its own. The one told here
 * is {@code commands}: each command is the one printed before its output; nothing is made up.
 */
@CommandLine.Command(
    name = "demo",
    description =
        "Show the main job in less than a minute, with real parts and a store of its own.",
    footer = {
      "",
      "The stories:",
      "  api       a supervisor, five developers and a reviewer in terminals of tmux build a REST API;",
      "            one developer is killed, and nothing is lost",
      "  commands  the life of a task, command by command",
      "  hello     an agent that writes what it cannot see, with transcript and snapshot",
      "",
      "Example:",
      "  mainstay demo",
      "  mainstay demo --keep",
      "  mainstay demo --story hello"
    })
final class DemoCommand extends Command {
  private static final String API = "api";
  private static final String HELLO = "hello";

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "where the demo's store goes (default: a new folder for temporary files)")
  @Nullable Path dir;

  @Option(
      names = "--story",
      paramLabel = "NAME",
      defaultValue = API,
      description = "which story: api, commands or hello (default: ${DEFAULT-VALUE})")
  String story;

  @Option(names = "--keep", description = "leave the terminals of the story api to look at")
  boolean keep;

  @Option(names = "--turns", paramLabel = "N", description = "how many turns the story has at most")
  @Nullable Integer turns;

  @Option(
      names = "--restart-every",
      paramLabel = "N",
      description = "play the snapshot's turns in a new process every so many")
  @Nullable Integer restartEvery;

  DemoCommand(Session session) {
    super(session);
  }

  /** One scene: what is about to be seen, who acts, and the commands. */
  private record Scene(String says, String actor, List<Line> lines) {}

  /** A command's words, what it gets on standard input, and how it ends. */
  private record Line(List<String> words, String input, int code) {
    static Line of(String... words) {
      return new Line(List.of(words), "", ExitCodes.OK);
    }

    Line with(String newInput) {
      return new Line(words, newInput, code);
    }

    /** The story shows that this is refused. */
    Line refused() {
      return new Line(words, input, ExitCodes.of(Refusal.Code.CONFLICT));
    }

    String shown() {
      StringBuilder shown = new StringBuilder("mainstay");
      for (String word : words) {
        boolean plain = word.matches("[\\w./:=-]+");
        shown.append(' ').append(plain ? word : "'" + word + "'");
      }
      return input.isEmpty() ? shown.toString() : "echo '" + input + "' | " + shown;
    }
  }

  private static List<Scene> story() {
    return List.of(split(), work(), recovery(), gate(), safety(), proof());
  }

  private static Scene split() {
    return new Scene(
        "A lead splits the work. A task is ready when nothing it waits for is open.",
        "lead",
        List.of(
            Line.of("task", "create", "Design the login API", "--priority", "5"),
            Line.of("task", "create", "Implement login", "--depends-on", "T-001"),
            Line.of("task", "create", "Review login", "--type", "REVIEW", "--depends-on", "T-002"),
            Line.of("task", "ready")));
  }

  private static Scene work() {
    return new Scene(
        "An agent works on the first one and leaves its state outside its context window.",
        "coder-1",
        List.of(
            Line.of(
                "state",
                "start",
                "T-001",
                "--goal",
                "Design the login API",
                "--criterion",
                "an OpenAPI file"),
            Line.of(
                "plan",
                "set",
                "T-001",
                "List the endpoints",
                "Choose the token format",
                "Write openapi.yaml"),
            Line.of("plan", "done", "T-001", "1"),
            Line.of("directive", "add", "T-001", "Never log passwords or tokens"),
            Line.of("state", "merge", "T-001", "-")
                .with(
                    "{\"decisions\": [\"sessions are opaque tokens\"], \"open_issues\": [\"rate limit for failed"
                        + " logins?\"], \"next_focus\": \"token format\"}")));
  }

  private static Scene recovery() {
    return new Scene(
        "The agent is compacted, killed or replaced. The next one asks, and gets a small, exact picture.",
        "coder-2",
        List.of(Line.of("prompt", "T-001", "--for", "claude-code")));
  }

  private static Scene gate() {
    return new Scene(
        "Done means done: while steps are open or criteria are not met, the end is refused, with the list.",
        "coder-2",
        List.of(
            Line.of("task", "claim", "--as", "coder-2"),
            Line.of("task", "complete", "T-001", "--fence", "1").refused(),
            Line.of("plan", "done", "T-001", "2", "--fence", "1"),
            Line.of("plan", "done", "T-001", "3", "--fence", "1"),
            Line.of("criteria", "meet", "T-001", "1", "--note", "openapi.yaml", "--fence", "1"),
            Line.of("task", "complete", "T-001", "--fence", "1"),
            Line.of("task", "ready")));
  }

  private static Scene safety() {
    return new Scene(
        "A request that is repeated under its key changes nothing; a secret never reaches the journal.",
        "coder-2",
        List.of(
            Line.of("task", "create", "Rotate the key", "--key", "rotate-1"),
            Line.of("task", "create", "Rotate the key", "--key", "rotate-1"),
            Line.of("task", "create", "Try " + sampleSecret())));
  }

  private static Scene proof() {
    return new Scene(
        "Everything that happened is in the journal, chained entry by entry, and checked.",
        "lead",
        List.of(Line.of("journal", "--limit", "12"), Line.of("verify")));
  }

  /** In the form of a real token, and put together here so that no file holds one. */
  private static String sampleSecret() {
    return "gh" + "p_" + "R3dact3d" + "Bef0reTh" + "eJ0urnal" + "S33sIt12" + "345x";
  }

  @Override
  int run() {
    boolean told = turns != null || restartEvery != null;
    if (told && !story.equals(HELLO)) {
      throw Refusal.invalid("--turns and --restart-every belong to a story: add --story hello");
    }
    if (keep && !story.equals(API)) {
      throw Refusal.invalid("--keep is for terminals, and only the story api has some");
    }
    return switch (story) {
      case API -> ApiCommand.run(this);
      case HELLO -> HelloCommand.run(this);
      case "commands" -> commands();
      default ->
          throw Refusal.invalid(
              Phrase.of("there is no story \"%s\"; say --story api, commands or hello", story));
    };
  }

  /** The life of a task, command by command. */
  int commands() {
    if (db != null || json) {
      throw Refusal.invalid(
          "this story has a store of its own and is for people; name its folder with --dir");
    }
    Path store = folder().resolve("state.sqlite3");
    if (Files.exists(store)) {
      throw Refusal.conflict(store + " exists already; name another folder with --dir");
    }
    for (Scene scene : story()) {
      session.print("");
      session.print(Colour.GREEN.on("# " + scene.says(), session.io().screen()));
      for (Line line : scene.lines()) show(line, scene.actor(), store);
    }
    session.print("");
    session.print("The demo's store is still there, in " + store.getParent() + ". Look around:");
    session.print("  mainstay task list --db " + store);
    session.print("  mainstay state history T-001 --db " + store);
    session.print("Then begin in a project of yours: mainstay task create \"My first task\"");
    return ExitCodes.OK;
  }

  private void show(Line line, String actor, Path store) {
    session.print("");
    session.print(Colour.YELLOW.on("$ " + line.shown(), session.io().screen()));
    List<String> words = new ArrayList<>(line.words());
    words.add("--db");
    words.add(store.toString());
    Map<String, String> env = new TreeMap<>(session.io().env());
    env.put("MAINSTAY_TERMINAL", actor);
    Io io = session.io();
    var input = new ByteArrayInputStream(line.input().getBytes(StandardCharsets.UTF_8));
    int code =
        Door.run(
            words.toArray(String[]::new),
            new Io(input, io.out(), io.err(), env, io.screen()),
            session.services());
    if (code != line.code()) {
      throw new IllegalStateException(
          "the demo's own command ended with " + code + ": " + line.shown());
    }
  }

  /** Where the demo's store goes; it is made when it is not there. */
  Path folder() {
    try {
      if (dir == null) return Files.createTempDirectory("mainstay-demo");
      return Files.createDirectories(dir.toAbsolutePath().normalize());
    } catch (IOException fault) {
      throw Refusal.readOnly(
          Phrase.of(
              "the demo's folder cannot be made (%s); name another with --dir", fault.getMessage()),
          fault);
    }
  }
}
