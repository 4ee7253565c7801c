package dev.mainstay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Message;
import dev.mainstay.domain.Message.Status;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** A store from before messages were delivered, opened by this program. */
class InboxMigrationTest {
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

  abstract static class Contract extends OnDatabase {
    private static final Pattern TABLE =
        Pattern.compile("^CREATE TABLE inbox .*?;", Pattern.MULTILINE | Pattern.DOTALL);

    Contract(Databases database) {
      super(database);
    }

    private String oldTable() {
      Matcher table = TABLE.matcher(new MigrationStep(store, "001").text());
      assertThat(table.find()).isTrue();
      return table.group();
    }

    @Test
    void what_was_under_way_waits_again_and_what_had_ended_keeps_its_end() {
      Raw.run(store, "DROP TABLE inbox");
      Raw.run(store, oldTable());
      given(tx -> tx.terminals().ensureExternal("dev-2"));
      for (Status status : Status.values()) {
        Raw.run(
            store,
            "INSERT INTO inbox (sender_id, receiver_id, message, status) VALUES ('dev-1', 'dev-2', 'm', '"
                + status
                + "')");
      }
      new MigrationStep(store, "006").take();
      List<Message> all = store.reading(tx -> tx.inbox().list("dev-2", false, 0, 10));
      assertThat(all)
          .extracting(each -> each.standing().status())
          .containsExactly(Status.PENDING, Status.PENDING, Status.DELIVERED, Status.FAILED);
      assertThat(all).extracting(Message::id).containsExactly(1L, 2L, 3L, 4L);
      given(tx -> assertThat(tx.inbox().insert("dev-1", "dev-2", "next").id()).isEqualTo(5L));
    }
  }
}
