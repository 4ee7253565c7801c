package dev.mainstay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.domain.Actor;
import dev.mainstay.domain.Call;
import dev.mainstay.domain.JsonObject;
import dev.mainstay.domain.Message;
import dev.mainstay.domain.TaskId;
import dev.mainstay.domain.TaskStatus;
import dev.mainstay.json.JsonText;
import dev.mainstay.queue.Leases;
import dev.mainstay.store.Databases;
import dev.mainstay.terminal.Inbox;
import dev.mainstay.terminal.NewMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Files, checkpoints, messages and work for others. */
class OtherToolsTest {
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

  abstract static class Contract extends OnOffer {
    private static final Call LEAD = Call.by(Actor.agent("lead"), "test");

    Contract(Databases database) {
      super(database);
    }

    private String holder(Guest guest) {
      return rooms.tasks().show(TaskId.of(1)).lease().orElseThrow().holder();
    }

    private Message.Status status(long id) {
      return rooms.inbox().show(id).standing().status();
    }

    @Test
    void a_file_is_written_once_and_the_second_time_says_so() throws IOException {
      task("Add login");
      said(claude("c"), "next_task", "{}");
      String write = "{'path':'src/App.java','content':'class App {}'}";
      Reply first = call(claude("c"), "write_file", write);
      assertThat(words(first)).isEqualTo("src/App.java was created");
      assertThat(first.structured().text("message")).isEqualTo("src/App.java was created");
      assertThat(folder.resolve("src/App.java")).hasContent("class App {}");
      assertThat(said(claude("c"), "write_file", write))
          .contains("nothing changed", "take the next step");
      String absolute = folder.resolve("src/App.java").toString();
      assertThat(said(claude("c"), "write_file", "{'path':'" + absolute + "','content':'x'}"))
          .contains("replaced");
      assertThat(Files.readString(folder.resolve("src/App.java"))).isEqualTo("x");
    }

    @Test
    void a_file_outside_or_of_another_version_is_left_alone() {
      assertThat(refused(claude("c"), "write_file", "{'path':'../x','content':'y'}"))
          .contains("..");
      assertThat(refused(claude("c"), "write_file", "{'path':'/etc/x','content':'y'}"))
          .contains("absolute");
      said(claude("c"), "write_file", "{'path':'a','content':'one'}");
      assertThat(
              refused(claude("c"), "write_file", "{'path':'a','content':'two','expect':'absent'}"))
          .contains("not the version you have seen");
      assertThat(refused(claude("c"), "write_file", "{'path':'a','content':'y','expect':'old'}"))
          .contains("6 digits");
      assertThat(folder.resolve("a")).hasContent("one");
    }

    @Test
    void a_holder_that_lost_its_task_writes_no_file_for_it() {
      TaskId id = task("Add login");
      said(claude("c"), "next_task", "{}");
      said(claude("c"), "write_file", "{'path':'a','content':'one'}");
      rooms.leases().release(id, "taken away", ADA);
      rooms.leases().hold(id, "bot", Leases.LEASE, BOT);
      assertThat(refused(claude("c"), "write_file", "{'path':'a','content':'two'}"))
          .contains("lease lost", "held by bot", "next_task");
      assertThat(folder.resolve("a")).hasContent("one");
      assertThat(said(claude("c"), "state", "{'task':'T-001'}")).contains("held by bot");
    }

    @Test
    void one_goes_back_to_a_checkpoint() {
      TaskId id = task("Add login");
      said(claude("c"), "next_task", "{}");
      said(claude("c"), "update", "{'plan':['One']}");
      assertThat(said(claude("c"), "checkpoint", "{'action':'save','name':'before'}"))
          .contains("\"before\" of T-001 is saved");
      said(claude("c"), "update", "{'plan':['Another']}");
      assertThat(said(claude("c"), "checkpoint", "{'action':'list'}")).contains("before (entry");
      assertThat(said(claude("c"), "checkpoint", "{'action':'restore','name':'before'}"))
          .contains("knows again");
      assertThat(rooms.states().load(id).plan().step(0).label()).isEqualTo("One");
      assertThat(refused(claude("c"), "checkpoint", "{'action':'restore'}")).contains("name");
      assertThat(refused(claude("c"), "checkpoint", "{'action':'restore','name':'never'}"))
          .contains("checkpoint {\"action\":\"list\"}");
    }

    @Test
    void a_message_has_arrived_when_its_reader_comes_back() {
      task("Add login");
      Guest guest = claude("c");
      said(guest, "next_task", "{}");
      Message sent = rooms.inbox().send(NewMessage.to(holder(guest), "look at T-002"), LEAD);
      assertThat(said(guest, "state", "{}")).contains("1 message waits: call message");
      assertThat(said(guest, "message", "{}")).contains("from lead]", "look at T-002");
      assertThat(status(sent.id())).isEqualTo(Message.Status.DELIVERING);
      assertThat(said(guest, "state", "{}")).doesNotContain("waits");
      assertThat(status(sent.id())).isEqualTo(Message.Status.DELIVERED);
      assertThat(said(guest, "message", "{}")).contains("No message waits", "claude-code@");
      assertThat(said(guest, "recall", "{'ref':'message:" + sent.id() + "'}"))
          .contains("look at T-002");
      assertThat(said(guest, "message", "{'reply_to':" + sent.id() + ",'text':'done'}"))
          .contains("on its way to lead");
      assertThat(rooms.inbox().list("lead", Inbox.Filter.OPEN, 0, 10))
          .singleElement()
          .satisfies(each -> assertThat(each.sender()).isEqualTo(holder(guest)));
    }

    @Test
    void one_message_that_failed_meanwhile_does_not_bring_the_others_back() {
      task("Add login");
      Guest guest = claude("c");
      said(guest, "next_task", "{}");
      Message failed = rooms.inbox().send(NewMessage.to(holder(guest), "never mind"), LEAD);
      Message read = rooms.inbox().send(NewMessage.to(holder(guest), "look"), LEAD);
      said(guest, "message", "{}");
      rooms.inbox().fail(failed.id(), "taken back", LEAD);
      said(guest, "state", "{}");
      assertThat(status(read.id())).isEqualTo(Message.Status.DELIVERED);
      assertThat(status(failed.id())).isEqualTo(Message.Status.FAILED);
    }

    @Test
    void a_reader_that_dies_gets_its_message_again() {
      task("Add login");
      Guest guest = claude("c");
      said(guest, "next_task", "{}");
      rooms.inbox().send(NewMessage.to(holder(guest), "hello"), LEAD);
      said(guest, "message", "{}");
      offer = new Offer(rooms);
      clock.advance(Inbox.LEASE.plusSeconds(1));
      assertThat(said(claude("next"), "message", "{}")).contains("hello");
    }

    @Test
    void messages_go_to_whoever_is_known_and_to_nobody_else() {
      task("Add login");
      said(claude("c"), "next_task", "{}");
      rooms.inbox().send(NewMessage.to(holder(claude("c")), "hello"), LEAD);
      assertThat(said(codex("x"), "message", "{'to':'lead','text':'from codex'}"))
          .contains("on its way to lead");
      assertThat(refused(codex("x"), "message", "{'to':'nobody','text':'x'}"))
          .contains("recall terminals");
      assertThat(refused(codex("x"), "message", "{'reply_to':1,'text':'x'}"))
          .contains("no message 1 for you");
      assertThat(refused(codex("x"), "message", "{'to':'lead'}")).contains("\"text\"");
      assertThat(refused(codex("x"), "message", "{'text':'x'}")).contains("\"to\"");
      assertThat(refused(codex("x"), "recall", "{'ref':'message:1'}")).contains("no message 1");
    }

    @Test
    void delegating_to_an_unknown_profile_is_refused_and_makes_no_task() {
      assertThat(refused(claude("c"), "delegate", "{'profile':'wizard','title':'Review'}"))
          .contains("there is no profile \"wizard\"");
      assertThat(said(claude("c"), "recall", "{'ref':'tasks:all'}")).contains("no such task");
    }

    @Test
    void work_is_delegated_and_looked_at_again() {
      Reply reply =
          call(claude("c"), "delegate", "{'profile':'reviewer','title':'Review','wait_seconds':0}");
      assertThat(words(reply)).contains("T-001", "recall delegation:T-001");
      assertThat(said(claude("c"), "recall", "{'ref':'delegation:T-001'}")).contains("T-001");
      assertThat(rooms.delegations().show(TaskId.of(1)).delegation().caller())
          .startsWith("claude-code@");
      assertThat(refused(claude("c"), "delegate", "{'profile':'reviewer'}")).contains("title");
      assertThat(refused(claude("c"), "delegate", "{'profile':'reviewer','task':'T-001'}"))
          .contains("recall delegations");
    }

    @Test
    void who_waits_hears_of_progress_and_may_stop_waiting() {
      List<String> heard = new ArrayList<>();
      var line =
          new Asking.Line() {
            private final AtomicBoolean cancelled = new AtomicBoolean();

            @Override
            public void progress(double done, @Nullable Double total, String message) {
              heard.add(message);
              cancelled.set(true);
            }

            @Override
            public boolean isCancelled() {
              return cancelled.get();
            }
          };
      JsonObject wanted =
          JsonText.object("{\"profile\":\"coder\",\"title\":\"Code\",\"wait_seconds\":600}");
      Reply reply = tool("delegate").doing().call(new Asking(claude("c"), "k", line), wanted);
      assertThat(words(reply)).contains("The work goes on", "recall delegation:T-001");
      assertThat(heard).singleElement().asString().contains("T-001");
      JsonObject next = JsonObject.of("wait_seconds", 60, "type", "REVIEW");
      assertThat(words(tool("next_task").doing().call(new Asking(claude("c"), "n", line), next)))
          .startsWith("No task");
    }

    @Test
    void a_delegated_task_that_ended_tells_its_result() {
      said(claude("c"), "delegate", "{'profile':'coder','title':'Code'}");
      TaskId id = TaskId.of(1);
      if (rooms.tasks().show(id).status() == TaskStatus.PENDING) {
        rooms.leases().hold(id, "bot", Leases.LEASE, BOT);
      }
      long fence = rooms.tasks().show(id).fence();
      rooms.leases().complete(id, JsonObject.of("summary", "all green"), BOT.withFence(fence));
      assertThat(said(claude("c"), "recall", "{'ref':'delegation:T-001'}")).contains("all green");
    }
  }
}
