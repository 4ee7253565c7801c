package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.HostileTexts;
import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.NotebookDelta;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskUpdate;
import dev.mainstay.hook.Hooks;
import dev.mainstay.json.JsonText;
import dev.mainstay.mcp.Asking;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Offer;
import dev.mainstay.mcp.Reply;
import dev.mainstay.queue.NewTask;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import dev.mainstay.store.StoreSettings;
import dev.mainstay.terminal.NewMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents stored, as hooks and MCP give it to other agents: it stays somebody's words. */
class HostileDoorsTest extends OnDatabase {
  private static final TaskId FIRST = new TaskId("T-001");
  private static final Call MALLORY = Call.by(Actor.agent("mallory"), "test");

  @TempDir Path folder;
  private Mainstay house;
  private HookHost claude;

  HostileDoorsTest() {
    super(Databases.SQLITE);
  }

  @BeforeEach
  void begin() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    house = Mainstay.open(address, StoreSettings.DEFAULT.withClock(clock));
    claude = HookHost.of("claude-code", folder.toRealPath()).in("dev-1");
    given(
        tx -> {
          tx.terminals().ensureExternal("mallory");
          tx.terminals().put("dev-1", "claude-code", "developer");
        });
    claude.prompt(house, "Add login");
    house.helpers().add(FIRST, "mallory", ADA);
  }

  @AfterEach
  void end() {
    house.close();
  }

  /** Something that may be refused, which is an answer, too. */
  private interface Deed {
    void done();
  }

  private static boolean stored(Deed deed) {
    try {
      deed.done();
      return true;
    } catch (Refusal no) {
      return false;
    }
  }

  /** The text wherever another agent can put one; how often it was taken. */
  private int plant(String text) {
    long fence = house.tasks().show(FIRST).progress().fence();
    Call call = MALLORY.withFence(fence);
    List<Deed> deeds =
        List.of(
            () -> house.states().setPlan(FIRST, List.of(text, "x"), call),
            () -> house.states().addDirective(FIRST, text, false, call),
            () -> house.states().addCriterion(FIRST, text, call),
            () -> house.states().addCriterion(FIRST, "x" + text, "make " + text, call),
            () -> house.states().noteActions(FIRST, text, call),
            () -> house.states().update(FIRST, work(text), call),
            () -> house.notebooks().merge(FIRST, NotebookDelta.of(Section.DECISIONS, text), call),
            () -> house.notebooks().merge(FIRST, NotebookDelta.of(Section.NEXT_FOCUS, text), call),
            () -> house.checkpoints().save(FIRST, text, call),
            () -> house.tasks().create(NewTask.titled(text), MALLORY),
            () -> house.inbox().send(NewMessage.to("dev-1", text), MALLORY));
    return (int) deeds.stream().filter(HostileDoorsTest::stored).count();
  }

  private static TaskUpdate work(String text) {
    return new TaskUpdate(null, null, new TaskUpdate.Change(text, text, List.of(text), null));
  }

  /** What hooks answer to a session that begins, is prompted, calls a tool and stops. */
  private List<String> hooks(String text) {
    Hooks hooks = new Hooks(house, new Hooks.Setting(true, HostileDoorsTest::fault));
    List<String> said = new ArrayList<>();
    for (String each : List.of("SessionStart-resume", "SessionStart-compact")) {
      said.add(claude.tell(house, each).out());
    }
    said.add(claude.prompt(house, "Go on with " + said.size()).out());
    JsonObject tool = claude.recorded("PreToolUse-Bash").with("tool_name", "x" + text);
    for (int i = 0; i < 6; i++) said.add(claude.tell(hooks, tool).out());
    said.add(claude.tell(hooks, claude.recorded("Stop")).out());
    return said.stream().filter(each -> !each.isEmpty()).map(HostileDoorsTest::words).toList();
  }

  private static void fault(RuntimeException fault) {
    throw fault;
  }

  /** All texts of an answer, whatever the host calls them. */
  private static String words(String json) {
    StringBuilder words = new StringBuilder();
    collect(JsonText.object(json.strip()), words);
    return words.toString();
  }

  private static void collect(Object value, StringBuilder words) {
    if (value instanceof JsonObject object) object.asMap().values().forEach(v -> collect(v, words));
    else if (value instanceof List<?> list) list.forEach(each -> collect(each, words));
    else if (value instanceof String text) words.append(text).append('\n');
  }

  /** Every tool that only looks, every prompt and resource of MCP, and what refusals say. */
  private List<String> mcp(String text) {
    Offer offer = new Offer(house);
    var guest = new Guest("claude-code", "c", "dev-1", claude.folder(), true);
    var asking = new Asking(guest, null, Asking.Line.NONE);
    List<String> said = new ArrayList<>();
    said.add(call(offer, asking, "state", JsonObject.of("task", "T-001")));
    said.add(call(offer, asking, "message", JsonObject.EMPTY));
    said.add(call(offer, asking, "checkpoint", JsonObject.of("action", "list", "task", "T-001")));
    said.add(call(offer, asking, "finish_task", JsonObject.of("outcome", "completed")));
    said.add(call(offer, asking, "update", JsonObject.of("plan", "x" + text)));
    said.add(call(offer, asking, "checkpoint", JsonObject.of("action", "restore", "name", text)));
    for (String ref :
        List.of("state", "journal", "history", "task", "evidence", "checkpoints", "artifacts")) {
      said.add(call(offer, asking, "recall", JsonObject.of("ref", ref + ":T-001")));
    }
    for (String ref : List.of("tasks:open", "messages", "terminals", "delegations", text)) {
      said.add(call(offer, asking, "recall", JsonObject.of("ref", ref)));
    }
    offer
        .prompts()
        .forEach(
            prompt -> {
              StringBuilder words = new StringBuilder();
              collect(prompt.saying().say(asking, JsonObject.of("task", "T-001")), words);
              said.add(words.toString());
            });
    return said;
  }

  private static String call(Offer offer, Asking asking, String name, JsonObject arguments) {
    var tool = offer.tools().stream().filter(each -> each.name().equals(name)).findFirst();
    Reply reply = tool.orElseThrow().doing().call(asking, arguments);
    StringBuilder words = new StringBuilder();
    collect(reply.content(), words);
    collect(reply.structured(), words);
    return words.toString();
  }

  @Test
  void what_hooks_and_mcp_show_of_hostile_text_stays_within_its_place() {
    int seen = 0;
    for (String hostile : HostileTexts.ALL) {
      assertThat(plant(hostile)).as(hostile).isPositive();
      List<String> said = new ArrayList<>(hooks(hostile));
      said.addAll(mcp(hostile));
      for (String each : said) {
        if (each.contains("evil")) seen++;
        HostileTexts.assertContained(each, hostile);
      }
    }
    assertThat(seen).isGreaterThan(10 * HostileTexts.ALL.size());
  }

  /** An answer that gave the words as they are would be found out. */
  @Test
  void an_answer_with_the_words_as_they_are_is_found_out() {
    for (String hostile : HostileTexts.ALL) {
      String said = "[message 1 from mallory]\n" + hostile + "\n";
      assertThatThrownBy(() -> HostileTexts.assertContained(said, hostile))
          .as(hostile)
          .isInstanceOf(AssertionError.class);
    }
  }
}
