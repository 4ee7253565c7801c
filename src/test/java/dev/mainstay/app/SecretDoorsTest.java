package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.ArtifactType;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.SecretSamples;
import dev.mainstay.domain.SecretSamples.Sample;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskState.Waiting;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.hook.Hooks;
import dev.mainstay.mcp.Asking;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Offer;
import dev.mainstay.queue.NewArtifact;
import dev.mainstay.queue.NewTask;
import dev.mainstay.terminal.NewMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of every kind through the doors; then every byte that Mainstay keeps is looked at. */
class SecretDoorsTest {
  private static final TaskId TASK = new TaskId("T-001");
  private static final Call BOT = Call.by(Actor.agent("coder"), "test");
  private static final Call PERSON = Call.by(Actor.person("ada"), "test");
  private static final int KINDS_MIN = 25;

  @TempDir Path folder;

  @BeforeEach
  void aProject() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    assertThat(run("exec", "init", "--goal", "Add login").code()).isZero();
  }

  private CliRun run(String... args) {
    return CliRun.of(folder, "", args);
  }

  private Mainstay house() {
    return Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString());
  }

  private static List<Sample> samples() {
    Random random = new Random(20_261_117);
    List<Sample> all = new ArrayList<>(SecretSamples.formats(random));
    // A word that stands in dictionaries would be found in our own texts, too.
    SecretSamples.assignments(random).stream()
        .filter(each -> !each.secret().equals("swordfish"))
        .forEach(all::add);
    return all;
  }

  /** Something that takes a text, or refuses it. */
  private interface Door {
    void take(String text);
  }

  private static List<Door> doors(Mainstay house) {
    var artifacts = house.artifacts(Path.of("."));
    return List.of(
        text -> house.tasks().create(NewTask.titled("use " + text), BOT),
        text -> house.tasks().update(TASK, JsonObject.of("description", text), null, BOT),
        text -> house.tasks().update(TASK, JsonObject.of("metadata", deep(text)), null, BOT),
        text -> house.states().setPlan(TASK, List.of("use " + text), BOT),
        text -> house.states().addDirective(TASK, text, false, BOT),
        text -> house.states().addCriterion(TASK, text, "curl " + text, BOT),
        text -> house.states().noteActions(TASK, text, BOT),
        text -> house.states().update(TASK, work(text), BOT),
        text -> house.states().suspend(TASK, new Waiting(Waiting.On.QUESTION, text), PERSON),
        text -> house.states().resume(TASK, text, PERSON),
        text -> house.notebooks().merge(TASK, NotebookDelta.of(Section.DECISIONS, text), BOT),
        text -> house.checkpoints().save(TASK, "before " + text, BOT),
        text -> artifacts.add(TASK, NewArtifact.text(ArtifactType.LOG, text), BOT),
        text -> house.inbox().send(NewMessage.to("coder", text), PERSON));
  }

  private static TaskUpdate work(String text) {
    return new TaskUpdate(null, null, new TaskUpdate.Change(text, text, List.of(text), null));
  }

  private static JsonObject deep(String text) {
    return JsonObject.of("a", List.of(JsonObject.of("b", text)));
  }

  private int plant(List<Sample> samples) throws IOException {
    int taken = 0;
    try (Mainstay house = house()) {
      Hooks hooks = new Hooks(house);
      Offer offer = new Offer(house);
      var guest = new Guest("claude-code", "c", null, folder, true);
      HookHost claude = HookHost.of("claude-code", folder.toRealPath());
      List<Door> doors = doors(house);
      // Each kind goes through some doors and each door gets some kinds: a commit takes its time.
      for (int i = 0; i < samples.size(); i++) {
        String text = samples.get(i).text();
        for (int j = i; j < i + 2; j++) {
          Door door = doors.get((j * 5) % doors.size());
          taken += taken(() -> door.take(text));
        }
        if (i % 8 == 0) taken += taken(() -> hooks(hooks, claude, text));
        if (i % 8 == 4) taken += taken(() -> update(offer, guest, text));
      }
      String all = String.join("\n", samples.stream().map(Sample::text).toList());
      for (Door door : doors) taken += taken(() -> door.take(all));
    }
    return taken;
  }

  private static void update(Offer offer, Guest guest, String text) {
    JsonObject wanted = JsonObject.of("decisions", List.of(text), "task", "T-001");
    var tool = offer.tools().stream().filter(each -> each.name().equals("update")).findFirst();
    var asking = new Asking(guest, "key " + text.hashCode(), Asking.Line.NONE);
    assertThat(tool.orElseThrow().doing().call(asking, wanted).isError()).isFalse();
  }

  private static void hooks(Hooks hooks, HookHost claude, String text) {
    JsonObject prompt = claude.recorded("UserPromptSubmit").with("prompt", "deploy with " + text);
    claude.tell(hooks, prompt.with("prompt_id", "p" + text.hashCode()));
    JsonObject tool = claude.recorded("PostToolUse-Bash");
    claude.tell(
        hooks,
        tool.with("tool_input", JsonObject.of("command", "curl " + text))
            .with("tool_response", JsonObject.of("stdout", text, "stderr", text)));
  }

  private static int taken(Runnable deed) {
    try {
      deed.run();
      return 1;
    } catch (Refusal no) {
      return 0;
    }
  }

  /** The names of the files below the folder whose bytes hold the secret. */
  private static List<String> holding(Path folder, List<String> secrets) {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        for (String each : secrets) {
          if (bytes.contains(each)) found.add(folder.relativize(file) + " " + each);
        }
      }
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    return found;
  }

  @Test
  void no_byte_that_is_kept_holds_a_secret_that_came_through_a_door() throws IOException {
    List<Sample> samples = samples();
    List<String> secrets = samples.stream().map(Sample::secret).toList();
    assertThat(new TreeSet<>(samples.stream().map(Sample::kind).toList()))
        .hasSizeGreaterThanOrEqualTo(KINDS_MIN);
    assertThat(plant(samples)).isGreaterThan(samples.size());
    Path context = folder.resolve("workspace/state/context.md");
    String more = String.join("\n", samples.stream().map(each -> "- " + each.text()).toList());
    Files.writeString(context, Files.readString(context) + "\n## Keys\n\n" + more + "\n");
    assertThat(run("exec", "sync").code()).isZero();
    run("task", "create", "with " + samples.get(0).text());
    run("evidence", "run", "T-001", "--", "echo", samples.get(1).text());
    try (Mainstay house = house()) {
      assertThat(house.upkeep().verify().findings()).isEmpty();
      house.upkeep().backup(folder.resolve("backup.sqlite3"));
      // While it is open, the newest pages are in the log beside the file.
      assertThat(holding(folder, secrets)).isEmpty();
    }
    String told = run("journal", "--json").out() + run("dump", "T-001").out();
    assertThat(secrets).noneMatch(told::contains);
    assertThat(holding(folder, secrets)).isEmpty();
    assertThat(holding(folder, List.of("[redacted:"))).isNotEmpty();
  }

  /** What looks like no secret is kept, and the search finds it: it would find the others. */
  @Test
  void the_search_finds_what_was_not_taken_for_a_secret() throws IOException {
    var plain = new Sample("none", "the harmless words of mallory", "harmless words of mallory");
    assertThat(plant(List.of(plain))).isPositive();
    assertThat(holding(folder, List.of(plain.secret()))).isNotEmpty();
  }

  /** A redactor that knows one pattern less lets that kind through. */
  @Test
  void a_redactor_without_a_pattern_is_found_out() {
    Sample token = samples().get(0);
    Redactor weak =
        new Redactor(Map.of(), List.of(Pattern.compile(token.secret().substring(0, 4))));
    assertThat(weak.redact(token.text())).contains(token.secret());
    assertThat(Redactor.DEFAULT.redact(token.text())).doesNotContain(token.secret());
  }
}
