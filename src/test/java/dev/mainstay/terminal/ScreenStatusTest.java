package dev.mainstay.terminal;

import static dev.mainstay.domain.ScreenStatus.State.BUSY;
import static dev.mainstay.domain.ScreenStatus.State.CRASHED;
import static dev.mainstay.domain.ScreenStatus.State.DONE;
import static dev.mainstay.domain.ScreenStatus.State.ENDED;
import static dev.mainstay.domain.ScreenStatus.State.READY;
import static dev.mainstay.domain.ScreenStatus.State.UNKNOWN;
import static dev.mainstay.domain.ScreenStatus.State.WAITING_FOR_PERSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.ScreenStatus;
import dev.mainstay.domain.ScreenStatus.State;
import dev.mainstay.domain.Sighting;
import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Sighting.Screen;
import dev.mainstay.domain.Sighting.Signal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How agents are judged, with the screens of the built-in providers. */
class ScreenStatusTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final String MARK = "[m-17]";

  private static final String CLAUDE_IDLE =
      """
      ● Hello. What shall I do?

      ✻ Brewed for 2s

      ────────────────────────────────
      ❯\u00a0
      ────────────────────────────────
        ? for shortcuts
      """;

  private static final String CLAUDE_BUSY =
      """
      ❯ [m-17] add a login page

      ● I look at the router first.

      ✻ Cultivating… (12s · ↓ 1.2k tokens)

      ────────────────────────────────
      ❯\u00a0
      ────────────────────────────────
        esc to interrupt
      """;

  private static final String CLAUDE_SENT =
      """
      ● Hello. What shall I do?

      ❯ [m-17] add a login page

      ────────────────────────────────
      ❯\u00a0
      ────────────────────────────────
        ● high · /effort
      """;

  private static final String CLAUDE_DONE =
      """
      ❯ [m-17] add a login page

      ● The login page is there, with two tests.

      ✻ Sautéed for 41s

      ────────────────────────────────
      ❯\u00a0
      ────────────────────────────────
        ? for shortcuts
      """;

  private static final String CLAUDE_TYPED =
      """
      ● Hello. What shall I do?

      ✻ Brewed for 2s

      ────────────────────────────────
      ❯ [m-17] add a login page
      ────────────────────────────────
      """;

  private static final String CLAUDE_TRUST =
      """
      Accessing workspace: /srv/shop

      Quick safety check: Is this a project you created or one you trust?

      ❯ 1. Yes, I trust this folder
        2. No, exit

      Enter to confirm · Esc to cancel
      """;

  private static final String CLAUDE_ASKS =
      """
      ● Bash(rm -r build)

      Do you want to proceed?
      ❯ 1. Yes
        2. No, and tell Claude what to do differently
      """;

  private static Provider provider(String name) {
    return new Providers(new Places(Path.of("nowhere"), null)).get(name);
  }

  private static Screen screen(String text, Instant unchangedSince) {
    return new Screen(text.lines().toList(), unchangedSince, unchangedSince.plusSeconds(5));
  }

  private static Sighting alive(String text, @Nullable Mark mark) {
    return new Sighting(Sighting.Process.ALIVE, null, screen(text, NOON.plusSeconds(60)), mark);
  }

  private static Mark sent() {
    return new Mark(MARK, NOON, false);
  }

  private static State claude(Sighting sighting) {
    return ScreenStatus.judge(provider("claude-code"), sighting).state();
  }

  @Test
  void the_screen_is_read_when_nothing_else_is_known() {
    assertThat(claude(alive(CLAUDE_IDLE, null))).isEqualTo(READY);
    assertThat(claude(alive(CLAUDE_BUSY, null))).isEqualTo(BUSY);
    assertThat(claude(alive(CLAUDE_ASKS, null))).isEqualTo(WAITING_FOR_PERSON);
    assertThat(claude(alive("", null))).isEqualTo(UNKNOWN);
    assertThat(claude(alive("$ claude\n", null))).isEqualTo(UNKNOWN);
  }

  @Test
  void done_needs_our_text_an_answer_below_it_and_a_prompt() {
    assertThat(claude(alive(CLAUDE_DONE, sent()))).isEqualTo(DONE);
    assertThat(claude(alive(CLAUDE_BUSY, sent()))).isEqualTo(BUSY);
    assertThat(claude(alive(CLAUDE_IDLE, sent()))).as("an old answer").isEqualTo(UNKNOWN);
    assertThat(claude(alive(CLAUDE_TYPED, sent()))).as("not yet taken").isEqualTo(UNKNOWN);
    assertThat(claude(alive(CLAUDE_SENT, sent()))).as("no answer yet").isEqualTo(BUSY);
  }

  @Test
  void an_answer_may_quote_our_text_and_is_still_one() {
    String quoted = "● As [m-17] asks, the page is there";
    String done = CLAUDE_DONE.replace("✻ Sautéed for 41s\n\n", "");
    assertThat(claude(alive(done, sent()))).isEqualTo(DONE);
    String line = "● The login page is there, with two tests.";
    assertThat(claude(alive(done.replace(line, quoted), sent()))).isEqualTo(DONE);
    String below = line + "\n  It is what [m-17] asked for.";
    assertThat(claude(alive(done.replace(line, below), sent()))).isEqualTo(DONE);
    String away = done.replace("❯ [m-17] add a login page", "").replace(line, quoted);
    assertThat(claude(alive(away, sent()))).as("our text scrolled away").isEqualTo(DONE);
  }

  @Test
  void our_text_may_speak_of_work_without_being_a_sign_of_it() {
    String text = "❯ [m-17] add a login page\n  press esc to interrupt\n  * soon…";
    String ours = "❯ [m-17] add a login page";
    assertThat(claude(alive(CLAUDE_DONE.replace(ours, text), sent()))).isEqualTo(DONE);
    assertThat(claude(alive(CLAUDE_BUSY.replace(ours, text), sent()))).isEqualTo(BUSY);
    assertThat(claude(alive(CLAUDE_SENT.replace(ours, text), sent()))).isEqualTo(BUSY);
  }

  @Test
  void a_mark_that_was_seen_may_scroll_away() {
    Screen before = screen(CLAUDE_BUSY, NOON.plusSeconds(1));
    Mark seen = sent().after(before);
    assertThat(seen.seen()).isTrue();
    assertThat(sent().after(screen(CLAUDE_IDLE, NOON)).seen()).isFalse();
    String long40 = "● line\n".repeat(60) + CLAUDE_IDLE;
    assertThat(claude(alive(long40, seen))).isEqualTo(DONE);
    assertThat(claude(alive(long40, sent()))).isEqualTo(UNKNOWN);
  }

  @Test
  void a_screen_that_stood_still_since_we_typed_says_nothing_about_it() {
    var old = new Screen(CLAUDE_DONE.lines().toList(), NOON, NOON.plusSeconds(600));
    var stale = new Sighting(Sighting.Process.ALIVE, null, old, sent());
    assertThat(claude(stale)).isEqualTo(UNKNOWN);
  }

  @Test
  void a_screen_that_is_being_redrawn_is_not_believed() {
    Instant drawn = NOON.plusSeconds(60);
    var young = new Screen(CLAUDE_DONE.lines().toList(), drawn, drawn.plusMillis(300));
    assertThat(claude(new Sighting(Sighting.Process.ALIVE, null, young, sent()))).isEqualTo(BUSY);
    assertThat(claude(new Sighting(Sighting.Process.ALIVE, null, young, null))).isEqualTo(BUSY);
  }

  @ParameterizedTest
  @CsvSource({
    "claude-code, 'Is this a project you created or one you trust?', trust this folder",
    "claude-code, Select login method:, log-in",
    "claude-code, Choose the text style that looks best with your terminal, look",
    "codex, Trust this folder? Codex can read and edit files here, trust this folder",
    "codex, Sign in with ChatGPT, log-in",
    "codex, ✨ Update available! 0.166.0 -> 0.167.0, update",
    "gemini-cli, Do you trust the files in this folder?, trust this folder",
    "gemini-cli, How would you like to authenticate for this project?, log-in",
    "opencode, Connect a provider, log-in",
    "opencode, Update Available, update",
    "copilot-cli, Confirm folder trust, trust this folder",
    "q, You are not logged in, log-in"
  })
  void a_dialog_of_a_first_run_waits_for_a_person(String name, String line, String why) {
    String text = "Welcome\n\n" + line + "\n\n❯ 1. Yes\n  2. No\n";
    ScreenStatus status = ScreenStatus.judge(provider(name), alive(text, null));
    assertThat(status.state()).isEqualTo(WAITING_FOR_PERSON);
    assertThat(status.why()).contains(why);
    ScreenStatus sent = ScreenStatus.judge(provider(name), alive(text, sent()));
    assertThat(sent.state()).isEqualTo(WAITING_FOR_PERSON);
  }

  @Test
  void dialogs_as_they_were_recorded_wait_for_a_person() {
    String copilot =
        """
        ╭──────────────────────────────────────────────────╮
        │ Confirm folder trust                             │
        │ Do you trust the files in this folder?           │
        │ ❯ 1. Yes                                         │
        │   2. Yes, and remember this folder               │
        │   3. No (Esc)                                    │
        │ ↑/↓ to navigate · enter to select · esc to cancel│
        ╰──────────────────────────────────────────────────╯
        """;
    String gemini =
        """
        │ Do you trust the files in this folder?           │
        │                                                  │
        │ ● 1. Trust folder (w)                            │
        │   2. Trust parent folder (probe)                 │
        ╰──────────────────────────────────────────────────╯
        """;
    String codex =
        """
          Welcome to Codex, OpenAI's command-line coding agent
        > 1. Sign in with ChatGPT
          2. Sign in with Device Code
          Press enter to continue
        """;
    ScreenStatus trust = ScreenStatus.judge(provider("copilot-cli"), alive(copilot, null));
    assertThat(trust.state()).isEqualTo(WAITING_FOR_PERSON);
    assertThat(trust.why()).contains("trust this folder");
    assertThat(ScreenStatus.judge(provider("gemini-cli"), alive(gemini, null)).state())
        .isEqualTo(WAITING_FOR_PERSON);
    assertThat(ScreenStatus.judge(provider("codex"), alive(codex, null)).state())
        .isEqualTo(WAITING_FOR_PERSON);
  }

  @Test
  void a_dialog_that_was_answered_is_no_longer_one() {
    assertThat(claude(alive(CLAUDE_TRUST, null))).isEqualTo(WAITING_FOR_PERSON);
    assertThat(claude(alive(CLAUDE_TRUST + CLAUDE_IDLE, null))).isEqualTo(READY);
    assertThat(claude(alive(CLAUDE_TRUST + CLAUDE_BUSY, null))).isEqualTo(BUSY);
  }

  @ParameterizedTest
  @CsvSource({
    "codex, • Working (3s • esc to interrupt), BUSY",
    "codex, '  gpt-5 high · 98% left · ~/shop', READY",
    "codex, Would you like to run the following command?, WAITING_FOR_PERSON",
    "gemini-cli, '⠴ Refining the plan (esc to cancel, 50s)', BUSY",
    "gemini-cli, ' *   Type your message or @path/to/file', READY",
    "gemini-cli, '⠏ Waiting for user confirmation... (esc to cancel, 3s)', WAITING_FOR_PERSON",
    "opencode, '  ⬝⬝⬝■■■  esc interrupt    ctrl+p commands', BUSY",
    "opencode, '   tab agents  ctrl+p commands', READY",
    "opencode, △ Permission required, WAITING_FOR_PERSON",
    "q, Kiro is working · esc to cancel, BUSY",
    "q, '[developer] 4% >', READY",
    "q, 'Allow this action? Use t to trust [y/n/t]:', WAITING_FOR_PERSON",
    "copilot-cli, ∙ Thinking (Esc to cancel), BUSY",
    "copilot-cli, ❯, READY",
    "shell, ada@host:~$, READY"
  })
  void every_provider_has_signs_of_its_own(String name, String line, State state) {
    assertThat(ScreenStatus.judge(provider(name), alive("some text\n" + line, null)).state())
        .isEqualTo(state);
  }

  @Test
  void how_a_program_ended_goes_before_its_screen() {
    Screen last = screen(CLAUDE_DONE + "Segmentation fault", NOON.plusSeconds(60));
    var signal = new Signal(Signal.Kind.FINISHED, NOON.plusSeconds(50));
    var crashed = new Sighting(Sighting.Process.ended(139), signal, last, sent());
    ScreenStatus status = ScreenStatus.judge(provider("claude-code"), crashed);
    assertThat(status.state()).isEqualTo(CRASHED);
    assertThat(status.why()).isEqualTo("it ended with exit code 139");
    assertThat(status.lastLines()).endsWith("Segmentation fault").doesNotContain("");
    assertThat(claude(new Sighting(Sighting.Process.ended(null), null, last, null)))
        .isEqualTo(CRASHED);
    var left = new Sighting(Sighting.Process.ended(0), null, last, sent());
    assertThat(claude(left)).isEqualTo(ENDED);
    assertThat(ScreenStatus.judge(provider("claude-code"), left).why())
        .isEqualTo("it ended before it answered");
  }

  @ParameterizedTest
  @CsvSource({
    // what it said, seconds after our text; the screen, seconds after our text; what that makes
    "FINISHED,  50, busy, 40, DONE",
    "FINISHED,  50, busy, 60, BUSY",
    "FINISHED,  50, asks, 60, WAITING_FOR_PERSON",
    "FINISHED,  50, asks, 40, DONE",
    "FINISHED,  -1, idle, 60, UNKNOWN",
    "FINISHED,  -1, busy, 60, BUSY",
    "WORKING,   50, done, 40, BUSY",
    "WORKING,   50, done, 60, DONE",
    "WORKING,   50, idle, 60, BUSY",
    "WORKING,   50, asks, 60, WAITING_FOR_PERSON",
    "WORKING,   50, none, 60, BUSY",
    "ASKING,    50, idle, 40, WAITING_FOR_PERSON",
    "ASKING,    50, none, 60, WAITING_FOR_PERSON",
    "ASKING,    50, busy, 60, BUSY",
    "ASKING,    50, done, 60, DONE"
  })
  void what_an_agent_says_itself_goes_before_an_older_screen(
      Signal.Kind kind, int said, String shown, int drawn, State state) {
    String text =
        switch (shown) {
          case "busy" -> CLAUDE_BUSY;
          case "asks" -> CLAUDE_ASKS;
          case "idle" -> CLAUDE_IDLE;
          case "done" -> CLAUDE_DONE;
          default -> "";
        };
    var sighting =
        new Sighting(
            Sighting.Process.ALIVE,
            new Signal(kind, NOON.plusSeconds(said)),
            screen(text, NOON.plusSeconds(drawn)),
            sent());
    assertThat(claude(sighting)).isEqualTo(state);
  }

  @Test
  void without_anything_sent_a_finished_agent_is_ready() {
    var signal = new Signal(Signal.Kind.FINISHED, NOON);
    var sighting = new Sighting(Sighting.Process.ALIVE, signal, screen(CLAUDE_BUSY, NOON), null);
    assertThat(claude(sighting)).isEqualTo(READY);
  }

  @Test
  void whatever_is_on_a_screen_without_our_text_is_never_done() {
    List<String> lines = new ArrayList<>();
    for (String text : List.of(CLAUDE_IDLE, CLAUDE_TRUST, CLAUDE_ASKS, CLAUDE_DONE, CLAUDE_BUSY)) {
      text.lines().filter(line -> !line.contains(MARK)).forEach(lines::add);
    }
    List<Provider> all =
        new ProviderText().builtIn().stream().map(ScreenStatusTest::provider).toList();
    Seeds.forAll(
        500,
        random -> {
          StringBuilder text = new StringBuilder();
          int count = random.nextInt(30);
          for (int i = 0; i < count; i++) {
            text.append(lines.get(random.nextInt(lines.size()))).append('\n');
          }
          for (Provider provider : all) {
            State state = ScreenStatus.judge(provider, alive(text.toString(), sent())).state();
            assertThat(state).as(provider.name()).isNotIn(DONE, READY, ENDED, CRASHED);
          }
        });
  }
}
