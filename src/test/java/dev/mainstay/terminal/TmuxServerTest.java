package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Refusal;
import dev.mainstay.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TmuxServerTest {
  @TempDir Path folder;
  private OwnTmux tmux;

  @BeforeEach
  void start() {
    tmux = new OwnTmux(folder);
  }

  @AfterEach
  void end() {
    if (tmux != null) tmux.close();
  }

  @Test
  void each_command_gets_its_own_answer_and_a_no_is_a_refusal() {
    List<List<String>> commands =
        IntStream.range(0, 500)
            .mapToObj(i -> List.of("display-message", "-p", "answer " + i))
            .toList();
    assertThat(tmux.server.askAll(commands).stream().map(answer -> answer.get(0)))
        .containsExactlyElementsOf(IntStream.range(0, 500).mapToObj(i -> "answer " + i).toList());
    assertThatThrownBy(() -> tmux.server.tell("no-such-command"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("unknown command");
    assertThat(tmux.server.ask("display-message", "-p", "next")).containsExactly("next");
  }

  @Test
  void many_threads_share_the_connection_and_nobody_gets_the_answer_of_another() {
    assertThat(
            IntStream.range(0, 2_000)
                .parallel()
                .filter(
                    i ->
                        !tmux.server.ask("display-message", "-p", "n" + i).equals(List.of("n" + i)))
                .count())
        .isZero();
  }

  @Test
  void arguments_are_never_commands_and_lines_never_end_early() throws IOException {
    String hostile = "a;b \"c\" 'd' $HOME ~ \\ { } % \n kill-server \n \t é 漢 🎉";
    tmux.server.tell("set-option", "-s", "@kept", hostile);
    tmux.server.tell("set-buffer", "-b", "kept", hostile);
    Pane pane = tmux.shell("reader", "stty raw -echo; printf READY; cat >/dev/null");
    assertThat(tmux.panes.isAlive(pane)).isTrue();
    assertThat(tmux.server.ask("display-message", "-p", "#{==:#{@kept},}")).containsExactly("0");
    Path saved = folder.resolve("saved");
    tmux.server.tell("save-buffer", "-b", "kept", saved.toString());
    assertThat(Files.readString(saved)).isEqualTo(hostile);
    assertThatThrownBy(() -> tmux.server.tell("set-buffer", "a\0b"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("NUL");
  }

  @Test
  void a_killed_connection_comes_back_to_the_same_windows() throws InterruptedException {
    Pane pane = tmux.shell("w", "cat");
    CountDownLatch back = new CountDownLatch(1);
    tmux.server.listen(
        new TmuxListener() {
          @Override
          public void reconnected() {
            back.countDown();
          }
        });
    String life = tmux.server.life();
    long first = kill();
    assertThat(back.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(tmux.server.clientPid()).isNotEqualTo(first);
    assertThat(tmux.server.life()).isEqualTo(life);
    assertThat(tmux.panes.isAlive(pane)).isTrue();
    for (int i = 0; i < 10; i++) {
      kill();
      assertThat(tmux.server.ask("display-message", "-p", "here")).containsExactly("here");
    }
  }

  private long kill() {
    long pid = tmux.server.clientPid();
    ProcessHandle client = ProcessHandle.of(pid).orElseThrow();
    client.destroyForcibly();
    client.onExit().join();
    return pid;
  }

  @Test
  void a_pane_of_an_earlier_server_is_never_taken_for_one_of_the_next() {
    Pane old = tmux.shell("w", "cat");
    tmux.server.tell("kill-server");
    OwnTmux.await("another server", () -> isOtherThan(old.life()));
    Pane fresh = tmux.shell("w", "cat");
    assertThat(fresh.id()).isEqualTo(old.id());
    assertThat(tmux.panes.isAlive(fresh)).isTrue();
    assertThat(tmux.panes.isAlive(old)).isFalse();
    tmux.panes.kill(old);
    assertThat(tmux.panes.isAlive(fresh)).isTrue();
    assertThatThrownBy(() -> tmux.panes.capture(old, Capture.full()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("started anew");
  }

  /** While the old one goes, there is neither. */
  private boolean isOtherThan(String life) {
    try {
      tmux.server.ask("list-sessions");
      return !tmux.server.life().equals(life);
    } catch (Refusal notYet) {
      return false;
    }
  }

  @Test
  void a_second_connection_to_the_same_server_sees_the_same_windows_after_the_first_is_closed() {
    Pane pane = tmux.shell("w", "cat");
    tmux.server.close();
    assertThatThrownBy(() -> tmux.server.ask("list-sessions")).isInstanceOf(Refusal.class);
    try (TmuxServer second = TmuxServer.open(tmux.socket())) {
      Panes panes = new Panes(second, folder.resolve("tmux"));
      assertThat(panes.find("test", "w")).map(PaneView::pane).contains(pane);
    }
  }

  @Test
  void a_server_without_windows_ends_with_its_last_connection() {
    try (TmuxServer other = TmuxServer.open(tmux.socket())) {
      tmux.server.close();
      assertThat(other.ask("list-sessions")).hasSize(1);
      OwnTmux.await(
          "the other connection to be alone",
          () -> other.ask("display-message", "-p", "#{session_attached}").equals(List.of("1")));
    }
    OwnTmux.await("the end of the server", () -> !isRunning());
  }

  @Test
  void a_server_with_a_window_outlives_its_last_connection() {
    tmux.shell("w", "cat");
    tmux.server.close();
    assertThat(isRunning()).isTrue();
  }

  private boolean isRunning() {
    List<String> look = List.of("tmux", "-S", folder.resolve("s").toString(), "list-sessions");
    return Programs.run(look, Duration.ofSeconds(60)).filter(e -> e.exit() == 0).isPresent();
  }

  @Test
  void a_listener_that_gives_commands_is_told_so_at_once() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    tmux.server.listen(
        new TmuxListener() {
          @Override
          public void notice(String kind, String rest) {
            try {
              tmux.server.ask("list-sessions");
            } catch (IllegalStateException mayNot) {
              told.countDown();
            }
          }
        });
    tmux.shell("w", "cat");
    assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void without_tmux_one_sentence_says_what_to_do() {
    TmuxSocket socket = TmuxSocket.at(folder.resolve("none"));
    assertThatThrownBy(() -> TmuxServer.open("mainstay-no-such-program", socket))
        .isInstanceOf(Refusal.class)
        .hasMessageStartingWith("tmux is not installed; install it");
  }

  @Test
  void the_socket_is_never_that_of_a_person() {
    for (String name : List.of("default", "", "a/b", "-x", "x".repeat(33), "a b", "#(x)")) {
      assertThatThrownBy(() -> TmuxSocket.named(name)).as(name).isInstanceOf(Refusal.class);
    }
    assertThat(TmuxSocket.named("mainstay").attach("one"))
        .containsExactly("tmux", "-L", "mainstay", "attach-session", "-t", "=one");
    assertThatThrownBy(() -> TmuxSocket.at(folder.resolve("x".repeat(120))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("107 bytes");
  }
}
