package dev.mainstay.faults;

import dev.mainstay.app.CliRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A command that changes something, what must be there before it, and how one sees its change. */
record Scenario(
    String name, List<Step> before, Step command, List<String> look, boolean acknowledges) {

  /** One command with its standard input; {@code file} is written before it, if it has a name. */
  record Step(String input, List<String> args, String file) {
    static Step of(String... args) {
      return new Step("", List.of(args), "");
    }

    Step reading(String text) {
      return new Step(text, args, "");
    }

    Step after(String path) {
      return new Step(input, args, path);
    }

    CliRun run(Path project) {
      if (!file.isEmpty()) write(project.resolve(file));
      byte[] bytes = input.replace("PROJECT", project.toString()).getBytes(StandardCharsets.UTF_8);
      return CliRun.of(project, bytes, Product.ENV, args.toArray(String[]::new));
    }

    /**
     * An edit by a person before the command: one more line where the file has its findings, or a
     * new file.
     */
    private static void write(Path path) {
      try {
        String heading = "### Key Findings\n";
        String text = Files.exists(path) ? Files.readString(path) : heading;
        Files.writeString(path, text.replace(heading, heading + "- the prices differ\n"));
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }
  }

  private static final String WORKFLOW =
      """
      {"name": "ship", "title": "Ship it", "nodes": [
         {"id": "start", "kind": "start_event"},
         {"id": "build", "kind": "service_task", "title": "Build it"},
         {"id": "end", "kind": "end_event"}],
       "edges": [{"source": "start", "target": "build"}, {"source": "build", "target": "end"}]}""";

  /** What a host tells in every event. */
  private static final String HOST =
      """
      {"session_id":"s1","transcript_path":"/nowhere/s1.jsonl","cwd":"PROJECT","prompt_id":"p1",
       "permission_mode":"default",""";

  private static final String ASKED =
      HOST + "\"hook_event_name\":\"UserPromptSubmit\",\"prompt\":\"Please work.\"}";

  private static final String TOOL_USED =
      HOST
          + """
          "hook_event_name":"PostToolUse","tool_name":"Write",
          "tool_input":{"file_path":"PROJECT/Price.java","content":"class Price {}"},
          "tool_response":{"type":"create","filePath":"PROJECT/Price.java",
          "content":"class Price {}","structuredPatch":[],"originalFile":null,"userModified":false},
          "tool_use_id":"toolu_1","duration_ms":7}""";

  private static final Step TASK = Step.of("task", "create", "one", "--key", "first");
  private static final Step CLAIMED =
      Step.of("task", "claim", "--as", "coder", "--key", "second", "--lease", "24h");

  static List<Scenario> all() {
    List<Scenario> all = new ArrayList<>();
    all.add(changing("task create", List.of(TASK), Step.of("task", "create", "two")));
    Step merge = Step.of("state", "merge", "T-001", "-");
    all.add(
        changing("state merge", List.of(TASK), merge.reading("{\"decisions\": [\"use SQLite\"]}")));
    all.add(changing("task claim", List.of(TASK), Step.of("task", "claim", "--as", "coder")));
    Step complete = Step.of("task", "complete", "T-001", "--fence", "1");
    all.add(changing("task complete", List.of(TASK, CLAIMED), complete));
    Step write = Step.of("repo", "write", "src/App.java");
    all.add(changing("repo write", List.of(TASK), write.reading("class App {}\n")));
    Step init = Step.of("exec", "init", "--goal", "Compare", "--key", "first");
    Step edited = Step.of("task", "list").after("workspace/state/context.md");
    all.add(changing("exec sync", List.of(init, edited), Step.of("exec", "sync")));
    all.add(
        changing("checkpoint save", List.of(TASK), Step.of("checkpoint", "save", "T-001", "here")));
    Step artifact = Step.of("artifact", "add", "T-001", "--content", "it works");
    all.add(changing("artifact add", List.of(TASK), artifact));
    Step directive = Step.of("directive", "add", "T-001", "ask before deleting");
    all.add(changing("directive add", List.of(TASK), directive));
    Step imported = Step.of("workflow", "import", "-").reading(WORKFLOW);
    all.add(changing("workflow start", List.of(imported), Step.of("workflow", "start", "ship")));
    Step dev = Step.of("terminal", "register", "dev-1", "--key", "first");
    all.add(
        changing(
            "inbox send", List.of(dev), Step.of("inbox", "send", "dev-1", "the API is ready")));
    Step asked = Step.of("hook", "UserPromptSubmit", "--agent", "claude-code").reading(ASKED);
    Step hook = Step.of("hook", "PostToolUse", "--agent", "claude-code").reading(TOOL_USED);
    Step file = Step.of("task", "list").after("Price.java");
    List<Step> working = List.of(TASK, asked, file);
    all.add(new Scenario("hook", working, hook, List.of("task", "list"), false));
    return all;
  }

  /** A command of which a repetition under its key is known again. */
  private static Scenario changing(String name, List<Step> before, Step command) {
    List<String> keyed = new ArrayList<>(command.args());
    keyed.addAll(List.of("--key", "this-once"));
    Step once = new Step(command.input(), List.copyOf(keyed), command.file());
    return new Scenario(name, before, once, List.of("task", "list"), true);
  }

  /** The same without its key, so that a repetition makes the change again. */
  Scenario withoutKey() {
    List<String> args = command.args().subList(0, command.args().size() - 2);
    Step again = new Step(command.input(), args, command.file());
    return new Scenario(name, before, again, look, acknowledges);
  }

  static Scenario named(String name) {
    return all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + ": " + Arrays.toString(names())));
  }

  private static String[] names() {
    return all().stream().map(Scenario::name).toArray(String[]::new);
  }
}
