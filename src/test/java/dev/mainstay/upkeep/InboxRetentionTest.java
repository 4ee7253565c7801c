package dev.mainstay.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.JsonObject;
import dev.mainstay.store.Databases;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.Inbox.Filter;
import dev.mainstay.terminal.NewMessage;
import dev.mainstay.terminal.NewTerminal;
import dev.mainstay.terminal.Terminals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class InboxRetentionTest {
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

  abstract static class Contract extends OnRetention {
    Contract(Databases database) {
      super(database);
    }

    @Test
    void messages_leave_with_the_terminal_they_were_for_once_they_are_settled_and_old() {
      Inbox inbox = new Inbox(store);
      for (String id : List.of("reader", "waited")) {
        var told = JsonObject.of("initial_prompt", "go");
        new Terminals(store).register(NewTerminal.external(id).told(told), ADA);
        inbox.send(NewMessage.to(id, "for " + id), ADA);
      }
      var pulled = inbox.pull("reader", 1, Inbox.LEASE, ADA);
      inbox.acknowledge("reader", List.of(pulled.get(0).id()), ADA);
      timePasses();
      var result = gc();
      assertThat(result.report().leaving().ids()).containsExactly("terminal/reader");
      assertThat(why(result.report())).containsEntry("terminal/waited", "messages wait for it");
      assertThat(inbox.list("reader", Filter.ALL, 0, 10)).isEmpty();
      assertThat(inbox.list("waited", Filter.ALL, 0, 10)).hasSize(1);
      List<String> archived = new ArrayList<>();
      ArchiveFile.read(
          file(),
          new ArchiveFile.Reader() {
            @Override
            public void row(JsonObject row) {
              archived.add(row.text("table") + " " + row.object("values").textOrNull("message"));
            }
          });
      assertThat(archived).containsExactly("terminal_states null", "inbox for reader");
      assertThat(findings()).isEmpty();
      inbox.send(NewMessage.to("reader", "welcome back"), ADA);
      assertThat(findings()).isEmpty();
    }
  }
}
