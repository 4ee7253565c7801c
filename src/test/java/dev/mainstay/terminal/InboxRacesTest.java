package dev.mainstay.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.Message.Status;
import dev.mainstay.store.Both;
import dev.mainstay.store.Databases;
import dev.mainstay.store.Store;
import dev.mainstay.terminal.Inbox.Acknowledged;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.upkeep.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InboxRacesTest {
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
    private static final int SENDERS = 4;
    private static final int EACH = 10;

    Contract(Databases database) {
      super(database);
    }

    /** Everybody says their numbers in order, all at the same time. */
    private void everybodySends() throws Exception {
      AtomicInteger next = new AtomicInteger();
      Both.atOnce(
          SENDERS,
          () -> {
            Call sender = Call.by(Actor.agent("s-" + next.getAndIncrement()), "test");
            for (int i = 0; i < EACH; i++) {
              inbox.send(NewMessage.to("dev-2", Integer.toString(i)), sender);
            }
            return 0;
          });
    }

    private static List<Message> pullAll(Inbox inbox) {
      List<Message> all = new ArrayList<>();
      while (true) {
        List<Message> pulled = inbox.pull("dev-2", 3, Inbox.LEASE, TWO);
        if (pulled.isEmpty()) return all;
        all.addAll(pulled);
      }
    }

    @Test
    void each_senders_messages_arrive_in_the_order_they_were_sent() throws Exception {
      everybodySends();
      List<Message> all = pullAll(inbox);
      assertThat(all).hasSize(SENDERS * EACH);
      for (int sender = 0; sender < SENDERS; sender++) {
        String name = "s-" + sender;
        List<Message> own = all.stream().filter(m -> m.sender().equals(name)).toList();
        assertThat(texts(own)).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
      }
      assertThat(Verification.of(store).findings()).isEmpty();
    }

    @Test
    void no_message_is_given_to_two_pullers_of_several_processes() throws Exception {
      everybodySends();
      try (Store other = open(address)) {
        AtomicInteger next = new AtomicInteger();
        List<List<Message>> pulled =
            Both.atOnce(
                4, () -> pullAll(next.getAndIncrement() % 2 == 0 ? inbox : new Inbox(other)));
        List<Message> left = pullAll(inbox); // a puller may end while others have the last locked
        List<Long> given = new ArrayList<>(ids(left));
        for (List<Message> each : pulled) given.addAll(ids(each));
        assertThat(given).doesNotHaveDuplicates().hasSize(SENDERS * EACH);
        assertThat(inbox.list("dev-2", Filter.OPEN, 0, 100))
            .allMatch(each -> each.standing().attempts() == 1);
      }
    }

    @Test
    void of_many_acknowledgements_at_the_same_moment_one_counts() throws Exception {
      send("one");
      send("two");
      List<Long> both = ids(pull(2));
      List<Acknowledged> all = Both.atOnce(6, () -> inbox.acknowledge("dev-2", both, TWO));
      assertThat(all).filteredOn(each -> each.now().equals(both)).hasSize(1);
      assertThat(all).filteredOn(each -> each.before().equals(both)).hasSize(5);
      assertThat(kinds("dev-2")).filteredOn("inbox.delivered"::equals).hasSize(2);
    }

    @Test
    void what_is_given_up_by_several_at_once_fails_once_and_is_told_once() throws Exception {
      Message there = send("there");
      Message back = inbox.send(new NewMessage("dev-2", "dev-1", "and back"), ADA);
      for (int i = 0; i < Message.ATTEMPTS_MAX; i++) {
        pull(1);
        inbox.pull("dev-1", 1, Inbox.LEASE, ONE);
        clock.advance(Inbox.LEASE);
      }
      AtomicInteger next = new AtomicInteger();
      Both.atOnce(
          6,
          () ->
              switch (next.getAndIncrement() % 3) {
                case 0 -> inbox.pull("dev-1", 1, Inbox.LEASE, ONE).size();
                case 1 -> inbox.pull("dev-2", 1, Inbox.LEASE, TWO).size();
                default -> inbox.giveUp();
              });
      for (Message each : List.of(there, back)) {
        assertThat(inbox.show(each.id()).standing().status()).isEqualTo(Status.FAILED);
        assertThat(inbox.list(each.sender(), Filter.ALL, 0, 10))
            .filteredOn(told -> told.sender().equals(Message.MAINSTAY))
            .hasSize(1);
      }
      assertThat(Verification.of(store).findings()).isEmpty();
    }
  }
}
