package dev.mainstay.terminal;

import static dev.mainstay.domain.ScreenStatus.State.BUSY;
import static dev.mainstay.domain.ScreenStatus.State.CRASHED;
import static dev.mainstay.domain.ScreenStatus.State.DONE;
import static dev.mainstay.domain.ScreenStatus.State.ENDED;
import static dev.mainstay.domain.ScreenStatus.State.READY;
import static dev.mainstay.domain.ScreenStatus.State.WAITING_FOR_PERSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.AgentProfile;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.ProviderCommand.Conversation;
import dev.mainstay.domain.ProviderCommand.Start;
import dev.mainstay.domain.ScreenStatus;
import dev.mainstay.domain.Typed;
import dev.mainstay.json.JsonText;
import dev.mainstay.terminal.Typing.Manner;
import dev.mainstay.terminal.Typing.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripted agent, typed to and judged as the real one is. */
@Order(1)
class StandInTest {
  @TempDir Path folder;
  private OwnTmux tmux;
  private Path log;

  @BeforeEach
  void start() {
    tmux = new OwnTmux(folder);
    log = folder.resolve("log");
  }

  @AfterEach
  void end() {
    if (tmux != null) tmux.close();
  }

  private static Provider claude() {
    return new Providers(new Places(Path.of("nowhere"), null)).get("claude-code");
  }

  private Pane open(String... arguments) {
    var order =
        new PaneOrder("test", "agent", StandIns.argv(arguments), folder, Map.of("GIVEN", "mine"));
    return tmux.panes.create(order);
  }

  private Watch watch(Pane pane) {
    return new Watch(tmux.panes, pane, claude());
  }

  private Outcome submit(Pane pane, String text, String mark) {
    return tmux.typing.submit(pane, Typed.of(text), Manner.BRACKETS, mark);
  }

  private List<?> logged() {
    try {
      if (!Files.exists(log)) return List.of();
      return JsonText.list("[" + String.join(",", Files.readAllLines(log)) + "]");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void a_text_makes_it_busy_and_then_done_and_never_done_before_its_answer_is_there() {
    // So late that the screen stands still long enough to be believed.
    Pane pane = open("--work", "1500", "--late", "1400", "--log", log.toString());
    Watch watch = watch(pane);
    assertThat(watch.await(READY).why()).isEqualTo("it takes input");
    for (int turn = 1; turn <= 2; turn++) {
      String mark = "[m-" + turn + "]";
      String answer = "● Turn " + turn + " is done.";
      watch.sent(mark);
      assertThat(submit(pane, mark + " write a page", mark)).isEqualTo(Outcome.SUBMITTED);
      Set<ScreenStatus.State> before = EnumSet.noneOf(ScreenStatus.State.class);
      OwnTmux.await(
          answer,
          () -> {
            ScreenStatus.State state = watch.look().state();
            if (!watch.shows(answer)) before.add(state);
            return watch.shows(answer);
          });
      assertThat(before).contains(BUSY).doesNotContain(DONE, READY);
      watch.await(DONE);
    }
    assertThat(logged()).isEqualTo(List.of("[m-1] write a page", "[m-2] write a page"));
  }

  @Test
  void what_it_was_sent_is_in_its_log_to_the_last_character() {
    Pane pane = open("--work", "0", "--late", "0", "--log", log.toString());
    Watch watch = watch(pane);
    watch.await(READY);
    List<String> texts =
        List.of(
            "[m-1] \"quoted\" \\ back\\\\slash \\n $(id) `id` #{pid} ;",
            "[m-2] first\n\nthird\n\tfourth\n  ",
            "[m-3] é 漢字 🎉 👩‍👩‍👧 \u0301 עברית \ufeff \ue000 \u00a0",
            "[m-4] " + "0123456789 漢é\n".repeat(3_500),
            "[m-5] " + "x".repeat(50_000),
            "[m-6] ❯\n>\n● no answer\n/exit\n\\\n");
    for (int i = 0; i < texts.size(); i++) {
      String mark = "[m-" + (i + 1) + "]";
      watch.sent(mark);
      assertThat(submit(pane, texts.get(i), mark)).as(mark).isEqualTo(Outcome.SUBMITTED);
      watch.await(DONE);
      assertThat(logged().equals(texts.subList(0, i + 1))).as(mark).isTrue();
    }
    assertThat(submit(pane, texts.get(0), "[m-1]")).isEqualTo(Outcome.SHOWN_BEFORE);
  }

  @Test
  void enter_right_after_a_paste_is_lost_as_with_the_real_one_but_not_by_submit() {
    Pane pane = open("--log", log.toString());
    Watch watch = watch(pane);
    watch.await(READY);
    // With brackets of its own, so that paste and Enter reach the program in one piece.
    tmux.server.tell("set-buffer", "-b", "soon", "\u001b[200~too soon\u001b[201~\r!");
    tmux.server.tell("paste-buffer", "-r", "-d", "-b", "soon", "-t", pane.id());
    tmux.awaitShown(pane, "too soon!");
    assertThat(logged()).isEmpty();
    watch.sent("[m-1]");
    assertThat(submit(pane, " and [m-1]", "[m-1]")).isEqualTo(Outcome.SUBMITTED);
    watch.await(DONE);
    assertThat(logged()).isEqualTo(List.of("too soon! and [m-1]"));
  }

  @Test
  void what_is_sent_while_it_works_waits_for_its_turn() throws IOException {
    Path go = folder.resolve("go");
    Path script = folder.resolve("argv");
    String waits = "read -r text; while ! test -e go; do sleep 0.05; done; echo \"did $text\"";
    Files.write(script, List.of("sh", "-c", waits));
    Pane pane = open("--do", script.toString(), "--log", log.toString());
    Watch watch = watch(pane);
    watch.await(READY);
    watch.sent("[m-3]");
    for (int i = 1; i <= 3; i++) {
      String mark = "[m-" + i + "]";
      assertThat(submit(pane, mark + " task", mark)).as(mark).isEqualTo(Outcome.SUBMITTED);
      assertThat(watch.await(BUSY).state()).isEqualTo(BUSY);
      assertThat(logged()).isEqualTo(List.of("[m-1] task"));
    }
    Files.createFile(go);
    watch.await(DONE);
    assertThat(logged()).isEqualTo(List.of("[m-1] task", "[m-2] task", "[m-3] task"));
    assertThat(tmux.panes.capture(pane, Capture.full()))
        .containsSubsequence("● did [m-1] task", "● did [m-2] task", "● did [m-3] task");
  }

  @Test
  void what_a_program_does_with_a_text_is_the_answer() throws IOException {
    Path script = folder.resolve("deed");
    Files.writeString(script, "#!/bin/sh\necho \"$GIVEN $(wc -c)\"; echo oops >&2; echo last\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Pane pane = open("--do", script.toString());
    Watch watch = watch(pane);
    watch.await(READY);
    watch.sent("[m-1]");
    submit(pane, "[m-1] ".repeat(10_000), "[m-1]");
    watch.await(DONE);
    assertThat(tmux.panes.capture(pane, Capture.full()))
        .containsSubsequence("● mine 60000", "● oops", "● last");
  }

  @Test
  void a_dialog_waits_for_a_person_until_a_key_is_pressed() {
    Pane pane = open("--dialog", "--log", log.toString());
    Watch watch = watch(pane);
    assertThat(watch.await(WAITING_FOR_PERSON).why()).contains("trust this folder");
    tmux.typing.paste(pane, Typed.of("lost\n1"), Manner.BRACKETS);
    assertThat(tmux.typing.enter(pane)).isTrue();
    watch.await(READY);
    assertThat(watch.shows("lost")).isFalse();
    assertThat(logged()).isEmpty();
  }

  @Test
  void a_crash_has_its_exit_code_and_its_last_line() {
    Pane pane = open("--crash-after", "2", "--log", log.toString());
    Watch watch = watch(pane);
    watch.await(READY);
    watch.sent("[m-1]");
    submit(pane, "[m-1]", "[m-1]");
    watch.await(DONE);
    watch.sent("[m-2]");
    submit(pane, "[m-2]", "[m-2]");
    ScreenStatus crashed = watch.await(CRASHED);
    assertThat(crashed.why()).isEqualTo("it ended with exit code 3");
    assertThat(crashed.lastLines()).last().asString().contains("at StandIn.");
    assertThat(tmux.panes.end(pane).orElseThrow().exit()).isEqualTo(3);
    assertThat(logged()).isEqualTo(List.of("[m-1]", "[m-2]"));
  }

  @Test
  void it_leaves_when_it_is_told_to_and_gives_the_terminal_back() {
    String script =
        "\"$@\"; echo \"code $?\"; stty -a | tr ' ' '\\n' | grep -x -e '-*echo;*' ; cat";
    Pane pane =
        tmux.shell("left", script, StandIns.argv("--exit-on", "bye").toArray(String[]::new));
    Watch watch = watch(pane);
    watch.await(READY);
    submit(pane, "bye", null);
    tmux.awaitShown(pane, "code 0\necho");
    Pane told = tmux.shell("told", script, StandIns.argv().toArray(String[]::new));
    watch(told).await(READY);
    ProcessHandle.of(tmux.panes.look(told).orElseThrow().pid())
        .orElseThrow()
        .descendants()
        .filter(each -> each.info().command().orElse("").endsWith("java"))
        .forEach(ProcessHandle::destroy);
    tmux.awaitShown(told, "code 143\necho");
    Pane exits = open();
    watch(exits).await(READY);
    submit(exits, "/exit", null);
    watch(exits).await(ENDED);
  }

  @Test
  void it_copes_with_a_small_window_and_with_one_that_changes() {
    Pane pane = open("--log", log.toString());
    Watch watch = watch(pane);
    watch.await(READY);
    for (String size : List.of("60x12", "90x30", "44x9")) {
      String[] figures = size.split("x");
      tmux.server.tell("resize-window", "-t", pane.id(), "-x", figures[0], "-y", figures[1]);
      String mark = "[m-" + size + "]";
      watch.sent(mark);
      submit(pane, mark + " many words\n".repeat(30), mark);
      watch.await(DONE);
    }
    assertThat(logged()).hasSize(3);
  }

  @Test
  void a_project_may_have_it_as_a_provider() throws IOException {
    Path providers = Files.createDirectories(folder.resolve("providers"));
    List<String> arguments = List.of("--exit-on", "a \"b\" {value}");
    Files.writeString(providers.resolve("stand-in.yaml"), StandIns.providerYaml(arguments));
    Provider provider = new Providers(new Places(folder, null)).get(StandIns.PROVIDER);
    assertThat(provider.manners().exitCommand()).isEqualTo("/exit");
    assertThat(provider.manners().settle()).isEqualTo(Duration.ofMillis(300));
    assertThat(provider.signs().busy()).hasSameSizeAs(claude().signs().busy());
    var profile =
        new AgentProfile(
            "tester",
            new AgentProfile.About("tests", null),
            new AgentProfile.Engine(null, null, List.of(), List.of()),
            new AgentProfile.Prompts("", null));
    var conversation = new Conversation("c-1", true);
    var launch =
        provider.command().launch(new Start(profile, "go", conversation, List.of()), name -> name);
    assertThat(launch.argv()).isEqualTo(StandIns.argv(arguments.toArray(String[]::new)));
    assertThat(launch.typed()).isEqualTo("go");
    assertThat(launch.environment()).containsEntry("AGENT_RESUME", "c-1");
    Pane pane =
        tmux.panes.create(new PaneOrder("test", "w", launch.argv(), folder, launch.environment()));
    tmux.awaitShown(pane, "goes on with conversation c-1");
  }
}
