package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Message.Status;
import dev.mainstay.domain.Refusal.Code;
import dev.mainstay.domain.Terminal;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Raw;
import dev.mainstay.store.Store;
import dev.mainstay.store.StoreAddress;
import dev.mainstay.terminal.Inbox.Acknowledged;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.upkeep.Rebuild;
import dev.mainstay.upkeep.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InboxTest {
  @Nested
  class OnSqlite extends Contract {
    OnSqlite() {
      super(Databases.SQLITE);
    }
  }

  @Nested
  class OnPostgresql extends Contract {
    OnPostgresql() {
      super(Databases.POSTGRESQL);
    }
  }

  abstract static class Contract extends OnInbox {
    private static final String SECRET = String.join("9", "correct", "horse", "battery");

    Contract(Databases database) {
      super(database);
    }

    @Test
    void messages_are_pulled_oldest_first_and_arrive_when_they_are_acknowledged() {
      Message first = send("one");
      send("two");
      send("three");
      assertThat(first.standing().status()).isEqualTo(Status.PENDING);
      List<Message> pulled = pull(2);
      assertThat(texts(pulled)).containsExactly("one", "two");
      assertThat(pulled).allMatch(each -> each.standing().attempts() == 1);
      assertThat(pulled.get(0)).isEqualTo(inbox.show(first.id()));
      assertThat(texts(pull(10))).containsExactly("three");
      assertThat(pull(10)).isEmpty();
      assertThat(inbox.acknowledge("dev-2", ids(pulled), TWO))
          .isEqualTo(new Acknowledged(ids(pulled), List.of()));
      assertThat(inbox.show(first.id()).standing().status()).isEqualTo(Status.DELIVERED);
      assertThat(inbox.show(first.id()).standing().moments().deliveredAt())
          .isEqualTo(clock.instant());
      assertThat(texts(inbox.list("dev-2", Filter.OPEN, 0, 10))).containsExactly("three");
      assertThat(texts(inbox.list("dev-2", Filter.ALL, first.id(), 1))).containsExactly("two");
      assertThat(inbox.list("dev-1", Filter.ALL, 0, 10)).isEmpty();
      assertThat(inbox.list(null, Filter.ALL, 0, 10)).hasSize(3);
      assertThat(kinds("dev-2"))
          .containsExactly(
              "inbox.sent", "inbox.sent", "inbox.sent", "inbox.delivered", "inbox.delivered");
    }

    @Test
    void acknowledging_twice_is_no_fault_and_is_told() {
      send("one");
      send("two");
      List<Long> both = ids(pull(2));
      inbox.acknowledge("dev-2", both.subList(0, 1), TWO);
      assertThat(inbox.acknowledge("dev-2", both, TWO))
          .isEqualTo(new Acknowledged(both.subList(1, 2), both.subList(0, 1)));
      assertThat(kinds("dev-2")).filteredOn("inbox.delivered"::equals).hasSize(2);
    }

    @Test
    void only_what_was_pulled_by_the_terminal_can_be_acknowledged_and_else_nothing_is() {
      send("one");
      Message waiting = inbox.send(NewMessage.to("dev-3", "for another"), ONE);
      long pulled = pull(1).get(0).id();
      refused(
          Code.NOT_FOUND,
          () -> inbox.acknowledge("dev-2", List.of(pulled, waiting.id()), TWO),
          "no message " + waiting.id() + " for dev-2",
          "inbox list");
      assertThat(inbox.show(pulled).standing().status()).isEqualTo(Status.DELIVERING);
      refused(
          Code.CONFLICT,
          () -> inbox.acknowledge("dev-3", List.of(waiting.id()), ADA),
          "not pulled yet");
      refused(Code.NOT_FOUND, () -> inbox.acknowledge("dev-2", List.of(99L), TWO), "99");
      refused(Code.INVALID, () -> inbox.acknowledge("dev-2", List.of(), TWO), "between 1 and");
    }

    @Test
    void what_is_not_acknowledged_in_time_comes_back_before_what_is_newer() {
      send("one");
      List<Message> first = inbox.pull("dev-2", 10, Duration.ofMinutes(1), TWO);
      send("two");
      clock.advance(Duration.ofSeconds(59));
      assertThat(texts(inbox.pull("dev-2", 1, Duration.ofMinutes(1), TWO))).containsExactly("two");
      clock.advance(Duration.ofSeconds(1));
      List<Message> again = pull(10);
      assertThat(texts(again)).containsExactly("one");
      assertThat(again.get(0).standing().attempts()).isEqualTo(2);
      clock.advance(Inbox.LEASE);
      // Late, but nobody has it again yet: it arrived.
      assertThat(inbox.acknowledge("dev-2", ids(first), TWO).now()).isEqualTo(ids(first));
      assertThat(texts(pull(10))).containsExactly("two");
    }

    @Test
    void after_the_last_attempt_it_has_failed_and_its_sender_is_told() {
      Message lost = send("are you there?");
      for (int i = 1; i <= Message.ATTEMPTS_MAX; i++) {
        assertThat(pull(10).get(0).standing().attempts()).isEqualTo(i);
        clock.advance(Inbox.LEASE);
      }
      assertThat(pull(10)).isEmpty();
      Message failed = inbox.show(lost.id());
      assertThat(failed.standing().status()).isEqualTo(Status.FAILED);
      assertThat(failed.standing().reason()).contains("pulled 5 times");
      Message notice = inbox.pull("dev-1", 10, Inbox.LEASE, ONE).get(0);
      assertThat(notice.sender()).isEqualTo(Message.MAINSTAY);
      assertThat(notice.text())
          .contains("Message " + lost.id() + " to dev-2", "pulled 5 times", "are you there?");
      assertThat(kinds("dev-2")).containsExactly("inbox.sent", "inbox.failed");
      refused(
          Code.CONFLICT,
          () -> inbox.acknowledge("dev-2", List.of(lost.id()), TWO),
          "has failed",
          "dev-1 to send it again");
    }

    @Test
    void a_receiver_that_never_comes_back_does_not_keep_the_sender_waiting() {
      Message lost = send("hello?");
      for (int i = 0; i < Message.ATTEMPTS_MAX; i++) {
        pull(1);
        assertThat(inbox.giveUp()).as("somebody has it").isZero();
        clock.advance(Inbox.LEASE);
      }
      assertThat(inbox.giveUp()).isEqualTo(1);
      assertThat(inbox.giveUp()).isZero();
      assertThat(inbox.show(lost.id()).standing().status()).isEqualTo(Status.FAILED);
      assertThat(inbox.list("dev-1", Filter.OPEN, 0, 10)).hasSize(1);
    }

    @Test
    void a_failure_is_told_once_and_never_about_what_mainstay_says() {
      Message lost = send("one");
      assertThat(inbox.fail(lost.id(), "wrong\nproject", TWO).standing().reason())
          .isEqualTo("wrong project");
      assertThat(inbox.fail(lost.id(), "again", TWO).standing().reason())
          .isEqualTo("wrong project");
      List<Message> told = inbox.list("dev-1", Filter.ALL, 0, 10);
      assertThat(told).hasSize(1);
      inbox.fail(told.get(0).id(), "dev-1 is gone", ADA);
      assertThat(inbox.list(null, Filter.OPEN, 0, 10)).isEmpty();
      Message personal = inbox.send(NewMessage.to("dev-2", "from a person"), ADA);
      inbox.fail(personal.id(), "no", TWO);
      assertThat(inbox.list(null, Filter.OPEN, 0, 10)).isEmpty();
      Message arrived = send("two");
      pull(1);
      inbox.acknowledge("dev-2", List.of(arrived.id()), TWO);
      refused(Code.CONFLICT, () -> inbox.fail(arrived.id(), "late", TWO), "was delivered");
      refused(Code.NOT_FOUND, () -> inbox.fail(99, "x", TWO), "inbox list --all");
    }

    @Test
    void nobody_sends_to_itself_to_nobody_or_as_somebody_else() {
      refused(Code.INVALID, () -> inbox.send(NewMessage.to("dev-1", "me"), ONE), "itself");
      refused(
          Code.INVALID, () -> inbox.send(new NewMessage("dev-2", "dev-2", "me"), ADA), "itself");
      refused(Code.NOT_FOUND, () -> inbox.send(NewMessage.to("dev-9", "x"), ONE), "terminal list");
      refused(
          Code.NOT_FOUND,
          () -> inbox.send(new NewMessage("dev-9", "dev-1", "x"), ADA),
          "terminal list");
      refused(Code.NOT_FOUND, () -> inbox.pull("dev-9", 1, Inbox.LEASE, ONE), "terminal list");
      refused(Code.NOT_FOUND, () -> inbox.list("dev-9", Filter.OPEN, 0, 10), "terminal list");
      new Terminals(store).register(NewTerminal.external("person:eve"), ADA);
      refused(
          Code.INVALID,
          () -> inbox.send(new NewMessage("person:eve", "dev-1", "trust me"), ADA),
          "somebody else");
      assertThat(inbox.list(null, Filter.ALL, 0, 10)).isEmpty();
    }

    @Test
    void a_reply_goes_to_the_sender_and_an_unknown_agent_can_be_answered() {
      Message question = inbox.send(new NewMessage("dev-1", "dev-2", "which port?"), ADA);
      Message answer = inbox.reply(question.id(), "7717", TWO);
      assertThat(answer.sender()).isEqualTo("dev-2");
      assertThat(answer.receiver()).isEqualTo("dev-1");
      assertThat(inbox.reply(question.id(), "or another", ADA).sender()).isEqualTo("person:ada");
      Message told = inbox.send(NewMessage.to("dev-2", "hello"), ADA);
      assertThat(told.sender()).isEqualTo("person:ada");
      refused(Code.INVALID, () -> inbox.reply(told.id(), "hi", TWO), "has no inbox");
      Call stranger = Call.by(Actor.agent("codex"), "test");
      Message strange = inbox.send(NewMessage.to("dev-2", "anybody?"), stranger);
      assertThat(new Terminals(store).get("codex").provider()).isEqualTo(Terminal.EXTERNAL);
      assertThat(inbox.reply(strange.id(), "yes", TWO).receiver()).isEqualTo("codex");
    }

    @Test
    void who_got_a_message_first_can_still_be_registered_and_has_a_registrar() {
      given(tx -> tx.terminals().ensureExternal("dev-4"));
      inbox.send(NewMessage.to("dev-4", "welcome"), ONE);
      Call four = Call.by(Actor.agent("dev-4"), "test");
      new Terminals(store).register(NewTerminal.external("dev-4"), four);
      refused(
          Code.CONFLICT,
          () -> new Terminals(store).register(NewTerminal.external("dev-4"), ADA),
          "known already");
      given(tx -> assertThat(Terminals.registrar(tx, "dev-4")).contains(four.actor()));
    }

    @Test
    void secrets_reach_neither_the_message_nor_the_journal() {
      Message sent = send("the password=" + SECRET + " works");
      assertThat(sent.text()).contains("redacted").doesNotContain(SECRET);
      inbox.reply(sent.id(), "password=" + SECRET, TWO);
      inbox.fail(sent.id(), "password=" + SECRET + " was wrong", TWO);
      assertThat(inbox.list(null, Filter.ALL, 0, 10)).noneMatch(m -> m.text().contains(SECRET));
      for (String terminal : List.of("dev-1", "dev-2")) {
        given(
            tx ->
                assertThat(tx.journal().stream(Terminal.stream(terminal)))
                    .noneMatch(entry -> entry.content().payload().contains(SECRET)));
      }
    }

    @Test
    void everything_has_a_limit() {
      String longest = "x".repeat(Message.MESSAGE_CHARS_MAX);
      refused(Code.TOO_LARGE, () -> send(longest + "x"), "shorten it");
      refused(Code.INVALID, () -> send(" \n"), "say something");
      refused(Code.INVALID, () -> pull(0), "between 1 and 50");
      refused(Code.INVALID, () -> pull(Inbox.PULL_MAX + 1), "between 1 and 50");
      refused(Code.INVALID, () -> inbox.pull("dev-2", 1, Duration.ZERO, TWO), "1 second");
      refused(Code.INVALID, () -> inbox.pull("dev-2", 1, Duration.ofDays(2), TWO), "1 day");
      refused(Code.INVALID, () -> inbox.list(null, Filter.ALL, 0, 1_001), "between 1 and 1,000");
      for (int i = 0; i < 6; i++) send(longest);
      int atOnce = Inbox.PULL_CHARS_MAX / Message.MESSAGE_CHARS_MAX;
      assertThat(pull(10)).hasSize(atOnce);
      assertThat(pull(10)).hasSize(6 - atOnce);
    }

    @Test
    void a_terminal_that_never_reads_is_not_sent_more_and_more() {
      Raw.run(
          store,
          "INSERT INTO inbox (sender_id, receiver_id, message, status)"
              + " WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
              + " SELECT 'dev-1', 'dev-2', 'm', 'PENDING' FROM n");
      Message last = send("the last that fits");
      refused(Code.CONFLICT, () -> send("one too many"), "10,000 messages wait for dev-2");
      inbox.fail(last.id(), "full", TWO);
      assertThat(send("fits again").standing().status()).isEqualTo(Status.PENDING);
    }

    @Test
    void the_same_key_sends_and_pulls_once_but_an_empty_pull_asks_again() {
      Call keyed = ONE.withKey("k");
      Call asking = TWO.withKey("p");
      assertThat(inbox.pull("dev-2", 5, Inbox.LEASE, asking)).isEmpty();
      Message sent = inbox.send(NewMessage.to("dev-2", "one"), keyed);
      assertThat(inbox.send(NewMessage.to("dev-2", "one"), keyed)).isEqualTo(sent);
      List<Message> pulled = inbox.pull("dev-2", 5, Inbox.LEASE, asking);
      assertThat(pulled).hasSize(1);
      send("two");
      assertThat(inbox.pull("dev-2", 5, Inbox.LEASE, asking)).isEqualTo(pulled);
      Call acking = TWO.withKey("a");
      Acknowledged done = inbox.acknowledge("dev-2", ids(pulled), acking);
      assertThat(inbox.acknowledge("dev-2", ids(pulled), acking)).isEqualTo(done);
    }

    @Test
    void a_rebuilt_store_has_every_message_where_it_stood() {
      List<Message> all = new ArrayList<>();
      for (String text : List.of("delivered", "failed", "taken", "waiting")) all.add(send(text));
      List<Message> pulled = pull(3);
      inbox.acknowledge("dev-2", List.of(pulled.get(0).id()), TWO);
      inbox.fail(pulled.get(1).id(), "no", TWO);
      assertThat(Verification.of(store).findings()).isEmpty();
      StoreAddress target = database().fresh();
      Rebuild.into(store, target);
      try (Store made = open(target)) {
        Inbox rebuilt = new Inbox(made);
        assertThat(Verification.of(made).findings()).isEmpty();
        assertThat(rebuilt.list(null, Filter.ALL, 0, 10))
            .isEqualTo(inbox.list(null, Filter.ALL, 0, 10));
        assertThat(rebuilt.send(NewMessage.to("dev-2", "next"), ONE).id())
            .as("a number is never given twice")
            .isGreaterThan(all.get(3).id() + 1);
      }
    }
  }
}
