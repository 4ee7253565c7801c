package dev.mainstay.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mainstay.hook.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who owns the socket of a project, and what becomes of requests when the owner hangs or dies. */
class SocketOwnerTest extends OnSocket {
  @Test
  void an_event_told_to_a_hung_owner_waits_and_is_heard_by_the_next() throws Exception {
    hang();

    Run run = run(folder, "{\"tool\": 1}", "hook", "PostToolUse", "--agent", "codex");

    assertThat(run).isEqualTo(new Run(0, "", ""));
    assertThat(spooled()).hasSize(1);
    Echo echo = new Echo("");
    own(echo);
    await(() -> spooled().isEmpty());
    assertThat(echo.args()).containsExactly(List.of("hook", "PostToolUse", "--agent", "codex"));
    assertThat(echo.performed.get(0).input().readAllBytes()).asString().isEqualTo("{\"tool\": 1}");
  }

  @Test
  void events_that_waited_are_heard_in_their_order_before_the_next_one() throws Exception {
    hang();
    for (int i = 0; i < 3; i++) {
      run(folder, "" + i, "hook", "PostToolUse");
      for (String name : spooled()) if (spooled().size() <= 3) ageBy(name, i);
    }
    Files.delete(SocketState.file(project()));
    Echo echo = new Echo("");
    own(echo);

    run(folder, "last", "hook", "SessionStart");

    List<String> heard = new ArrayList<>();
    for (Request request : echo.performed) heard.add(new String(request.input().readAllBytes()));
    assertThat(heard).containsExactly("0", "1", "2", "last");
  }

  /** The first of them is the oldest; those that have an age keep it. */
  private void ageBy(String name, int number) throws Exception {
    Path file = folder.resolve(".mainstay/spool").resolve(name);
    Instant since = Files.getLastModifiedTime(file).toInstant();
    if (since.isBefore(Instant.now().minusSeconds(60))) return;
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(600 - number)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hook SessionStart", "hook UserPromptSubmit", "hook PreToolUse"})
  void an_event_that_wants_an_answer_goes_from_a_hung_owner_to_a_jvm(String line) throws Exception {
    hang();

    Run run = run(folder, "{}", line.split(" "));

    assertThat(run.wasJvm()).isTrue();
    assertThat(run.out()).contains("-Dmainstay.input=" + folder + "/.mainstay/spool/hook-");
  }

  @Test
  void a_command_goes_from_a_hung_owner_to_a_jvm() throws Exception {
    hang();

    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
  }

  /** Takes the next request and dies of it, as far as the launcher can see. */
  private void dieOfTheNext() throws Exception {
    hang();
    Thread victim =
        new Thread(
            () -> {
              try {
                SocketChannel client = server.accept();
                spool().take(spooled().get(0));
                client.close();
              } catch (IOException never) {
                throw new UncheckedIOException(never);
              }
            });
    victim.start();
  }

  @Test
  void who_asked_an_owner_that_died_of_it_is_told_the_truth() throws Exception {
    dieOfTheNext();
    Run writing = run("task", "complete", "T-001");
    assertThat(writing.exit()).isEqualTo(5);
    assertThat(writing.err()).contains("took the command and did not answer");

    dieOfTheNext();
    assertThat(run("task", "show", "T-001").wasJvm()).as("looking twice does no harm").isTrue();

    dieOfTheNext();
    assertThat(run(folder, "{}", "hook", "SessionStart")).isEqualTo(new Run(0, "", ""));
  }

  @Test
  void a_dead_owner_is_not_even_asked() throws Exception {
    hang();
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    note(SocketPlace.of(project().folder(), env), gone.pid());

    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
    assertThat(run(folder, "{}", "hook", "PostToolUse").wasJvm()).isTrue();
    assertThat(spooled()).isEmpty();
  }

  @Test
  void where_nobody_listens_any_more_a_jvm_does_it() throws Exception {
    hang();
    give_up();

    Run run = run(folder, "{}", "hook", "PostToolUse");

    assertThat(run.wasJvm()).isTrue();
    assertThat(run.out()).contains("-Dmainstay.input=");
  }

  @Test
  void of_two_one_owns_and_the_other_takes_over_when_it_is_killed() throws Exception {
    Process first = SocketProcess.start(this);
    try {
      await(() -> SocketState.read(project()).isPresent());
      closing(SocketOwner.start(project(), env, build(), new Echo("heir")));
      assertThat(run("task", "show", "T-001").out()).isEqualTo("process[task, show, T-001]");
    } finally {
      first.destroyForcibly();
      first.waitFor();
    }

    await(() -> run("task", "show", "T-001").out().startsWith("heir"));
  }

  @Test
  void in_one_process_one_owns_and_the_other_takes_over() throws Exception {
    SocketOwner first = own(new Echo("first"));
    closing(SocketOwner.start(project(), env, build(), new Echo("second")));
    assertThat(run("task", "list").out()).startsWith("first");

    first.close();

    await(() -> run("task", "list").out().startsWith("second"));
  }

  @Test
  void a_closed_owner_leaves_neither_note_nor_socket() throws Exception {
    SocketOwner owner = own(new Echo("owner"));
    Path socket = SocketState.read(project()).orElseThrow().socket();
    assertThat(Files.getPosixFilePermissions(socket))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));

    owner.close();

    assertThat(socket).doesNotExist();
    assertThat(SocketState.file(project())).doesNotExist();
    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
  }

  @Test
  void a_socket_is_only_put_where_its_path_fits_and_nobody_else_may_enter() throws Exception {
    Path fit = SocketPlace.of(project().folder(), env);
    assertThat(fit).startsWithRaw(root.resolve("run/mainstay"));

    Path runtime = root.resolve("run/mainstay");
    Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwxr-x---"));
    assertThat(SocketPlace.of(project().folder(), env)).doesNotExist().isNotEqualTo(fit);

    Path deep = Files.createDirectories(root.resolve("d".repeat(100)));
    env.put("XDG_RUNTIME_DIR", deep.toString());
    Path other = SocketPlace.of(project().folder(), env);
    assertThat(other.toString().length()).isLessThanOrEqualTo(SocketPlace.PATH_BYTES_MAX);
    assertThat(other.getFileName()).isEqualTo(fit.getFileName());
  }

  @Test
  void an_owner_with_a_path_that_is_too_long_still_listens() throws Exception {
    Path deep = Files.createDirectories(root.resolve("d".repeat(100)));
    env.put("XDG_RUNTIME_DIR", deep.toString());
    own(new Echo("owner"));

    assertThat(run("task", "list").out()).startsWith("owner");
  }

  @Test
  void a_socket_or_a_note_of_somebody_else_is_not_trusted() throws Exception {
    own(new Echo("owner"));
    Path socket = SocketState.read(project()).orElseThrow().socket();
    assumeThat(Files.getAttribute(socket, "unix:uid")).as("may give files away").isEqualTo(0);
    for (Path file : List.of(socket, SocketState.file(project()))) {
      Files.setAttribute(file, "unix:uid", 12_345);
      assertThat(run("task", "show", "T-001").wasJvm()).as(file.toString()).isTrue();
      Files.setAttribute(file, "unix:uid", 0);
      assertThat(run("task", "show", "T-001").wasJvm()).isFalse();
    }
  }

  @Test
  void a_jvm_hears_what_waits_before_a_prompt_and_not_before_other_commands() throws Exception {
    hang();
    run(folder, "{}", "hook", "PostToolUse");
    age(spooled().get(0));

    LeftEvents.hearBefore(new String[] {"task", "list"}, env, folder);
    assertThat(spooled()).hasSize(1);
    LeftEvents.hearBefore(new String[] {"prompt", "T-001"}, env, folder);
    assertThat(spooled()).isEmpty();
  }

  @Test
  void a_spool_that_is_a_link_is_not_used() throws Exception {
    own(new Echo("owner"));
    Path spool = folder.resolve(".mainstay/spool");
    Path elsewhere = Files.createDirectories(root.resolve("elsewhere"));
    Files.delete(spool);
    Files.createSymbolicLink(spool, elsewhere);

    assertThat(run("task", "show", "T-001").wasJvm()).isTrue();
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void what_a_dead_process_had_taken_is_heard_again_if_it_is_an_event() throws Exception {
    hang();
    run(folder, "{}", "hook", "PostToolUse");
    Path spool = folder.resolve(".mainstay/spool");
    String name = spooled().get(0);
    age(name);
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Files.copy(spool.resolve(name), spool.resolve("run-1." + gone.pid()));
    Files.move(spool.resolve(name), spool.resolve(name + "." + gone.pid()));
    Files.writeString(spool.resolve("hook-half"), "mainstay-1");
    Files.setLastModifiedTime(
        spool.resolve("hook-half"), FileTime.from(Instant.now().minusSeconds(3600)));

    spool().tidy(Instant.now());
    assertThat(spooled()).as("it may have been taken by a process we cannot see").hasSize(2);
    spool().tidy(Instant.now().plus(Spool.UNASKED_MAX));

    assertThat(spooled()).containsExactly(name);
    assertThat(spool().peek(name).orElseThrow().caller().env())
        .as("it is known again")
        .containsEntry(Told.RECEIPT, name);
    try (PutDown input = PutDown.open(spool.resolve(name).toString())) {
      assertThat(input.env(Map.of("USER", "ada")))
          .isEqualTo(Map.of("USER", "ada", Told.RECEIPT, name));
    }
  }

  @Test
  void a_request_that_is_a_link_or_has_a_strange_name_is_not_taken() throws Exception {
    hang();
    run(folder, "{}", "hook", "PostToolUse");
    Path spool = folder.resolve(".mainstay/spool");
    Path real = root.resolve("real");
    Files.move(spool.resolve(spooled().get(0)), real);
    Files.createSymbolicLink(spool.resolve("hook-1"), real);
    Files.copy(real, spool.resolve("other-1"));

    assertThat(spool().take("hook-1")).isEmpty();
    assertThat(spool().take("other-1")).isEmpty();
    assertThat(spool().take("../spool/hook-1")).isEmpty();
    assertThat(spool().waiting()).isEmpty();
    assertThat(Files.exists(real, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void an_event_that_nobody_could_hear_is_not_kept_for_ever() throws Exception {
    hang();
    run(folder, "{}", "hook", "PostToolUse");

    spool().tidy(Instant.now().plus(Spool.EVENT_AGE_MAX));

    assertThat(spooled()).isEmpty();
  }

  @Test
  void more_events_than_the_limit_lose_the_oldest() throws Exception {
    spool().prepare();
    Path spool = folder.resolve(".mainstay/spool");
    for (int i = 0; i < Spool.FILES_MAX + 2; i++) {
      Path file = Files.writeString(spool.resolve("hook-" + i), "x");
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(i)));
    }

    spool().tidy(Instant.now());

    assertThat(spooled()).hasSize(Spool.FILES_MAX).doesNotContain("hook-0", "hook-1");
  }
}
