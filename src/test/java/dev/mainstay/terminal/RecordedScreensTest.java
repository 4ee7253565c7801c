package dev.mainstay.terminal;

import static dev.mainstay.domain.ScreenStatus.State.BUSY;
import static dev.mainstay.domain.ScreenStatus.State.DONE;
import static dev.mainstay.domain.ScreenStatus.State.READY;
import static dev.mainstay.domain.ScreenStatus.State.UNKNOWN;
import static dev.mainstay.domain.ScreenStatus.State.WAITING_FOR_PERSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.LastAnswer;
import dev.mainstay.domain.Provider;
import dev.mainstay.domain.ScreenStatus;
import dev.mainstay.domain.ScreenStatus.State;
import dev.mainstay.domain.Sighting;
import dev.mainstay.domain.Sighting.Mark;
import dev.mainstay.domain.Sighting.Screen;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Screens of agents as they were seen, made narrower; the versions stand in the providers. */
class RecordedScreensTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Mark SENT = new Mark("[message 7/ab12cd34]", NOON, false);

  private static Provider provider(String name) {
    return new Providers(new Places(Path.of("nowhere"), null)).get(name);
  }

  private static State state(String provider, String text, @Nullable Mark mark) {
    Instant drawn = NOON.plusSeconds(60);
    var screen = new Screen(text.lines().toList(), drawn, drawn.plusSeconds(5));
    var sighting = new Sighting(Sighting.Process.ALIVE, null, screen, mark);
    return ScreenStatus.judge(provider(provider), sighting).state();
  }

  private static String lastAnswer(String provider, String text) {
    return String.join("\n", LastAnswer.of(provider(provider).signs(), text.lines().toList()));
  }

  @Test
  void codex() {
    String trust =
        """
          Folder access
          /srv/shop

          Trust this folder? Codex can read, edit, and run files here, subject to your permission
          settings. Continue only if you trust these files.

        › 1. Trust and continue
          2. Quit

          enter continue · esc quit
        """;
    String before =
        """
          >_ OpenAI Codex (v0.166.0)
             /srv/shop

        › say hello

        • Hello. What shall I do?

          Worked for 3s • 13:57

        """;
    String sent =
        """
        › [message 7/ab12cd34] from person:ada:
          first line
          second; line

        """;
    String footer = "  stub default · /srv/shop\n";
    String prompt =
        "› Ask Codex to do anything\n\n" + footer + "  ? for shortcuts     ⚠ 2 warnings\n";
    String work = "◦ Working (1s • esc to interrupt)\n\n\n";
    String answer = "• It is clean.\n\n  Worked for 3s • 13:58\n\n\n";
    assertThat(state("codex", trust, null)).isEqualTo(WAITING_FOR_PERSON);
    assertThat(state("codex", before + prompt, null)).isEqualTo(READY);
    assertThat(state("codex", before + sent + footer, SENT)).as("unsent").isEqualTo(UNKNOWN);
    assertThat(state("codex", before + sent + work + prompt, SENT)).isEqualTo(BUSY);
    assertThat(state("codex", before + sent + prompt, SENT)).as("no answer").isEqualTo(BUSY);
    assertThat(state("codex", before + sent + answer + prompt, SENT)).isEqualTo(DONE);
    assertThat(lastAnswer("codex", before + sent + answer + prompt)).startsWith("• It is clean.");
  }

  @Test
  void gemini_cli() {
    String before =
        """
         ▝▜▄     Gemini CLI v0.61.0
           ▝▜▄
          ▗▟▀    Authenticated with gemini-api-key /auth

        Tips for getting started:
        1. Create GEMINI.md files to customize your interactions

         > say hello

        ✦ Hello. What shall I do?

        """;
    String trust =
        """
         │ Do you trust the files in this folder?                     │
         │                                                            │
         │ ● 1. Trust folder (shop)                                   │
         │   2. Trust parent folder (srv)                             │
         │   3. Don't trust                                           │
         ╰────────────────────────────────────────────────────────────╯
        """;
    String sent = " > [message 7/ab12cd34] from person:ada:\n   first line\n   second; line\n\n";
    String rule = "─────────────────────────────\n Shift+Tab to accept edits\n\n";
    String footer = "\n workspace (/directory)     sandbox      /model\n /srv/shop    no sandbox\n";
    String prompt = rule + " >   Type your message or @path/to/file\n" + footer;
    String help = "                                  ? for shortcuts\n";
    String work = " ⠹ Thinking... (esc to cancel, 0s)     ? for shortcuts\n";
    String answer = "✦ It is clean.\n\n";
    assertThat(state("gemini-cli", before + trust, null)).isEqualTo(WAITING_FOR_PERSON);
    String again = " Gemini CLI is restarting to apply the trust changes...\n";
    assertThat(state("gemini-cli", before + trust + again, null)).isEqualTo(BUSY);
    String resuming = "⠋ Resuming session...\n" + help + rule + footer;
    assertThat(state("gemini-cli", before + resuming, null)).isEqualTo(BUSY);
    assertThat(state("gemini-cli", before + help + prompt, null)).isEqualTo(READY);
    String unsent = before + rule + sent + footer;
    assertThat(state("gemini-cli", unsent, SENT)).as("unsent").isEqualTo(UNKNOWN);
    assertThat(state("gemini-cli", before + sent + work + prompt, SENT)).isEqualTo(BUSY);
    String done = before + sent + answer + help + prompt;
    assertThat(state("gemini-cli", done, SENT)).isEqualTo(DONE);
    assertThat(lastAnswer("gemini-cli", done)).startsWith("✦ It is clean.");
  }

  @Test
  void opencode() {
    String before =
        """
          ┃
          ┃  say hello
          ┃

             Hello. What shall I do?

             ▣  Build · One · 11.7s

        """;
    String text =
        """
          ┃  [message 7/ab12cd34] from person:ada:
          ┃  first line
          ┃  second; line
        """;
    String sent = "  ┃\n" + text + "  ┃\n\n";
    String frame = "  ┃\n  ┃  Build · One Stub\n  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\n";
    String idle = "   /srv/shop                 tab agents  ctrl+p commands\n";
    String work = "   ⬝⬝■■■■■■  esc interrupt   tab agents  ctrl+p commands\n";
    String prompt = "  ┃\n  ┃\n" + frame;
    assertThat(state("opencode", before + prompt + idle, null)).isEqualTo(READY);
    String unsent = before + "  ┃\n" + text + frame + idle;
    assertThat(state("opencode", unsent, SENT)).as("unsent").isNotIn(DONE, READY);
    String began = before + sent + "     ▣  Build · One\n\n" + prompt;
    assertThat(state("opencode", began + work, SENT)).isEqualTo(BUSY);
    assertThat(state("opencode", began + idle, SENT)).as("no answer").isEqualTo(BUSY);
    String answer = "     It is clean.\n\n     ▣  Build · One · 3.4s\n\n";
    String done = before + sent + answer + prompt + idle;
    assertThat(state("opencode", done, SENT)).isEqualTo(DONE);
    assertThat(lastAnswer("opencode", done)).startsWith("     It is clean.");
  }
}
