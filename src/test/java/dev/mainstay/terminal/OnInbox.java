package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Refusal;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Databases;
import dev.mainstay.store.OnDatabase;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;

/** What tests of the inbox begin with: three terminals that have nothing to say yet. */
abstract class OnInbox extends OnDatabase {
  static final Call ONE = Call.by(Actor.agent("dev-1"), "test");
  static final Call TWO = Call.by(Actor.agent("dev-2"), "test");

  Inbox inbox;

  OnInbox(Databases database) {
    super(database);
  }

  @BeforeEach
  void terminals() {
    inbox = new Inbox(store);
    for (String id : List.of("dev-1", "dev-2", "dev-3")) {
      new Terminals(store).register(NewTerminal.external(id), ADA);
    }
  }

  /** From dev-1 to dev-2. */
  Message send(String text) {
    return inbox.send(NewMessage.to("dev-2", text), ONE);
  }

  /** By dev-2. */
  List<Message> pull(int limit) {
    return inbox.pull("dev-2", limit, Inbox.LEASE, TWO);
  }

  static List<String> texts(List<Message> messages) {
    return messages.stream().map(Message::text).toList();
  }

  static List<Long> ids(List<Message> messages) {
    return messages.stream().map(Message::id).toList();
  }

  List<String> kinds(String terminal) {
    return store.reading(
        tx ->
            tx.journal().stream(Terminal.stream(terminal)).stream()
                .map(entry -> entry.content().kind())
                .filter(kind -> kind.startsWith("inbox."))
                .toList());
  }

  static void refused(Code code, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.code()).isEqualTo(code);
              for (String word : words) assertThat(refusal.sentence()).contains(word);
            });
  }
}
