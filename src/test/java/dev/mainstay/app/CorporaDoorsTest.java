package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Corpora;
import dev.mainstay.Corpora.Case;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Notebook.Section;
import dev.mainstay.domain.Redactor;
import dev.mainstay.domain.TaskId;
import dev.mainstay.hook.Hooks;
import dev.mainstay.json.JsonText;
import dev.mainstay.mcp.Asking;
import dev.mainstay.mcp.Guest;
import dev.mainstay.mcp.Offer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts that programs choke on, by command line, MCP, hook and file: the same back, or refused. */
class CorporaDoorsTest {
  private static final TaskId TASK = new TaskId("T-001");
  private static final int EVERY = Integer.getInteger("every", 6);
  private static final int FAULT = 70;

  @TempDir Path folder;

  @BeforeEach
  void aProject() throws IOException {
    Files.createDirectory(folder.resolve(".git"));
    assertThat(run("", "exec", "init", "--goal", "Read everything").code()).isZero();
  }

  private CliRun run(String input, String... args) {
    return CliRun.of(folder, input, args);
  }

  private Mainstay house() {
    return Mainstay.open(folder.resolve(".mainstay/state.sqlite3").toString());
  }

  private static List<String> texts() {
    List<String> all = new ArrayList<>(Corpora.naughtyStrings());
    all.addAll(Corpora.commonMark());
    return all;
  }

  private static List<String> redacted(List<String> texts) {
    return texts.stream().map(Redactor.DEFAULT::redact).toList();
  }

  @Test
  void the_command_line_gives_back_what_it_was_given() {
    List<String> texts = texts();
    String metadata = JsonText.write(JsonObject.of("texts", texts));
    CliRun made = run("", "task", "create", "all", "--metadata", metadata, "--json");
    assertThat(made.code()).as(made.err()).isZero();
    String id = JsonText.object(made.out()).text("id");
    JsonObject back = JsonText.object(run("", "task", "show", id, "--json").out());
    assertThat(back.object("metadata").texts("texts")).isEqualTo(redacted(texts));
  }

  @Test
  void mcp_keeps_what_it_was_given_or_says_why_not() {
    try (Mainstay house = house()) {
      Offer offer = new Offer(house);
      var update =
          offer.tools().stream().filter(t -> t.name().equals("update")).findFirst().orElseThrow();
      var asking = new Asking(new Guest("codex", "c", null, folder, true), null, Asking.Line.NONE);
      int kept = 0;
      List<String> texts = texts();
      for (int i = 0; i < texts.size(); i += EVERY) {
        String text = texts.get(i);
        var reply =
            update.doing().call(asking, JsonObject.of("decisions", List.of(text), "task", "T-001"));
        List<String> now = house.notebooks().load(TASK).toBlob().texts(Section.DECISIONS.key());
        if (!reply.isError() && now.contains(Redactor.DEFAULT.redact(text).strip())) kept++;
        else assertThat(reply.isError() || text.isBlank() || text.length() > 200).as(text).isTrue();
      }
      assertThat(kept).isPositive();
      assertThat(house.upkeep().verify().findings()).isEmpty();
    }
  }

  @Test
  void no_case_of_json_is_a_fault_at_any_door() throws IOException {
    List<Case> cases = Corpora.json();
    StringBuilder frames = new StringBuilder();
    try (Mainstay house = house()) {
      Hooks hooks = new Hooks(house);
      HookHost claude = HookHost.of("claude-code", folder.toRealPath());
      for (int i = 0; i < cases.size(); i += EVERY) {
        String input = cases.get(i).input();
        if (!input.contains("\n")) frames.append(input).append('\n');
        JsonObject prompt = claude.recorded("UserPromptSubmit");
        claude.tell(hooks, prompt.with("prompt", input).with("prompt_id", "p" + i));
      }
      var out = new ByteArrayOutputStream();
      byte[] bytes = frames.toString().getBytes(StandardCharsets.UTF_8);
      FuzzedDoors.mcp(house, folder, new ByteArrayInputStream(bytes), out);
      assertThat(out.toString(StandardCharsets.UTF_8)).isNotBlank().doesNotContain("-32603");
      assertThat(house.upkeep().verify().findings()).isEmpty();
    }
    for (int i = 0; i < cases.size(); i += 4 * EVERY) {
      CliRun merged = run(cases.get(i).input(), "state", "merge", "T-001", "-");
      assertThat(merged.code()).as(cases.get(i).name() + merged.err()).isNotEqualTo(FAULT);
      assertThat(merged.code() == 0 || !merged.err().isBlank()).isTrue();
    }
  }

  @Test
  void what_stands_in_a_state_file_stays_there_byte_for_byte() throws IOException {
    Path context = folder.resolve("workspace/state/context.md");
    StringBuilder own = new StringBuilder("\n## Own words\n");
    for (String text : Corpora.naughtyStrings()) {
      boolean plain = Redactor.DEFAULT.redact(text).equals(text);
      boolean line = text.chars().allMatch(c -> c >= 32 && c != 127) && !text.isBlank();
      if (plain && line) own.append("\nword ").append(text).append('\n');
    }
    Files.writeString(context, Files.readString(context) + own);
    String written = Files.readString(context);
    CliRun sync = run("", "exec", "sync");
    assertThat(sync.code()).as(sync.out() + sync.err()).isZero();
    assertThat(Files.readString(context)).isEqualTo(written);
  }
}
