package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Seat.Status;
import dev.mainstay.domain.Sighting.Signal;
import dev.mainstay.domain.Terminal;
import dev.mainstay.domain.Typed;
import dev.mainstay.json.JsonText;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.terminal.Typing.Manner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesTest extends OnTerminals {
  private Terminal agent(String... arguments) throws IOException {
    var all = new java.util.ArrayList<>(List.of("--log", log().toString(), "--work", "50"));
    all.addAll(List.of(arguments));
    provider(StandIns.PROVIDER, StandIns.providerYaml(all));
    profile("helper", "provider: " + StandIns.PROVIDER, "You help.");
    return launches.launch(LaunchOrder.of("helper", project), ADA);
  }

  private Path log() {
    return folder.resolve("log");
  }

  private List<String> heard() {
    try {
      if (!Files.exists(log())) return List.of();
      return Files.readAllLines(log()).stream()
          .map(line -> JsonText.object("{\"text\":" + line + "}").text("text"))
          .toList();
    } catch (IOException unreadable) {
      throw new java.io.UncheckedIOException(unreadable);
    }
  }

  private Message send(String to, String text) {
    return inbox.send(NewMessage.to(to, text), ADA);
  }

  private void awaitNothingOpen(String id) {
    await(
        () -> inbox.list(id, Filter.OPEN, 0, 10).isEmpty(),
        () -> inbox.list(id, Filter.OPEN, 0, 10) + shown(id));
  }

  @Test
  void messages_are_typed_onto_an_idle_screen_oldest_first_each_once_and_signed() throws Exception {
    supervise();
    Terminal made = agent();
    Message one = send(made.id(), "first\nof two lines; $(touch canary) \u001b[201~");
    Message two = send(made.id(), "second");
    awaitNothingOpen(made.id());
    await(() -> heard().size() == 3, () -> heard().toString());
    assertThat(heard().get(0)).isEqualTo("You help.");
    assertThat(heard().get(1))
        .isEqualTo(one.mark() + " from person:ada:\nfirst\nof two lines; $(touch canary) [201~");
    assertThat(heard().get(2)).isEqualTo(two.mark() + " from person:ada:\nsecond");
    assertThat(project.resolve("canary")).doesNotExist();
    awaitStatus(made.id(), Status.DONE);
    assertThat(screens.output(made.id(), Screens.Mode.LAST, Capture.full()))
        .isEqualTo("● Turn 3 is done.");
    assertThat(faults).isEmpty();
  }

  @Test
  void what_mainstay_typed_is_known_as_the_word_of_whoever_had_it_typed() throws Exception {
    supervise();
    Terminal made = agent();
    await(() -> heard().size() == 1, () -> heard().toString());
    awaitStatus(made.id(), Status.DONE);
    screens.send(made.id(), "Look at the price of every item.", true, ADA);
    await(() -> heard().size() == 2, () -> heard().toString());
    var pastes = new Pastes(store, agents.profiles());
    for (String each : heard()) {
      assertThat(pastes.senderOf(made.id(), each)).map(Pastes.Pasted::sender).contains(ADA.actor());
    }
    assertThat(pastes.senderOf(made.id(), "Look at something else.")).isEmpty();
    assertThat(pastes.senderOf("nobody", "You help.")).isEmpty();
  }

  @Test
  void a_dialog_of_the_first_run_is_told_and_never_typed_into() throws Exception {
    supervise();
    Terminal made = agent("--dialog");
    send(made.id(), "hello");
    awaitStatus(made.id(), Status.WAITING_FOR_PERSON);
    assertThat(get(made.id()).seated().standing().why()).contains("trust this folder");
    assertThat(heard()).isEmpty();
    screens.press(made.id(), Key.ENTER, ADA);
    awaitNothingOpen(made.id());
    await(() -> heard().size() == 2, () -> heard().toString());
  }

  @Test
  void what_somebody_typed_and_did_not_send_is_found_by_its_mark_and_sent_once() throws Exception {
    Terminal made = agent();
    Supervisor brief = new Supervisor(store, host, agents, faults::add);
    brief.await(made.id(), Duration.ofSeconds(60));
    await(() -> heard().size() == 1, () -> heard().toString());
    Message message = send(made.id(), "half typed");
    // A server that died after the paste and before Enter leaves this.
    inbox.pull(made.id(), 1, Inbox.LEASE_MIN, Endings.SYSTEM);
    await(
        () -> {
          brief.refresh();
          return status(made.id()).takesInput();
        },
        () -> shown(made.id()));
    var tmux = host.tmux();
    Pane pane = tmux.panes().find(LaunchOrder.SESSION, made.id()).orElseThrow().pane();
    tmux.typing().paste(pane, Typed.of(message.onScreen()), Manner.BRACKETS);
    brief.close();
    supervise();
    awaitNothingOpen(made.id());
    await(() -> heard().size() == 2, () -> heard().toString());
    assertThat(heard().get(1)).isEqualTo(message.onScreen());
  }

  @Test
  void what_was_sent_but_not_acknowledged_is_not_typed_again() throws Exception {
    Supervisor first = supervise();
    Terminal made = agent();
    await(() -> heard().size() == 1, () -> heard().toString());
    awaitStatus(made.id(), Status.DONE);
    first.close();
    Message message = send(made.id(), "typed by one who died");
    inbox.pull(made.id(), 1, Inbox.LEASE_MIN, Endings.SYSTEM);
    screens.send(made.id(), message.onScreen(), true, ADA);
    await(() -> heard().size() == 2, () -> heard().toString());
    supervise();
    awaitNothingOpen(made.id());
    send(made.id(), "next");
    await(() -> heard().size() == 3, () -> heard().toString());
    assertThat(heard().get(2)).endsWith("next");
  }

  @Test
  void a_question_that_nobody_knows_is_not_answered_by_our_enter() throws Exception {
    provider(
        "asker",
        """
        name: asker
        description: asks something that stands in no list of signs
        command: [sh, -c, 'cat told; echo "Delete all files? [Y/n]"; read x; echo "answered <$x>"; cat']
        screen:
          ready: {its prompt is empty: ['^ready>$']}
        exit: exit
        settle: 200ms
        """);
    profile("asker", "provider: asker", "");
    Terminal made = launches.launch(LaunchOrder.of("asker", project), ADA);
    Message message = send(made.id(), "typed by one who died");
    inbox.pull(made.id(), 1, Inbox.LEASE_MIN, Endings.SYSTEM);
    Files.writeString(project.resolve("told"), message.onScreen() + "\n");
    screens.stop(made.id(), ADA);
    launches.restore(made.id(), ADA);
    awaitShown(made.id(), "Delete all files?");
    await(() -> store.reading(tx -> inbox.show(message.id()).isOverdue(tx.now())), () -> "not due");
    supervise();
    awaitStatus(made.id(), Status.UNKNOWN);
    Terminal other = launch("sh", "-c", "PS1='$ ' exec sh -i");
    awaitStatus(other.id(), Status.READY); // so others were looked at meanwhile, more than once
    awaitStatus(other.id(), Status.READY);
    assertThat(shown(made.id())).doesNotContain("answered");
    assertThat(inbox.show(message.id()).standing().status()).isEqualTo(Message.Status.DELIVERING);
  }

  @Test
  void to_a_program_that_would_run_it_nothing_is_typed_and_it_can_pull() {
    supervise();
    Terminal shell = launch("sh", "-c", "PS1='$ ' exec sh -i");
    awaitStatus(shell.id(), Status.READY);
    Message message = send(shell.id(), "touch canary");
    Terminal other = launch("sh", "-c", "PS1='$ ' exec sh -i");
    awaitStatus(other.id(), Status.READY); // so others were looked at meanwhile
    assertThat(inbox.show(message.id()).standing().status()).isEqualTo(Message.Status.PENDING);
    assertThat(inbox.pull(shell.id(), 1, Inbox.LEASE, ADA))
        .extracting(Message::id)
        .containsExactly(message.id());
    assertThat(project.resolve("canary")).doesNotExist();
  }

  @Test
  void what_an_agent_says_itself_wins_over_its_screen() throws Exception {
    supervise();
    Terminal made = agent();
    awaitStatus(made.id(), Status.DONE);
    Call itself = Call.by(Actor.agent(made.id()), "test");
    screens.signal(made.id(), Signal.Kind.ASKING, itself);
    awaitStatus(made.id(), Status.WAITING_FOR_PERSON);
    send(made.id(), "not now");
    screens.signal(made.id(), Signal.Kind.FINISHED, itself);
    awaitNothingOpen(made.id());
  }

  @Test
  void one_that_is_started_again_owes_no_answer_to_what_came_before() throws Exception {
    supervise();
    Terminal made = agent();
    send(made.id(), "first");
    awaitNothingOpen(made.id());
    awaitStatus(made.id(), Status.DONE);
    screens.stop(made.id(), ADA);
    launches.restore(made.id(), ADA);
    awaitStatus(made.id(), Status.READY);
  }
}
