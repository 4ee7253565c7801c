package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PanesTest {
  @TempDir Path folder;
  private OwnTmux tmux;
  private Panes panes;

  @BeforeEach
  void start() {
    tmux = new OwnTmux(folder);
    panes = tmux.panes;
  }

  @AfterEach
  void end() {
    if (tmux != null) tmux.close();
  }

  @Test
  void what_runs_gets_its_arguments_folder_and_environment_exactly_and_nothing_is_run_on_the_way()
      throws IOException {
    Path canary = folder.resolve("canary");
    String evil =
        "#(touch C) $(touch C) `touch C`; touch C\n'\"\\#{pid} ~ %1 -d é漢"
            .replace("C", canary.toString());
    Path odd = Files.createDirectory(folder.resolve("#(touch canary) $(touch canary) ' \" é"));
    Path told = folder.resolve("told");
    String script =
        "printf '%s|' \"$@\" \"$PWD\" \"$GIVEN\" \"${TMUX-none}\" >\"$0.part\"; mv \"$0.part\" \"$0\"";
    var argv = List.of("sh", "-c", script, told.toString(), evil, "", "-x", "#{pane_id}");
    Pane pane = panes.create(new PaneOrder("s", "w", argv, odd, Map.of("GIVEN", evil)));
    tmux.awaitEnd(pane);
    assertThat(Files.readString(told))
        .isEqualTo(
            String.join("|", evil, "", "-x", "#{pane_id}", odd.toString(), evil, "none", ""));
    assertThat(canary).doesNotExist();
    assertThat(odd.resolve("canary")).doesNotExist();
  }

  @Test
  void an_environment_is_that_of_one_window_and_not_of_the_next() {
    PaneOrder first = PaneOrder.of("s", "one", folder, "sh", "-c", "echo \"[$GIVEN]\"; cat");
    Pane one = panes.create(first.with(Map.of("GIVEN", "mine")));
    Pane two = panes.create(PaneOrder.of("s", "two", folder, "sh", "-c", "echo \"[$GIVEN]\"; cat"));
    tmux.awaitShown(one, "[mine]");
    tmux.awaitShown(two, "[]");
    assertThat(tmux.server.ask("show-messages")).noneMatch(line -> line.contains("mine"));
  }

  @Test
  void hostile_names_are_refused() {
    for (String name :
        List.of(
            "", "-d", "a:b", "a.b", "=a", "%1", "@1", "#(id)", "a b", "é", "a\n", "x".repeat(65))) {
      assertThatThrownBy(() -> PaneOrder.of(name, "w", folder, "true"))
          .as(name)
          .isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> PaneOrder.of("s", name, folder, "true"))
          .as(name)
          .isInstanceOf(Refusal.class);
      assertThatThrownBy(() -> new Pane(name.equals("%1") ? "%1;" : name, "1-1"))
          .isInstanceOf(Refusal.class);
    }
    PaneOrder order = PaneOrder.of("s", "w", folder, "true");
    for (String name : List.of("", "A=B", "A B", "1A", "A-B")) {
      assertThatThrownBy(() -> order.with(Map.of(name, "x"))).isInstanceOf(Refusal.class);
    }
    assertThatThrownBy(() -> PaneOrder.of(TmuxServer.CONTROL_SESSION, "w", folder, "true"))
        .isInstanceOf(Refusal.class);
    assertThatThrownBy(() -> new Panes(tmux.server, folder.resolve("#(id)")))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void windows_are_listed_by_session_and_a_name_is_given_once() {
    Pane one = panes.create(PaneOrder.of("s", "one", folder, "cat"));
    Pane two = panes.create(PaneOrder.of("s", "two", folder, "cat"));
    Pane other = panes.create(PaneOrder.of("t", "one", folder, "cat"));
    assertThat(panes.list().stream().map(v -> v.session() + "/" + v.window() + v.pane().id()))
        .containsExactlyInAnyOrder("s/one" + one.id(), "s/two" + two.id(), "t/one" + other.id());
    assertThat(panes.find("s", "two")).map(PaneView::pane).contains(two);
    assertThatThrownBy(() -> panes.create(PaneOrder.of("s", "one", folder, "cat")))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("already");
    panes.kill(two);
    assertThat(panes.look(two)).isEmpty();
    assertThat(panes.end(two)).isEmpty();
    assertThat(panes.isAlive(one)).isTrue();
  }

  @Test
  void a_crash_has_its_exit_code_and_its_last_lines() {
    for (int i = 0; i < 20; i++) {
      int code = i * 12 % 250;
      Pane pane = tmux.shell("w" + i, "echo begin; echo oops >&2; exit \"$1\"", "" + code);
      tmux.awaitEnd(pane);
      assertThat(panes.end(pane)).contains(new PaneEnd(code, List.of("begin", "oops")));
    }
    Pane killed = tmux.shell("killed", "kill -9 $$");
    tmux.awaitEnd(killed);
    assertThat(panes.end(killed).orElseThrow().exit()).isEqualTo(137);
    Pane missing = panes.create(PaneOrder.of("s", "w", folder, "no-such-program"));
    tmux.awaitEnd(missing);
    assertThat(panes.end(missing).orElseThrow().exit()).isEqualTo(127);
    Pane nowhere = panes.create(PaneOrder.of("s", "x", folder.resolve("none"), "echo", "ran"));
    tmux.awaitEnd(nowhere);
    assertThat(panes.end(nowhere).orElseThrow().exit()).isEqualTo(1);
    assertThat(panes.capture(nowhere, Capture.full())).doesNotContain("ran").contains("none");
  }

  @Test
  void a_killed_wrapper_is_a_crash_too() {
    Pane pane = tmux.shell("w", "cat");
    assertThat(panes.end(pane)).isEmpty();
    ProcessHandle.of(panes.look(pane).orElseThrow().pid()).orElseThrow().destroyForcibly();
    tmux.awaitEnd(pane);
    // tmux itself forgets the signal now and then; what it says must be right if it says anything.
    assertThat(panes.end(pane).orElseThrow().exit()).isIn(137, null);
  }

  @Test
  void killing_a_window_ends_even_what_ignores_it() {
    Pane pane = tmux.shell("w", "trap '' HUP TERM; echo READY; while :; do sleep 1; done");
    tmux.awaitShown(pane, "READY");
    ProcessHandle wrapper = ProcessHandle.of(panes.look(pane).orElseThrow().pid()).orElseThrow();
    List<ProcessHandle> all = wrapper.descendants().toList();
    assertThat(all).isNotEmpty();
    panes.kill(pane);
    wrapper.onExit().join();
    all.forEach(each -> each.onExit().join());
    assertThat(panes.list()).isEmpty();
  }

  @Test
  void a_screen_is_had_whole_or_in_part_with_colours_or_without() {
    String script =
        "seq 1 300; printf '\\033[31mred\\033[0m %s\\n' \"$1\"; echo DO'NE'; cat >/dev/null";
    String wide = "x".repeat(450);
    Pane pane = tmux.shell("w", script, wide);
    tmux.awaitShown(pane, "DONE");
    String numbers =
        IntStream.rangeClosed(1, 300).mapToObj(String::valueOf).collect(Collectors.joining("\n"));
    assertThat(panes.capture(pane, Capture.full())).isEqualTo(numbers + "\nred " + wide + "\nDONE");
    assertThat(panes.capture(pane, Capture.last(2))).isEqualTo("red " + wide + "\nDONE");
    assertThat(panes.capture(pane, Capture.visible())).doesNotContain("200\n").contains("DONE");
    assertThat(panes.capture(pane, Capture.last(60).withEscapes())).contains("\u001b[31mred");
  }

  @Test
  void files_of_screens_are_for_the_owner_alone_and_none_is_left() throws IOException {
    Pane pane = tmux.shell("w", "echo READY; cat");
    tmux.awaitShown(pane, "READY");
    Path files = folder.resolve("tmux");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files)))
        .isEqualTo("rwx------");
    assertThat(files).isDirectoryNotContaining(each -> !each.endsWith("closing.lock"));
    assertThat(tmux.server.ask("list-buffers")).isEmpty();
  }

  @Test
  void a_program_that_prints_what_ends_an_answer_forges_nothing() {
    String script =
        "t=$(date +%s); for n in $(seq 0 900); do echo \"%end $((t + n / 500)) $n 1\"; done; "
            + "echo '%output %0 forged'; echo DO'NE'; cat";
    Pane pane = tmux.shell("w", script);
    tmux.awaitShown(pane, "DONE");
    for (int i = 0; i < 50; i++) {
      assertThat(panes.capture(pane, Capture.full()).lines()).hasSize(903);
      assertThat(tmux.server.ask("display-message", "-p", "mine")).containsExactly("mine");
    }
  }

  @Test
  void two_windows_are_followed_at_once_each_byte_for_byte() {
    String script =
        "read -r go; for i in $(seq 1 3000); do printf '%s%s \\033[1m漢\\\\\\n' \"$1\" $i; done; cat";
    Pane one = tmux.shell("one", script, "a");
    Pane two = tmux.shell("two", script, "b");
    Heard first = new Heard();
    Heard second = new Heard();
    Heard third = new Heard();
    Following follow = panes.follow(one, first);
    Following other = panes.follow(two, second);
    panes.follow(two, third).close();
    tmux.server.tell("send-keys", "-t", one.id(), "Enter");
    tmux.server.tell("send-keys", "-t", two.id(), "Enter");
    OwnTmux.await("all of a", () -> first.text().length() >= printed("a").length());
    OwnTmux.await("all of b", () -> second.text().length() >= printed("b").length());
    assertThat(first.text().equals(printed("a"))).isTrue();
    assertThat(second.text().equals(printed("b"))).isTrue();
    assertThat(third.text()).isEmpty();
    follow.close();
    other.close();
    assertThat(panes.list()).hasSize(2);
    assertThat(tmux.server.ask("list-windows", "-t", "=" + TmuxServer.CONTROL_SESSION)).hasSize(1);
  }

  @Test
  void one_who_follows_is_told_of_the_end() throws InterruptedException {
    Pane pane = tmux.shell("w", "read -r go; exit 4");
    Heard heard = new Heard();
    panes.follow(pane, heard);
    tmux.server.tell("send-keys", "-t", pane.id(), "Enter");
    assertThat(heard.ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(panes.end(pane).orElseThrow().exit()).isEqualTo(4);
  }

  private static String printed(String name) {
    return "\r\n"
        + IntStream.rangeClosed(1, 3000)
            .mapToObj(i -> name + i + " \u001b[1m漢\\\r\n")
            .collect(Collectors.joining());
  }

  @Test
  void one_who_is_slow_misses_the_oldest_and_is_told_how_much() throws InterruptedException {
    Pane pane =
        tmux.shell("w", "stty -echo; echo READY; read -r go; seq 1000001 1400000; read -r go");
    tmux.awaitShown(pane, "READY");
    CountDownLatch mayGoOn = new CountDownLatch(1);
    Heard slow = new Heard(mayGoOn);
    Heard quick = new Heard();
    panes.follow(pane, slow);
    panes.follow(pane, quick);
    tmux.server.tell("send-keys", "-t", pane.id(), "Enter");
    int total = 400_000 * 9;
    OwnTmux.await("all", () -> quick.heardBytes() + quick.missedBytes() >= total);
    mayGoOn.countDown();
    tmux.server.tell("send-keys", "-t", pane.id(), "Enter");
    assertThat(slow.ended.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(quick.heardBytes() + quick.missedBytes()).isEqualTo(total);
    assertThat(slow.heardBytes() + slow.missedBytes()).isEqualTo(total);
    assertThat(slow.missedBytes()).isGreaterThan(total / 2);
    assertThat(slow.text()).endsWith("1400000\r\n");
  }

  @Test
  void one_who_follows_goes_on_after_the_connection_was_killed() throws InterruptedException {
    Pane pane = tmux.shell("w", "stty -echo; echo READY; read -r go; echo after; cat");
    tmux.awaitShown(pane, "READY");
    Heard heard = new Heard();
    Following following = panes.follow(pane, heard);
    ProcessHandle.of(tmux.server.clientPid()).orElseThrow().destroyForcibly();
    assertThat(heard.interrupted.await(60, TimeUnit.SECONDS)).isTrue();
    tmux.server.tell("send-keys", "-t", pane.id(), "Enter");
    OwnTmux.await("output", () -> heard.text().contains("after"));
    following.close();
    assertThat(panes.isAlive(pane)).isTrue();
    assertThatThrownBy(() -> panes.follow(new Pane("%999", pane.life()), heard))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void a_session_that_a_person_closes_is_closed_although_it_is_followed()
      throws InterruptedException {
    Pane pane = tmux.shell("w", "echo READY; cat");
    tmux.awaitShown(pane, "READY");
    Heard heard = new Heard();
    panes.follow(pane, heard);
    ProcessHandle wrapper = ProcessHandle.of(panes.look(pane).orElseThrow().pid()).orElseThrow();
    tmux.server.tell("kill-session", "-t", "=test");
    assertThat(heard.ended.await(60, TimeUnit.SECONDS)).isTrue();
    wrapper.onExit().join();
    assertThat(panes.list()).isEmpty();
  }

  /**
   * tmux 3.3a dies when a session loses its last window before it has told of the one before, as it
   * does when both are closed in one breath.
   */
  @Test
  void windows_that_are_closed_at_the_same_time_do_not_end_tmux() {
    String life = tmux.server.life();
    for (int round = 0; round < 5; round++) {
      String session = "s" + round;
      List<Pane> all =
          IntStream.range(0, 4)
              .mapToObj(i -> panes.create(PaneOrder.of(session, "w" + i, folder, "cat")))
              .toList();
      CompletableFuture.allOf(
              all.stream()
                  .map(each -> CompletableFuture.runAsync(() -> panes.kill(each)))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
      assertThat(tmux.server.life()).as("round %d", round).isEqualTo(life);
    }
    assertThat(panes.list()).isEmpty();
  }
}
