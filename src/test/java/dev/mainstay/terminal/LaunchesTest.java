package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Seat;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Task;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.domain.Terminal;
import dev.mainstay.queue.Leases;
import dev.mainstay.queue.NewTask;
import dev.mainstay.queue.Tasks;
import dev.mainstay.store.Tx;
import dev.mainstay.terminal.Launches.Restored;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LaunchesTest extends OnTerminals {
  @Test
  void a_launched_agent_runs_in_its_folder_knows_who_it_is_and_becomes_ready() {
    supervise();
    Terminal made = launch("sh", "-c", "echo \"$MAINSTAY_TERMINAL in $PWD\"; PS1='$ ' exec sh -i");
    assertThat(made.id()).startsWith("tester-");
    assertThat(made.seated().begin().caller()).isEqualTo("person:ada");
    awaitShown(made.id(), made.id() + " in " + project);
    awaitStatus(made.id(), Status.READY);
    assertThat(screens.attach(made.id()))
        .containsExactly(
            "tmux",
            "-S",
            folder.resolve("s").toString(),
            "attach-session",
            "-t",
            "=mainstay:=" + made.id());
  }

  @Test
  void what_it_is_to_begin_with_is_typed_once_it_is_ready_and_the_store_wins_over_the_profile() {
    supervise();
    Terminal made =
        launches.launch(
            order("sh", "-c", "PS1='$ ' exec sh -i").told(prompt("echo $((6*7)) of the store")),
            ADA);
    awaitShown(made.id(), "42 of the store");
    await(
        () -> store.reading(tx -> tx.terminals().pendingInput(made.id())).isEmpty(), () -> "owed");
    assertThat(shown(made.id())).containsOnlyOnce("42 of the store");
  }

  @Test
  void a_free_terminal_of_the_profile_is_found_before_another_is_started() {
    supervise();
    LaunchOrder order = order("sh", "-c", "PS1='$ ' exec sh -i");
    Terminal made = launches.findOrLaunch(order, ADA);
    awaitStatus(made.id(), Status.READY);
    assertThat(launches.findOrLaunch(order, ADA).id()).isEqualTo(made.id());
    assertThat(launches.findOrLaunch(order.in("elsewhere"), ADA).id()).isNotEqualTo(made.id());
    Task task = new Tasks(store).create(NewTask.titled("Work"), ADA);
    new Leases(store).hold(task.id(), made.id(), Leases.LEASE, ADA);
    assertThat(launches.findOrLaunch(order, ADA).id()).isNotEqualTo(made.id());
  }

  @Test
  void a_process_that_starts_one_and_leaves_has_typed_its_prompt() {
    Terminal made =
        launches.launch(
            order("sh", "-c", "PS1='$ ' exec sh -i").told(prompt("echo $((6*7))")), ADA);
    try (Supervisor brief = new Supervisor(store, host, agents, faults::add)) {
      brief.await(made.id(), java.time.Duration.ofSeconds(60));
    }
    awaitShown(made.id(), "42");
  }

  @Test
  void a_crash_is_told_with_its_code_and_last_lines_and_its_task_is_offered_again() {
    supervise();
    Terminal made = launch("sh", "-c", "echo out of memory at line 7; read x; exit 3");
    Task task = new Tasks(store).create(NewTask.titled("Work"), ADA);
    new Leases(store).hold(task.id(), made.id(), Leases.LEASE, ADA);
    awaitShown(made.id(), "out of memory");
    screens.press(made.id(), Key.ENTER, ADA);
    awaitStatus(made.id(), Status.CRASHED);
    Seat.Standing how = get(made.id()).seated().standing();
    assertThat(how.exit()).isEqualTo(3);
    assertThat(how.why()).contains("exit code 3");
    assertThat(how.lastLines()).contains("out of memory at line 7");
    Task after = new Tasks(store).show(task.id());
    assertThat(after.status()).isEqualTo(TaskStatus.PENDING);
    assertThat(after.fence()).isGreaterThan(task.fence());
    assertThat(shown(made.id())).contains("out of memory");
  }

  @Test
  void a_window_that_vanished_while_nobody_looked_is_noted_with_the_reason_and_can_be_restored() {
    Terminal made = launch("sh", "-c", "echo \"resumed: $AGENT_RESUME\"; PS1='$ ' exec sh -i");
    Task task = new Tasks(store).create(NewTask.titled("Work"), ADA);
    new Leases(store).hold(task.id(), made.id(), Leases.LEASE, ADA);
    Supervisor first = supervise();
    awaitStatus(made.id(), Status.READY);
    first.close();
    host.tmux().server().tell("kill-session", "-t", "=mainstay");
    supervise();
    awaitStatus(made.id(), Status.GONE);
    assertThat(get(made.id()).seated().standing().why()).contains("its window is gone");
    assertThat(new Tasks(store).show(task.id()).status()).isEqualTo(TaskStatus.PENDING);
    assertThat(launches.restorable(null)).extracting(Terminal::id).containsExactly(made.id());
    Restored again = launches.restore(made.id(), ADA);
    assertThat(again.resumed()).isTrue();
    awaitShown(made.id(), "resumed: " + made.seated().begin().conversation());
    awaitStatus(made.id(), Status.READY);
    assertThatThrownBy(() -> launches.restore(made.id(), ADA))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("runs");
  }

  @Test
  void one_that_was_started_again_is_not_over_because_somebody_saw_its_window_of_before() {
    Supervisor late = new Supervisor(store, host, agents, faults::add);
    Lookout lookout = new Lookout(host, agents.providers());
    Terminal made = launch("sh", "-c", "test -e once && exec sleep 600; touch once");
    var seen = new AtomicReference<Lookout.Seen>();
    await(
        () -> {
          seen.set(lookout.look(made, null, store.reading(Tx::now)));
          return !Status.of(seen.get().status().state()).isLive();
        },
        () -> made.id() + " goes on");
    Supervisor.Case before = late.caseOf(made.id());
    screens.stop(made.id(), ADA);
    launches.restore(made.id(), ADA);
    assertThat(late.note(before, seen.get())).isFalse();
    assertThat(status(made.id())).isEqualTo(Status.STARTING);
  }

  @Test
  void what_was_seen_before_somebody_noted_something_else_is_not_noted() {
    Supervisor late = new Supervisor(store, host, agents, faults::add);
    Terminal made = launch("sh", "-c", "PS1='$ ' exec sh -i");
    Supervisor.Case before = late.caseOf(made.id());
    Lookout.Seen seen = new Lookout(host, agents.providers()).look(made, null, before.now());
    screens.stop(made.id(), ADA);
    launches.restore(made.id(), ADA);
    Seat.Standing again = get(made.id()).seated().standing();
    assertThat(late.note(before, seen)).isTrue();
    assertThat(get(made.id()).seated().standing()).isEqualTo(again);
  }

  @Test
  void terminals_that_still_run_are_adopted_by_the_next_server() {
    Supervisor first = supervise();
    Terminal made = launch("sh", "-c", "PS1='$ ' exec sh -i");
    awaitStatus(made.id(), Status.READY);
    first.close();
    screens.send(made.id(), "read x", true, ADA);
    supervise();
    awaitStatus(made.id(), Status.UNKNOWN);
    screens.press(made.id(), Key.ENTER, ADA);
    awaitStatus(made.id(), Status.READY);
    assertThat(faults).isEmpty();
  }

  @Test
  void stopping_asks_it_to_leave_gives_its_tasks_back_and_keeps_its_history() {
    supervise();
    Terminal made = launch("sh", "-c", "trap 'echo bye' EXIT; PS1='$ ' sh -i; echo left");
    Task task = new Tasks(store).create(NewTask.titled("Work"), ADA);
    new Leases(store).hold(task.id(), made.id(), Leases.LEASE, ADA);
    awaitStatus(made.id(), Status.READY);
    Terminal stopped = screens.stop(made.id(), ADA);
    assertThat(stopped.seated().standing().status()).isEqualTo(Status.STOPPED);
    assertThat(stopped.seated().standing().why()).isEqualTo("stopped by person:ada");
    assertThat(stopped.seated().standing().lastLines()).contains("left");
    assertThat(new Tasks(store).show(task.id()).status()).isEqualTo(TaskStatus.PENDING);
    assertThat(screens.output(made.id(), Screens.Mode.FULL, Capture.full())).contains("left");
    assertThat(screens.stop(made.id(), ADA)).isEqualTo(stopped);
  }

  @Test
  void one_is_stopped_although_tmux_dies_while_it_is_asked_to_leave() {
    String tmux = host.tmux().server().life().replaceFirst("-.*", "");
    Terminal made = launch("sh", "-c", "PS1='$ ' sh -i; kill -9 " + tmux);
    supervise();
    awaitStatus(made.id(), Status.READY);
    Terminal stopped = screens.stop(made.id(), ADA);
    assertThat(stopped.seated().standing().why()).isEqualTo("stopped by person:ada");
    assertThat(stopped.isLive()).isFalse();
  }

  @Test
  void no_more_run_than_may() {
    for (int i = 0; i < LIVE_MAX; i++) launch("sleep", "1000");
    assertThatThrownBy(() -> launch("sleep", "1000"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("terminals.max");
    assertThat(screens.sessions(false)).hasSize(1);
    assertThat(screens.sessions(false).get(0).terminals()).hasSize(LIVE_MAX);
  }

  @Test
  void a_repeated_key_starts_nobody_twice() {
    Call keyed = ADA.withKey("once");
    Terminal one = launches.launch(order("sleep", "1000"), keyed);
    Terminal two = launches.launch(order("sleep", "1000"), keyed);
    assertThat(two.id()).isEqualTo(one.id());
    assertThat(host.tmux().panes().list()).hasSize(1);
  }

  @Test
  void a_repeated_key_starts_nobody_again_who_is_over() {
    Call keyed = ADA.withKey("once");
    supervise();
    Terminal one = launches.launch(order("sh", "-c", "echo ran >>ran.txt"), keyed);
    awaitStatus(one.id(), Status.ENDED);
    launches.launch(order("sh", "-c", "echo ran >>ran.txt"), keyed);
    assertThat(project.resolve("ran.txt")).content().isEqualTo("ran\n");
    assertThat(status(one.id())).isEqualTo(Status.ENDED);
  }

  @Test
  void one_that_takes_its_time_to_die_is_stopped_and_not_gone_and_its_task_lost_no_attempt() {
    supervise();
    Terminal made =
        launch("sh", "-c", "trap '' HUP TERM; echo stubborn; sleep 1; sleep 1; sleep 1");
    Task task = new Tasks(store).create(NewTask.titled("Work"), ADA);
    new Leases(store).hold(task.id(), made.id(), Leases.LEASE, ADA);
    awaitShown(made.id(), "stubborn");
    screens.stop(made.id(), ADA);
    assertThat(status(made.id())).isEqualTo(Status.STOPPED);
    var kinds =
        store.reading(tx -> tx.journal().stream(task.id().stream())).stream()
            .map(each -> each.content().kind())
            .toList();
    assertThat(kinds).contains("task.released").doesNotContain("task.lease_expired");
  }

  @Test
  void what_a_plain_shell_could_not_be_told_in_one_line_is_refused_before_it_is_started() {
    assertThatThrownBy(() -> launches.launch(order("sh").told(prompt("one\ntwo")), ADA))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("one line");
    assertThat(new Terminals(store).list(null, 10)).isEmpty();
  }

  @Test
  void messages_to_one_that_is_over_fail_and_their_sender_is_told() {
    new Terminals(store).register(NewTerminal.external("asker"), ADA);
    Terminal made = launch("cat");
    var asked = inbox.send(new NewMessage("asker", made.id(), "are you there?"), ADA);
    screens.stop(made.id(), ADA);
    assertThat(inbox.giveUp()).isEqualTo(1);
    assertThat(inbox.show(asked.id()).standing().reason())
        .isEqualTo(made.id() + " is over: stopped by person:ada");
    assertThat(inbox.pull("asker", 5, Inbox.LEASE, ADA))
        .singleElement()
        .matches(told -> told.text().contains("was not delivered"));
    assertThat(inbox.giveUp()).isZero();
  }

  @Test
  void a_program_that_is_not_there_is_said_so_and_nothing_is_noted() {
    assertThatThrownBy(() -> launch("no-such-agent"))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("no-such-agent is not on the PATH");
    assertThat(new Terminals(store).list(null, 10)).isEmpty();
  }

  @Test
  void an_agent_starts_profiles_but_no_programs_and_types_only_where_it_started_somebody()
      throws java.io.IOException {
    Call bot = Call.by(Actor.agent("bot"), "test");
    assertThatThrownBy(() -> launches.launch(order("id"), bot)).hasMessageContaining("a person");
    profile("plain", "role: none", "");
    assertThatThrownBy(() -> launches.launch(LaunchOrder.of("plain", project).on("shell"), bot))
        .hasMessageContaining("a shell");
    Terminal adas = launch("cat");
    assertThatThrownBy(() -> screens.send(adas.id(), "hello", true, bot))
        .hasMessageContaining("inbox send");
    assertThatThrownBy(() -> screens.stop(adas.id(), bot)).hasMessageContaining("may not stop");
    screens.stop(adas.id(), ADA);
    assertThatThrownBy(() -> launches.restore(adas.id(), bot))
        .hasMessageContaining("may not restore");
    Terminal bots = launches.launch(LaunchOrder.of("tester", project), bot);
    Call itself = Call.by(Actor.agent(bots.id()), "test");
    new Terminals(store).register(NewTerminal.external("bot"), ADA);
    assertThat(inbox.report(bots.id(), "done", itself).receiver()).isEqualTo("bot");
    assertThatThrownBy(() -> inbox.report(adas.id(), "done", ADA))
        .hasMessageContaining("person:ada, who has no inbox");
    assertThat(bots.seated().begin().caller()).isEqualTo("bot");
    assertThat(screens.send(bots.id(), "echo typed", true, bot))
        .isIn(List.of(Typing.Outcome.values()));
  }

  @Test
  void a_terminal_of_another_host_is_not_touched() {
    Terminal made = launch("cat");
    try (TerminalHost other =
        new TerminalHost("elsewhere", host.socket(), folder.resolve("other"))) {
      Screens there = new Screens(store, other, agents.providers());
      assertThatThrownBy(() -> there.stop(made.id(), ADA))
          .isInstanceOf(Refusal.class)
          .hasMessageContaining("runs on here and this is elsewhere");
    }
  }
}
