package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.Seeds;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Typed;
import dev.mainstay.terminal.Typing.Manner;
import dev.mainstay.terminal.Typing.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypingTest {
  private static final int STRINGS = 10_000;
  private static final int PER_BLOCK_MAX = 256;

  /** Takes so many bytes as they come, and asks for brackets around a paste or not. */
  private static final String RAW_READER =
      "stty raw -echo; printf \"$3\"; printf 'REA''DY'; head -c \"$1\" >\"$2\"; printf 'DO''NE'; cat >/dev/null";

  @TempDir Path folder;
  private OwnTmux tmux;
  private Path canary;

  @BeforeEach
  void start() {
    tmux = new OwnTmux(folder);
    canary = folder.resolve("canary");
  }

  @AfterEach
  void end() {
    if (tmux != null) tmux.close();
  }

  @Test
  void ten_thousand_random_strings_arrive_exact_or_are_refused_and_none_is_run()
      throws IOException {
    List<Typed> all = new ArrayList<>();
    Seeds.forAll(
        STRINGS,
        random -> hostile(random).filter(each -> !each.text().isEmpty()).ifPresent(all::add));
    assertThat(pasted(all)).isEqualTo(all.stream().map(Typed::text).toList());
    assertThat(canary).doesNotExist();
  }

  /** Noise, keys, ends of brackets and orders to a shell; bytes that are no text are refused. */
  private Optional<Typed> hostile(Random random) {
    String order = "touch " + canary;
    String[] pieces = {
      "\u001b[201~",
      "\r",
      "\n",
      order,
      "$(" + order + ")",
      "`" + order + "`",
      "; " + order + "\n",
      "\u0003",
      "\u0004",
      "\u001a",
      "\u009b201~",
      "\u2028",
      "\u202e",
      "#(" + order + ")",
      "\t",
      "\\",
      "\u0002:run-shell '" + order + "'\r",
      "\u001b]52;c;eA==\u0007",
      "é",
      "🎉",
      "!!",
      "\u0016"
    };
    if (random.nextInt(4) == 0) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        return Optional.of(Typed.of(new String(bytes, StandardCharsets.ISO_8859_1)));
      }
      try {
        return Optional.of(Typed.of(bytes));
      } catch (Refusal notText) {
        return Optional.empty();
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i >= 0; i--) text.append(pieces[random.nextInt(pieces.length)]);
    return Optional.of(Typed.of(text.toString()));
  }

  /** What a program that asked for brackets gets, text by text. */
  private List<String> pasted(List<Typed> all) throws IOException {
    int bytes = all.stream().mapToInt(each -> bytes(each) + 12).sum();
    Path got = folder.resolve("got");
    Pane pane = tmux.shell("raw", RAW_READER, "" + bytes, got.toString(), "\\033[?2004h");
    tmux.awaitShown(pane, "READY");
    for (Typed each : all) tmux.typing.paste(pane, each, Manner.BRACKETS);
    tmux.awaitShown(pane, "DONE");
    String text = Files.readString(got);
    assertThat(text).startsWith("\u001b[200~").endsWith("\u001b[201~");
    return List.of(text.substring(6, text.length() - 6).split("\u001b\\[201~\u001b\\[200~", -1));
  }

  private static int bytes(Typed typed) {
    return typed.text().getBytes(StandardCharsets.UTF_8).length;
  }

  @Test
  void a_hundred_kilobytes_arrive_exact() throws IOException {
    Random random = new Random(7);
    StringBuilder text = new StringBuilder();
    while (text.length() < Typed.TYPED_CHARS_MAX) {
      text.append(random.nextInt(60) == 0 ? '\n' : (char) (' ' + random.nextInt(95)));
    }
    Typed typed = Typed.of(text.toString());
    assertThat(pasted(List.of(typed))).containsExactly(text.toString());
  }

  @Test
  void every_block_of_unicode_arrives_exact() throws IOException {
    Map<Character.UnicodeBlock, Integer> taken = new HashMap<>();
    List<Typed> all = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      Character.UnicodeBlock block = Character.UnicodeBlock.of(c);
      if (block == null || taken.merge(block, 1, Integer::sum) > PER_BLOCK_MAX) continue;
      text.appendCodePoint(c);
      if (text.length() > 20_000 || c == Character.MAX_CODE_POINT) {
        all.add(Typed.of(text.toString()));
        text.setLength(0);
      }
    }
    all.add(Typed.of(text + "end"));
    assertThat(taken).hasSizeGreaterThan(250);
    assertThat(pasted(all)).isEqualTo(all.stream().map(Typed::text).toList());
  }

  @Test
  void a_program_without_brackets_gets_one_line_as_it_is_and_nothing_that_is_a_key()
      throws IOException {
    Path got = folder.resolve("got");
    Typed typed = Typed.of("abc; $(touch x) ;");
    Pane pane = tmux.shell("raw", RAW_READER, "" + bytes(typed), got.toString(), "");
    tmux.awaitShown(pane, "READY");
    for (String several : List.of("a\nb", "a\tb", "a\u2028b")) {
      assertThatThrownBy(() -> tmux.typing.paste(pane, Typed.of(several), Manner.KEYS))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("one line");
    }
    tmux.typing.paste(pane, Typed.of(""), Manner.KEYS);
    tmux.typing.paste(pane, typed, Manner.KEYS);
    tmux.awaitShown(pane, "DONE");
    assertThat(Files.readString(got)).isEqualTo(typed.text());
  }

  @Test
  void a_real_shell_runs_nothing_that_is_pasted_until_enter_is_pressed() {
    var argv = List.of("bash", "--norc", "--noprofile", "-i");
    var order = new PaneOrder("test", "bash", argv, folder, Map.of("PS1", "READY> "));
    Pane pane = tmux.panes.create(order);
    tmux.awaitShown(pane, "READY>");
    Seeds.forAll(
        200,
        random ->
            hostile(random).ifPresent(typed -> tmux.typing.paste(pane, typed, Manner.BRACKETS)));
    tmux.typing.paste(pane, Typed.of("\nthe-very-end"), Manner.BRACKETS);
    tmux.awaitShown(pane, "the-very-end");
    assertThat(canary).doesNotExist();
    assertThat(tmux.panes.isAlive(pane)).isTrue();
  }

  @Test
  void each_text_arrives_once_while_the_connection_is_killed_again_and_again() throws IOException {
    List<Typed> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) all.add(Typed.of("message " + i));
    int bytes = all.stream().mapToInt(TypingTest::bytes).sum();
    Path got = folder.resolve("got");
    Pane pane = tmux.shell("raw", RAW_READER, "" + bytes, got.toString(), "");
    tmux.awaitShown(pane, "READY");
    for (int i = 0; i < all.size(); i++) {
      CompletableFuture<Void> killed = CompletableFuture.completedFuture(null);
      if (i % 10 == 0) {
        ProcessHandle client = ProcessHandle.of(tmux.server.clientPid()).orElseThrow();
        killed = CompletableFuture.runAsync(client::destroyForcibly);
      }
      tmux.typing.paste(pane, all.get(i), Manner.KEYS);
      killed.join();
    }
    tmux.awaitShown(pane, "DONE");
    assertThat(Files.readString(got))
        .isEqualTo(String.join("", all.stream().map(Typed::text).toList()));
  }

  @Test
  void a_text_is_submitted_once_and_known_by_its_mark() {
    Pane pane = tmux.shell("w", "while read -r line; do echo \"got: $line\"; done");
    Typed typed = Typed.of("hello [m-17]");
    assertThat(tmux.typing.submit(pane, typed, Manner.KEYS, "[m-17]")).isEqualTo(Outcome.SUBMITTED);
    tmux.awaitShown(pane, "got: hello [m-17]");
    assertThat(tmux.typing.submit(pane, typed, Manner.KEYS, "[m-17]"))
        .isEqualTo(Outcome.SHOWN_BEFORE);
    assertThat(tmux.panes.capture(pane, Capture.full()))
        .isEqualTo("hello [m-17]\ngot: hello [m-17]");
  }

  @Test
  void an_enter_that_is_not_taken_is_pressed_again_and_the_text_is_not() {
    Pane pane =
        tmux.shell(
            "w", "stty -echo; echo READY; read -r a; read -r b; echo \"took [$a][$b]\"; cat");
    tmux.awaitShown(pane, "READY");
    assertThat(tmux.typing.submit(pane, Typed.of("once"), Manner.KEYS, null))
        .isEqualTo(Outcome.SUBMITTED);
    tmux.awaitShown(pane, "took [once][]");
  }

  @Test
  void a_spinner_that_turns_does_not_pass_for_an_enter_that_was_taken() {
    String script =
        """
        stty raw -echo; line=; enters=0; cr=$(printf '\\r'); printf '\\033[2;1H> '
        while n=$((n + 1)); do printf '\\0337\\033[H%s READY\\0338' $n; sleep 0.03; done &
        while c=$(dd bs=1 count=1 2>/dev/null); do
          if [ "$c" = "$cr" ]; then enters=$((enters + 1)); else line=$line$c; fi
          if [ $enters = 2 ]; then printf '\\033[4;1Htook %s' "$line"; line=; enters=3; fi
          printf '\\033[2;1H\\033[K> %s' "$line"
        done
        """;
    Pane pane = tmux.shell("spinner", script);
    tmux.awaitShown(pane, "READY");
    assertThat(tmux.typing.submit(pane, Typed.of("[m-17]"), Manner.KEYS, "[m-17]"))
        .isEqualTo(Outcome.SUBMITTED);
    tmux.awaitShown(pane, "took [m-17]");
  }

  @Test
  void an_enter_that_changes_nothing_is_not_confirmed() {
    Pane pane = tmux.shell("w", "stty raw -echo; echo READY; cat >/dev/null");
    tmux.awaitShown(pane, "READY");
    assertThat(tmux.typing.submit(pane, Typed.of("x"), Manner.KEYS, null))
        .isEqualTo(Outcome.UNCONFIRMED);
  }

  @Test
  void enter_reaches_the_program_although_somebody_scrolls() {
    Pane pane = tmux.shell("w", "read -r line; echo \"line [$line]\"; cat");
    tmux.server.tell("copy-mode", "-t", pane.id());
    tmux.typing.paste(pane, Typed.of("typed"), Manner.KEYS);
    assertThat(tmux.typing.enter(pane)).isTrue();
    tmux.awaitShown(pane, "line [typed]");
  }

  @Test
  void nothing_is_typed_into_a_program_that_has_ended() {
    Pane pane = tmux.shell("w", "exit 0");
    tmux.awaitEnd(pane);
    assertThatThrownBy(() -> tmux.typing.paste(pane, Typed.of("x"), Manner.KEYS))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("ended");
    assertThatThrownBy(() -> tmux.typing.enter(pane)).isInstanceOf(Refusal.class);
  }

  @Test
  void a_text_that_stood_there_and_vanished_is_lost_and_not_submitted() {
    // Enter makes it draw all anew, as agents do that load a conversation after they asked.
    String forgets =
        "stty raw -echo; printf 'REA''DY '; head -c 6; head -c 1 >/dev/null;"
            + " printf '\\033[2J\\033[3J\\033[Hnew'; cat >/dev/null";
    Pane pane = tmux.shell("forgets", forgets);
    tmux.awaitShown(pane, "READY");
    assertThat(tmux.typing.submitFirst(pane, Typed.of("[m-17]"), Manner.KEYS, "[m-17]"))
        .isEqualTo(Outcome.LOST);
  }
}
